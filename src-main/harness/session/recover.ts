import {
  failure,
  attemptText,
  openPause,
  orderedRows,
  rowName,
  waitingApproval,
  type CallNames,
  type CallRow,
  type Failure,
  type NewSessionEvent,
  type Outcome,
  type TurnFinished,
  type TurnView,
} from '../protocol';
import type { CallFacts } from '../call';
import type { OpenResponse, TurnEnd } from '../turn';

/** A turn that a restart left waiting for a person: answerable, and continued by the answer. */
export interface SuspendedTurn {
  readonly turn_id: string;
  readonly attempt: number;
  /** The calls that wait; null where the turn stands at a limit. */
  readonly response: OpenResponse | null;
  /** The pause at which it stands. */
  readonly pause_id: string | null;
  /** Ids of the calls that the turn has made so far. */
  readonly called: readonly string[];
}

export interface Recovery {
  /** What has to be recorded before anything else happens in the session. */
  readonly events: readonly NewSessionEvent[];
  readonly suspended: SuspendedTurn | null;
}

function namesOf(row: CallRow): CallNames {
  const named = row.started?.data ?? row.approvals.at(-1)?.requested?.data;
  return {
    call_id: row.call_id,
    name: named?.name ?? row.proposed?.name ?? row.call_id,
    qualified_name: named?.qualified_name ?? row.proposed?.qualified_name ?? null,
    model_alias: named?.model_alias ?? row.proposed?.name ?? row.call_id,
  };
}

function finished(turn: TurnView, row: CallRow, outcome: Outcome, error: Failure): NewSessionEvent {
  return {
    turn_id: turn.turn_id,
    type: 'tool_finished',
    data: { ...namesOf(row), outcome, duration_ms: null, result: null, error, progress: row.progress },
  };
}

/** What is on record of a call that a restart left behind; null where the turn has no such call. */
export function leftCall(turn: TurnView, callId: string): CallFacts | null {
  const row = turn.rows.get(callId);
  if (!row) return null;
  const guardrails = row.approvals.at(-1)?.requested?.data.guardrails ?? [];
  return { turn_id: turn.turn_id, names: namesOf(row), guardrails };
}

function closedRow(turn: TurnView, row: CallRow, note: string): NewSessionEvent[] {
  const name = rowName(row);
  if (row.started) {
    const message = `${name} had begun and its end was not recorded, so its outcome is unknown. It is not run again by itself. Check what happened.`;
    return [finished(turn, row, 'outcome_unknown', failure('outcome_unknown', message))];
  }
  const waiting = waitingApproval(row, turn);
  const end = finished(turn, row, 'cancelled', failure('cancelled', `${name} was not run. ${note}`));
  if (!waiting) return [end];
  const { approval_id } = waiting;
  const { call_id } = row;
  const data = { approval_id, call_id, scope: null, outcome: 'cancelled', note, by: 'turn_end' } as const;
  return [{ turn_id: turn.turn_id, type: 'approval_resolved', data }, end];
}

/** How long a turn took; nothing where that is not known. */
export type TurnTimes = Pick<TurnFinished, 'duration_ms' | 'worked_ms'>;

/** Text that was streaming when the app ended is kept as what it is: a part. */
function closedAttempts(turn: TurnView, error: Failure): NewSessionEvent[] {
  const last = turn.attempts.at(-1);
  if (!last || last.message || last.failed) return [];
  const partial = attemptText(last, 'text');
  if (partial === '') return [];
  const data = { attempt: last.attempt, error, partial_text: partial, retry_in_ms: null };
  return [{ turn_id: turn.turn_id, type: 'attempt_failed', data }];
}

function closedPauses(turn: TurnView): NewSessionEvent[] {
  return turn.pauses
    .filter((pause) => pause.started !== null && pause.ended === null)
    .map(({ pause_id }) => ({
      turn_id: turn.turn_id,
      type: 'pause_ended',
      data: { pause_id, outcome: 'stopped', by: 'turn_end' },
    }));
}

/**
 * The events that end a turn whose process is gone or that cannot go on: what began and did not end is unknown, the
 * rest never ran. `note` says why, in words for a person and the model.
 */
export function closeTurn(
  turn: TurnView,
  end: TurnEnd,
  note: string,
  times: TurnTimes = {},
): NewSessionEvent[] {
  const open = orderedRows(turn).filter((row) => row.finished === null);
  const began = open.filter((row) => row.started !== null).length;
  const events = open.flatMap((row) => closedRow(turn, row, note));
  const unknown = `${note} The outcome of ${began} call(s) that had begun is unknown. Check what happened before you go on.`;
  const error = began > 0 ? failure('outcome_unknown', unknown) : end.error;
  return [
    ...closedAttempts(turn, end.error ?? failure('cancelled', note)),
    ...closedPauses(turn),
    ...events,
    { turn_id: turn.turn_id, type: 'turn_finished', data: { outcome: end.outcome, error, ...times } },
  ];
}

const goneNote =
  'A guardrail kept the arguments out of every record, so they are gone since the app was closed. Nothing was run.';

/** A request that nobody can answer any more: its arguments were in memory alone (S1-85). */
function isGone(turn: TurnView, row: CallRow): boolean {
  return waitingApproval(row, turn)?.requested?.data.arguments === null;
}

function pendingOf(
  turn: TurnView,
): Map<string, { approval_id: string; arguments_digest: string; pin: string }> {
  const pending = new Map<string, { approval_id: string; arguments_digest: string; pin: string }>();
  for (const row of turn.rows.values()) {
    const waiting = waitingApproval(row, turn)?.requested?.data;
    if (!waiting || isGone(turn, row)) continue;
    const { approval_id, arguments_digest, pin } = waiting;
    pending.set(row.call_id, { approval_id, arguments_digest, pin });
  }
  return pending;
}

function suspend(turn: TurnView): SuspendedTurn | null {
  const { turn_id } = turn;
  const attempt = turn.attempts.at(-1)?.attempt ?? 0;
  const called = [...turn.rows.keys()];
  const pending = pendingOf(turn);
  if (pending.size === 0) {
    const pause = openPause(turn);
    return pause && { turn_id, attempt, response: null, pause_id: pause.pause_id, called };
  }
  const open = { turn_id, attempt, pause_id: null, called };
  if (turn.rerun) {
    const rerun = turn.rerun.data;
    return { ...open, response: { calls: [rerun.call], pending, rerun } };
  }
  const last = turn.attempts.findLast((one) => one.message !== null);
  if (!last?.message) return null;
  const calls = last.message.data.calls.filter(({ call_id }) => {
    const row = turn.rows.get(call_id);
    return !row || (!row.finished && !isGone(turn, row));
  });
  return { ...open, response: { calls, pending, rerun: null } };
}

/**
 * What a turn that the app left in the middle needs: nothing runs by itself. A turn that only waits for a person stays
 * answerable, but for requests whose arguments are gone; a turn in which something ran or streamed is ended, and a call that had begun is `outcome_unknown`. A turn
 * with a call of unknown outcome was over already, whatever waits beside it (S0-78).
 */
export function recover(turn: TurnView, times: TurnTimes): Recovery {
  const rows = [...turn.rows.values()];
  const running = rows.some((row) => row.started !== null && row.finished === null);
  const unknown = rows.some((row) => row.finished?.data.outcome === 'outcome_unknown');
  const suspended = running || unknown ? null : suspend(turn);
  const gone = rows.filter((row) => isGone(turn, row));
  if (suspended) return { events: gone.flatMap((row) => closedRow(turn, row, goneNote)), suspended };
  const note = unknown
    ? 'A tool broke off after it had begun, so its outcome is unknown, and the turn was stopped. Check what happened, then settle the call.'
    : gone.length > 0 && !running
      ? goneNote
      : 'The app was closed or ended while this turn ran.';
  const end: TurnEnd = unknown
    ? { outcome: 'failed', error: failure('outcome_unknown', note) }
    : { outcome: 'interrupted', error: failure('interrupted', note) };
  return { events: closeTurn(turn, end, note, times), suspended: null };
}
