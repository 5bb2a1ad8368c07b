import type { ProgressEntry, SessionEvent, SessionEventOf, Signal } from './events';
import type { ApprovalFact, AttemptView, CallRow, SessionView, Stated, TurnView } from './session-view';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A copy that is made once per batch, turn by turn, and written to until the batch is done. */
interface Draft {
  readonly view: Writable<SessionView>;
  turn(turnId: string, seq: number): Writable<TurnView> & { rows: Map<string, CallRow> };
}

function openDraft(view: SessionView): Draft {
  const draft: Writable<SessionView> = { ...view };
  const turns = new Map(view.turns);
  draft.turns = turns;
  const owned = new Map<string, Writable<TurnView> & { rows: Map<string, CallRow> }>();
  return {
    view: draft,
    turn(turnId, seq) {
      let turn = owned.get(turnId);
      if (!turn) {
        const known = turns.get(turnId);
        turn = known
          ? { ...known, rows: new Map(known.rows) }
          : {
              turn_id: turnId,
              seq,
              submitted: null,
              started: null,
              attempts: [],
              rows: new Map(),
              finished: null,
              unrecorded: null,
            };
        owned.set(turnId, turn);
        turns.set(turnId, turn);
      }
      if (seq < turn.seq) turn.seq = seq;
      return turn;
    },
  };
}

function state<T>(event: SessionEvent, data: T): Stated<T> {
  return { seq: event.seq, at: event.at, data };
}

/** The earliest statement of a fact that happens once. */
function earliest<T>(known: Stated<T> | null, next: Stated<T>): Stated<T> {
  return known && known.seq <= next.seq ? known : next;
}

/** The latest statement of a fact that may change. */
function latest<T>(known: Stated<T> | null, next: Stated<T>): Stated<T> {
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
    observed: null,
    progress: [],
  };
}

function updateRow(
  turn: { readonly turn_id: string; readonly rows: Map<string, CallRow> },
  callId: string,
  seq: number | null,
  change: (row: CallRow) => Partial<CallRow>,
): void {
  const row = turn.rows.get(callId) ?? emptyRow(turn.turn_id, callId);
  const first = seq === null ? row.first_seq : Math.min(seq, row.first_seq ?? seq);
  turn.rows.set(callId, { ...row, ...change(row), first_seq: first });
}

function updateAttempt(
  turn: Writable<TurnView>,
  attempt: number,
  change: (a: AttemptView) => Partial<AttemptView>,
): void {
  const known = turn.attempts.find((a) => a.attempt === attempt);
  const before = known ?? {
    attempt,
    started: null,
    message: null,
    failed: null,
    live: { text: '', reasoning: '' },
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

function foldMessage(draft: Draft, event: SessionEventOf<'assistant_message'>): void {
  const { data } = event;
  const turn = draft.turn(event.turn_id ?? '', event.seq);
  updateAttempt(turn, data.attempt, (a) => ({ message: earliest(a.message, state(event, data)) }));
  data.calls.forEach((proposed, index) => {
    updateRow(turn, proposed.call_id, event.seq, (row) =>
      row.position && row.position.seq <= event.seq
        ? {}
        : { proposed, position: { seq: event.seq, index, attempt: data.attempt } },
    );
  });
}

function foldTurnEvent(draft: Draft, event: SessionEvent): void {
  const turn = draft.turn(event.turn_id ?? '', event.seq);
  switch (event.type) {
    case 'message_submitted':
      turn.submitted = earliest(turn.submitted, state(event, event.data));
      return;
    case 'turn_started':
      turn.started = latest(turn.started, state(event, event.data));
      return;
    case 'turn_finished':
      turn.finished = earliest(turn.finished, state(event, event.data));
      return;
    case 'attempt_started':
      updateAttempt(turn, event.data.attempt, (a) => ({
        started: earliest(a.started, state(event, event.data)),
      }));
      return;
    case 'attempt_failed':
      updateAttempt(turn, event.data.attempt, (a) => ({
        failed: earliest(a.failed, state(event, event.data)),
      }));
      return;
    case 'assistant_message':
      foldMessage(draft, event);
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
    default:
      return;
  }
}

function foldEvent(draft: Draft, event: SessionEvent): void {
  const { view } = draft;
  if (event.seq > view.last_seq) view.last_seq = event.seq;
  switch (event.type) {
    case 'session_created': {
      const { data } = event;
      view.created_at = event.at;
      view.coworker = data.coworker;
      view.workspace = data.workspace;
      view.title = latest(view.title, state(event, data.title));
      view.model = latest(view.model, state(event, data.model));
      view.mode = latest(view.mode, state(event, data.mode));
      return;
    }
    case 'session_renamed':
      view.title = latest(view.title, state(event, event.data.title));
      return;
    case 'session_archived':
      view.archived = latest(view.archived, state(event, event.data.archived));
      return;
    case 'session_model_changed':
      view.model = latest(view.model, state(event, event.data.model));
      return;
    case 'session_mode_changed':
      view.mode = latest(view.mode, state(event, event.data.mode));
      return;
    case 'grant_made':
      if (!view.grants.some((grant) => grant.data.grant_id === event.data.grant_id)) {
        view.grants = [...view.grants, state(event, event.data)].sort((a, b) => a.seq - b.seq);
      }
      return;
    default:
      foldTurnEvent(draft, event);
  }
}

function insertProgress(known: readonly ProgressEntry[], entry: ProgressEntry): readonly ProgressEntry[] {
  if (known.some((e) => e.index === entry.index)) return known;
  return [...known, entry].sort((a, b) => a.index - b.index);
}

function appendDelta(before: string, offset: number, text: string): string {
  if (offset === before.length) return before + text;
  if (offset > before.length) return before;
  return offset + text.length <= before.length ? before : before.slice(0, offset) + text;
}

function foldSignal(draft: Draft, signal: Signal): void {
  const turn = draft.turn(signal.turn_id, Number.MAX_SAFE_INTEGER);
  switch (signal.type) {
    case 'text_delta':
      updateAttempt(turn, signal.attempt, (a) => ({
        live: {
          ...a.live,
          [signal.channel]: appendDelta(a.live[signal.channel], signal.offset, signal.text),
        },
      }));
      return;
    case 'call_progress':
      updateRow(turn, signal.call_id, null, (row) => ({
        progress: insertProgress(row.progress, signal.entry),
      }));
      return;
    case 'turn_unrecorded':
      turn.unrecorded = turn.unrecorded ?? signal.error;
      return;
    case 'call_observed':
      updateRow(turn, signal.call_id, null, (row) => ({
        observed: row.observed ?? { qualified_name: signal.qualified_name, model_alias: signal.model_alias },
      }));
  }
}

export type FoldItem =
  | { readonly kind: 'event'; readonly event: SessionEvent }
  | { readonly kind: 'signal'; readonly signal: Signal };

/**
 * The one reducer: folds committed events and passing signals of one session into its view, in main, window and SDK
 * alike. Pure; the given view is not changed and unchanged turns are shared. Any interleaving, repetition, or loss
 * followed by a replay of the events gives the same rows (S1-50..S1-54). Cost per batch: the turns that it touches.
 */
export function foldSession(view: SessionView, items: readonly FoldItem[]): SessionView {
  if (items.length === 0) return view;
  const draft = openDraft(view);
  for (const item of items) {
    if (item.kind === 'event') foldEvent(draft, item.event);
    else foldSignal(draft, item.signal);
  }
  return draft.view;
}

export function foldSessionEvents(view: SessionView, events: readonly SessionEvent[]): SessionView {
  return foldSession(
    view,
    events.map((event) => ({ kind: 'event', event }) as const),
  );
}
