import type {
  ApprovalRequested,
  ApprovalResolved,
  CallSettled,
  DefinitionChanged,
  ProgressEntry,
  ToolFinished,
  ToolStarted,
} from './call-data';
import type { CoworkerFacts, ModelContextFact, SessionCreated } from './events';
import type { ExecutionIdentity } from './execution-identity';
import type { Failure } from './failure';
import type { GrantEnded, GrantMade } from './grants';
import type { JsonObject } from './json';
import type {
  AssistantMessage,
  AttemptFailed,
  AttemptStarted,
  CallRerun,
  ContextCompacted,
  MessageQueued,
  MessageSteered,
  MessageSubmitted,
  PauseEnded,
  PauseStarted,
  ProposedCall,
  SessionLimits,
  TextSaved,
  TurnFinished,
  TurnRetried,
  TurnStarted,
} from './turn-data';
import type { Effort, Mode, ModelChoice, Outcome } from './vocabulary';

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

/** One pause of a turn at a limit; `ended` may be known first. */
export interface PauseFact {
  readonly pause_id: string;
  readonly started: Stated<PauseStarted> | null;
  readonly ended: Stated<PauseEnded> | null;
}

/** A queued message; it waits while `queued` is there and it neither went nor was taken back. */
export interface QueueFact {
  readonly queued: Stated<MessageQueued> | null;
  readonly gone: boolean;
  /** Sequence number of the message that it became; null where it did not become a turn of its own. */
  readonly sent_seq: number | null;
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
  /** A person's latest word on an unknown outcome. */
  readonly settled: Stated<CallSettled> | null;
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
  /** What was kept of the text while it streamed, by channel and offset; empty once `message` or `failed` is there. */
  readonly saved: readonly TextSaved[];
  /** What has streamed; meaningless once `message` or `failed` is there. */
  readonly live: LiveText;
}

export interface TurnView {
  readonly turn_id: string;
  /** Lowest sequence number seen: the turn's place in the session. */
  readonly seq: number;
  /** What opened the turn is one of these three. */
  readonly submitted: Stated<MessageSubmitted> | null;
  readonly retried: Stated<TurnRetried> | null;
  readonly rerun: Stated<CallRerun> | null;
  readonly started: Stated<TurnStarted> | null;
  readonly attempts: readonly AttemptView[];
  readonly rows: ReadonlyMap<string, CallRow>;
  readonly steered: readonly Stated<MessageSteered>[];
  readonly compactions: readonly Stated<ContextCompacted>[];
  readonly pauses: readonly PauseFact[];
  readonly definition_changes: readonly Stated<DefinitionChanged>[];
  /** Live facts of the tools in the latest attempt; passing, recorded nowhere (S0-10). */
  readonly context: {
    readonly attempt: number;
    readonly facts: readonly ModelContextFact[];
    readonly bytes: number;
  } | null;
  /** The attempt before which the older part of the context is being summarised right now, or null. */
  readonly compacting: { readonly attempt: number } | null;
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
  readonly effort: Stated<Effort | null> | null;
  readonly limits: Stated<SessionLimits> | null;
  readonly identity: ExecutionIdentity | null;
  readonly continues: SessionCreated['continues'] | null;
  /** The turn at the end of the branch that is looked at; the newest, or the one that the person selected. */
  readonly head: Stated<string> | null;
  readonly queue: ReadonlyMap<string, QueueFact>;
  readonly turns: ReadonlyMap<string, TurnView>;
  /** Grants of this session, in their order; those that have ended too. */
  readonly grants: readonly Stated<GrantMade>[];
  /** How a grant of this session ended, by its id. */
  readonly grants_ended: ReadonlyMap<string, Stated<GrantEnded>>;
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
    effort: null,
    limits: null,
    identity: null,
    continues: null,
    head: null,
    queue: new Map(),
    turns: new Map(),
    grants: [],
    grants_ended: new Map(),
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
  if (row.proposed.withheld_digest !== undefined) return { type: 'withheld' };
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

/** The pause that waits for the person's word, if the turn stands at a limit. */
export function openPause(turn: TurnView): PauseFact | null {
  if (turnEnd(turn)) return null;
  return turn.pauses.find((pause) => pause.started !== null && pause.ended === null) ?? null;
}

/** Messages that wait to be sent, oldest first. */
export function queuedMessages(view: SessionView): readonly Stated<MessageQueued>[] {
  return [...view.queue.values()]
    .flatMap((fact) => (fact.queued && !fact.gone ? [fact.queued] : []))
    .sort((a, b) => a.seq - b.seq);
}

/**
 * Queued messages that go on only when a person sends them: a turn broke off after they were queued, and none of those
 * that waited then has been sent since.
 */
export function heldMessages(view: SessionView): readonly Stated<MessageQueued>[] {
  const waiting = queuedMessages(view);
  if (waiting.length === 0) return waiting;
  let broken = 0;
  for (const { finished } of view.turns.values()) {
    if (finished && finished.data.outcome !== 'completed') broken = Math.max(broken, finished.seq);
  }
  const released = [...view.queue.values()].some(
    ({ queued, sent_seq }) => queued !== null && queued.seq < broken && (sent_seq ?? 0) > broken,
  );
  return released ? [] : waiting.filter(({ seq }) => seq < broken);
}

/** The text of an attempt as far as it is known: recorded, kept while it streamed, or live. */
export function attemptText(attempt: AttemptView, channel: 'text' | 'reasoning'): string {
  if (attempt.message) return attempt.message.data[channel];
  if (attempt.failed) return channel === 'text' ? attempt.failed.data.partial_text : '';
  let saved = '';
  for (const piece of attempt.saved) {
    if (piece.channel === channel && piece.offset <= saved.length) {
      saved = saved.slice(0, piece.offset) + piece.text;
    }
  }
  return attempt.live[channel].length > saved.length ? attempt.live[channel] : saved;
}
