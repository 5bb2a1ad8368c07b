import type {
  ApprovalRequested,
  ApprovalResolved,
  AssistantMessage,
  AttemptFailed,
  AttemptStarted,
  CoworkerFacts,
  GrantMade,
  MessageSubmitted,
  ProgressEntry,
  ProposedCall,
  ToolFinished,
  ToolStarted,
  TurnFinished,
  TurnStarted,
} from './events';
import type { Failure } from './failure';
import type { JsonObject } from './json';
import type { Mode, ModelChoice, Outcome } from './vocabulary';

/** A fact with the event that stated it: the lowest `seq` of one kind wins, so the order of arrival is of no matter. */
export interface Stated<T> {
  readonly seq: number;
  readonly at: string;
  readonly data: T;
}

/** One approval of a call; `resolved` may be known first. */
export interface ApprovalFact {
  readonly approval_id: string;
  readonly requested: Stated<ApprovalRequested> | null;
  readonly resolved: Stated<ApprovalResolved> | null;
}

/** Everything that is known of one call (key: session, turn and call id; S1-51). What it *is* derives from these facts. */
export interface CallRow {
  readonly turn_id: string;
  readonly call_id: string;
  /** Place of the call in the response that proposed it; null until that is known. */
  readonly position: { readonly seq: number; readonly index: number; readonly attempt: number } | null;
  /** Lowest sequence number of an event about the call; null while only signals spoke of it. */
  readonly first_seq: number | null;
  readonly proposed: ProposedCall | null;
  readonly approvals: readonly ApprovalFact[];
  readonly started: Stated<ToolStarted> | null;
  readonly finished: Stated<ToolFinished> | null;
  readonly observed: { readonly qualified_name: string; readonly model_alias: string } | null;
  /** Live progress by index; the finished event's log replaces it. */
  readonly progress: readonly ProgressEntry[];
}

export interface LiveText {
  readonly text: string;
  readonly reasoning: string;
}

export interface AttemptView {
  readonly attempt: number;
  readonly started: Stated<AttemptStarted> | null;
  readonly message: Stated<AssistantMessage> | null;
  readonly failed: Stated<AttemptFailed> | null;
  /** What has streamed; meaningless once `message` or `failed` is there. */
  readonly live: LiveText;
}

export interface TurnView {
  readonly turn_id: string;
  /** Lowest sequence number seen: the turn's place in the session. */
  readonly seq: number;
  readonly submitted: Stated<MessageSubmitted> | null;
  readonly started: Stated<TurnStarted> | null;
  readonly attempts: readonly AttemptView[];
  readonly rows: ReadonlyMap<string, CallRow>;
  readonly finished: Stated<TurnFinished> | null;
  /** Why the turn is over although no event could say so; superseded by `finished`. */
  readonly unrecorded: Failure | null;
}

/** How a turn ended, or null while it goes on. */
export function turnEnd(turn: TurnView): TurnFinished | null {
  if (turn.finished) return turn.finished.data;
  return turn.unrecorded ? { outcome: 'failed', error: turn.unrecorded } : null;
}

export interface SessionView {
  readonly session_id: string;
  /** Highest sequence number folded so far; 0 for an empty view. */
  readonly last_seq: number;
  readonly created_at: string | null;
  readonly coworker: CoworkerFacts | null;
  readonly workspace: string | null;
  readonly title: Stated<string> | null;
  readonly archived: Stated<boolean> | null;
  readonly model: Stated<ModelChoice> | null;
  readonly mode: Stated<Mode> | null;
  readonly turns: ReadonlyMap<string, TurnView>;
  readonly grants: readonly Stated<GrantMade>[];
}

export function emptySessionView(sessionId: string): SessionView {
  return {
    session_id: sessionId,
    last_seq: 0,
    created_at: null,
    coworker: null,
    workspace: null,
    title: null,
    archived: null,
    model: null,
    mode: null,
    turns: new Map(),
    grants: [],
  };
}

/** Turns in the order in which they began. */
export function orderedTurns(view: SessionView): TurnView[] {
  return [...view.turns.values()].sort((a, b) => a.seq - b.seq || (a.turn_id < b.turn_id ? -1 : 1));
}

/** Rows in the order of the model's proposals; rows known only from signals stand last. */
export function orderedRows(turn: TurnView): CallRow[] {
  const last = Number.MAX_SAFE_INTEGER;
  const place = (row: CallRow): number => row.position?.seq ?? row.first_seq ?? last;
  return [...turn.rows.values()].sort(
    (a, b) =>
      place(a) - place(b) ||
      (a.position?.index ?? last) - (b.position?.index ?? last) ||
      (a.call_id < b.call_id ? -1 : 1),
  );
}

/** The rows that one response proposed, in its order. */
export function rowsOfAttempt(turn: TurnView, attempt: number): CallRow[] {
  return orderedRows(turn).filter((row) => row.position?.attempt === attempt);
}

export type RowState = 'proposed' | 'waiting' | 'running' | Outcome;

/** The approval that waits for a person, if one does. */
export function waitingApproval(row: CallRow, turn: TurnView): ApprovalFact | null {
  if (turnEnd(turn) || row.finished || row.started) return null;
  return row.approvals.find((approval) => approval.requested !== null && approval.resolved === null) ?? null;
}

/**
 * The state of a row. It never says `running` or `waiting` once its turn has ended (a row never spins for ever), and a
 * late start never takes a finished row back (S1-53, C11).
 */
export function rowState(row: CallRow, turn: TurnView): RowState {
  if (row.finished) return row.finished.data.outcome;
  if (turnEnd(turn)) return row.started || row.observed ? 'outcome_unknown' : 'cancelled';
  if (row.started || row.observed) return 'running';
  return waitingApproval(row, turn) ? 'waiting' : 'proposed';
}

/** Arguments of a row: `absent` from an older host, `withheld` by a guardrail, or the value (S1-60, S1-85, C1). */
export type ArgumentsFact =
  | { readonly type: 'absent' }
  | { readonly type: 'withheld' }
  | { readonly type: 'malformed'; readonly text: string }
  | { readonly type: 'value'; readonly value: JsonObject };

function argumentsFact(value: JsonObject | null | undefined): ArgumentsFact {
  if (value === undefined) return { type: 'absent' };
  return value === null ? { type: 'withheld' } : { type: 'value', value };
}

/** Released arguments where they are known, else the proposed ones. */
export function rowArguments(row: CallRow): ArgumentsFact {
  if (row.started) return argumentsFact(row.started.data.arguments);
  const requested = row.approvals.at(-1)?.requested;
  if (requested) return argumentsFact(requested.data.arguments);
  if (!row.proposed) return { type: 'absent' };
  if (row.proposed.arguments === null) return { type: 'malformed', text: row.proposed.arguments_text ?? '' };
  return { type: 'value', value: row.proposed.arguments };
}

/** The registered name, or the model's alias where the name resolves to nothing (S1-79, S1-82). */
export function rowName(row: CallRow): string {
  const named = row.finished?.data ?? row.started?.data ?? row.approvals.at(-1)?.requested?.data;
  return (
    named?.qualified_name ??
    row.proposed?.qualified_name ??
    row.observed?.qualified_name ??
    named?.model_alias ??
    row.proposed?.name ??
    row.call_id
  );
}

export function rowProgress(row: CallRow): readonly ProgressEntry[] {
  return row.finished ? row.finished.data.progress : row.progress;
}

export interface PendingApproval {
  readonly turn_id: string;
  readonly row: CallRow;
  readonly approval_id: string;
  readonly request: Stated<ApprovalRequested>;
}

/** Requests that wait for a person, oldest first. */
export function pendingApprovals(view: SessionView): PendingApproval[] {
  const pending: PendingApproval[] = [];
  for (const turn of view.turns.values()) {
    if (turnEnd(turn)) continue;
    for (const row of turn.rows.values()) {
      const waiting = waitingApproval(row, turn);
      if (waiting?.requested) {
        pending.push({
          turn_id: turn.turn_id,
          row,
          approval_id: waiting.approval_id,
          request: waiting.requested,
        });
      }
    }
  }
  return pending.sort((a, b) => a.request.seq - b.request.seq);
}

/** The turn that has begun and not ended, if there is one. */
export function openTurn(view: SessionView): TurnView | null {
  const turns = orderedTurns(view);
  return turns.findLast((turn) => turnEnd(turn) === null) ?? null;
}
