import type { SessionEvent, SessionEventOf } from './events';
import type {
  ApprovalFact,
  AttemptView,
  CallRow,
  LiveText,
  PauseFact,
  Stated,
  TurnView,
} from './session-view';
import type { TextSaved } from './turn-data';

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A turn that is being written to. */
export type TurnDraft = Writable<TurnView> & { rows: Map<string, CallRow> };

/** A turn of which nothing is known yet. */
export function emptyTurn(turnId: string, seq: number): TurnDraft {
  return {
    turn_id: turnId,
    seq,
    submitted: null,
    retried: null,
    rerun: null,
    started: null,
    attempts: [],
    rows: new Map(),
    steered: [],
    compactions: [],
    pauses: [],
    definition_changes: [],
    context: null,
    compacting: null,
    finished: null,
    unrecorded: null,
  };
}

export function state<T>(event: SessionEvent, data: T): Stated<T> {
  return { seq: event.seq, at: event.at, data };
}

/** The earliest statement of a fact that happens once. */
export function earliest<T>(known: Stated<T> | null, next: Stated<T>): Stated<T> {
  return known && known.seq <= next.seq ? known : next;
}

/** The latest statement of a fact that may change. */
export function latest<T>(known: Stated<T> | null, next: Stated<T>): Stated<T> {
  return known && known.seq >= next.seq ? known : next;
}

function emptyRow(turnId: string, callId: string): CallRow {
  return {
    turn_id: turnId,
    call_id: callId,
    position: null,
    first_seq: null,
    proposed: null,
    approvals: [],
    started: null,
    finished: null,
    settled: null,
    observed: null,
    progress: [],
  };
}

export function updateRow(
  turn: { readonly turn_id: string; readonly rows: Map<string, CallRow> },
  callId: string,
  seq: number | null,
  change: (row: CallRow) => Partial<CallRow>,
): void {
  const row = turn.rows.get(callId) ?? emptyRow(turn.turn_id, callId);
  const first = seq === null ? row.first_seq : Math.min(seq, row.first_seq ?? seq);
  turn.rows.set(callId, { ...row, ...change(row), first_seq: first });
}

const noText: LiveText = { text: '', reasoning: '' };

export function updateAttempt(
  turn: TurnDraft,
  attempt: number,
  change: (a: AttemptView) => Partial<AttemptView>,
): void {
  const known = turn.attempts.find((a) => a.attempt === attempt);
  const before = known ?? {
    attempt,
    started: null,
    message: null,
    failed: null,
    saved: [],
    live: noText,
  };
  const others = turn.attempts.filter((a) => a.attempt !== attempt);
  turn.attempts = [...others, { ...before, ...change(before) }].sort((a, b) => a.attempt - b.attempt);
}

function updateApproval(
  row: CallRow,
  approvalId: string,
  change: (a: ApprovalFact) => Partial<ApprovalFact>,
): ApprovalFact[] {
  const before = row.approvals.find((a) => a.approval_id === approvalId) ?? {
    approval_id: approvalId,
    requested: null,
    resolved: null,
  };
  const place = (a: ApprovalFact): number => a.requested?.seq ?? a.resolved?.seq ?? 0;
  return [
    ...row.approvals.filter((a) => a.approval_id !== approvalId),
    { ...before, ...change(before) },
  ].sort((a, b) => place(a) - place(b));
}

function foldMessage(turn: TurnDraft, event: SessionEventOf<'assistant_message'>): void {
  const { data } = event;
  updateAttempt(turn, data.attempt, (a) => ({
    message: earliest(a.message, state(event, data)),
    saved: [],
    live: noText,
  }));
  data.calls.forEach((proposed, index) => {
    updateRow(turn, proposed.call_id, event.seq, (row) =>
      row.position && row.position.seq <= event.seq
        ? {}
        : { proposed, position: { seq: event.seq, index, attempt: data.attempt } },
    );
  });
}

function savedText(attempt: AttemptView, piece: TextSaved): readonly TextSaved[] {
  if (attempt.message || attempt.failed) return [];
  if (attempt.saved.some((s) => s.channel === piece.channel && s.offset === piece.offset))
    return attempt.saved;
  return [...attempt.saved, piece].sort((a, b) => a.offset - b.offset);
}

/** Whether the compaction before this attempt is over, as far as the events say. */
export function compactingIsOver(turn: TurnView, attempt: number): boolean {
  return (
    turn.finished !== null ||
    turn.compactions.some((compaction) => compaction.data.attempt >= attempt) ||
    turn.attempts.some((one) => one.started !== null && one.attempt >= attempt)
  );
}

function endCompacting(turn: TurnDraft): void {
  if (turn.compacting && compactingIsOver(turn, turn.compacting.attempt)) turn.compacting = null;
}

/** Adds a fact that may happen several times in a turn, once each, in order. */
function withFact<T>(known: readonly Stated<T>[], next: Stated<T>): readonly Stated<T>[] {
  if (known.some((fact) => fact.seq === next.seq)) return known;
  return [...known, next].sort((a, b) => a.seq - b.seq);
}

function withPause(
  known: readonly PauseFact[],
  pauseId: string,
  change: (p: PauseFact) => Partial<PauseFact>,
): readonly PauseFact[] {
  const before = known.find((p) => p.pause_id === pauseId) ?? {
    pause_id: pauseId,
    started: null,
    ended: null,
  };
  const place = (p: PauseFact): number => p.started?.seq ?? p.ended?.seq ?? 0;
  return [...known.filter((p) => p.pause_id !== pauseId), { ...before, ...change(before) }].sort(
    (a, b) => place(a) - place(b),
  );
}

/** Facts of a turn beside its attempts and calls. */
function foldTurnFact(turn: TurnDraft, event: SessionEvent): void {
  switch (event.type) {
    case 'attempt_started':
      updateAttempt(turn, event.data.attempt, (a) => ({
        started: earliest(a.started, state(event, event.data)),
      }));
      endCompacting(turn);
      return;
    case 'turn_retried':
      turn.retried = earliest(turn.retried, state(event, event.data));
      return;
    case 'call_rerun': {
      turn.rerun = earliest(turn.rerun, state(event, event.data));
      const { call } = event.data;
      updateRow(turn, call.call_id, event.seq, () => ({
        proposed: call,
        position: { seq: event.seq, index: 0, attempt: 0 },
      }));
      return;
    }
    case 'message_steered':
      turn.steered = withFact(turn.steered, state(event, event.data));
      return;
    case 'context_compacted':
      turn.compactions = withFact(turn.compactions, state(event, event.data));
      endCompacting(turn);
      return;
    case 'definition_changed':
      turn.definition_changes = withFact(turn.definition_changes, state(event, event.data));
      return;
    case 'pause_started':
      turn.pauses = withPause(turn.pauses, event.data.pause_id, (p) => ({
        started: earliest(p.started, state(event, event.data)),
      }));
      return;
    case 'pause_ended':
      turn.pauses = withPause(turn.pauses, event.data.pause_id, (p) => ({
        ended: earliest(p.ended, state(event, event.data)),
      }));
      return;
    default:
      return;
  }
}

export function foldTurnEvent(turn: TurnDraft, event: SessionEvent): void {
  switch (event.type) {
    case 'message_submitted':
      turn.submitted = earliest(turn.submitted, state(event, event.data));
      return;
    case 'turn_started':
      turn.started = latest(turn.started, state(event, event.data));
      return;
    case 'turn_finished':
      turn.finished = earliest(turn.finished, state(event, event.data));
      endCompacting(turn);
      return;
    case 'attempt_failed':
      updateAttempt(turn, event.data.attempt, (a) => ({
        failed: earliest(a.failed, state(event, event.data)),
        saved: [],
        live: noText,
      }));
      return;
    case 'text_saved':
      updateAttempt(turn, event.data.attempt, (a) => ({ saved: savedText(a, event.data) }));
      return;
    case 'assistant_message':
      foldMessage(turn, event);
      return;
    case 'approval_requested':
      updateRow(turn, event.data.call_id, event.seq, (row) => ({
        approvals: updateApproval(row, event.data.approval_id, (a) => ({
          requested: earliest(a.requested, state(event, event.data)),
        })),
      }));
      return;
    case 'approval_resolved':
      updateRow(turn, event.data.call_id, event.seq, (row) => ({
        approvals: updateApproval(row, event.data.approval_id, (a) => ({
          resolved: earliest(a.resolved, state(event, event.data)),
        })),
      }));
      return;
    case 'tool_started':
      updateRow(turn, event.data.call_id, event.seq, (row) => ({
        started: earliest(row.started, state(event, event.data)),
      }));
      return;
    case 'tool_finished':
      updateRow(turn, event.data.call_id, event.seq, (row) => ({
        finished: earliest(row.finished, state(event, event.data)),
      }));
      return;
    case 'call_settled':
      updateRow(turn, event.data.call_id, event.seq, (row) => ({
        settled: latest(row.settled, state(event, event.data)),
      }));
      return;
    default:
      foldTurnFact(turn, event);
  }
}
