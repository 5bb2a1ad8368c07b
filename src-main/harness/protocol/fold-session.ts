import type { ProgressEntry } from './call-data';
import type { SessionEvent, Signal } from './events';
import {
  compactingIsOver,
  earliest,
  emptyTurn,
  foldTurnEvent,
  latest,
  state,
  updateAttempt,
  updateRow,
  type TurnDraft,
  type Writable,
} from './fold-turn';
import type { QueueFact, SessionView } from './session-view';

/** A copy that is made once per batch, turn by turn, and written to until the batch is done. */
interface Draft {
  readonly view: Writable<SessionView>;
  turn(turnId: string, seq: number): TurnDraft;
}

function openDraft(view: SessionView): Draft {
  const draft: Writable<SessionView> = { ...view };
  const turns = new Map(view.turns);
  draft.turns = turns;
  const owned = new Map<string, TurnDraft>();
  return {
    view: draft,
    turn(turnId, seq) {
      let turn = owned.get(turnId);
      if (!turn) {
        const known = turns.get(turnId);
        turn = known ? { ...known, rows: new Map(known.rows) } : emptyTurn(turnId, seq);
        owned.set(turnId, turn);
        turns.set(turnId, turn);
      }
      if (seq < turn.seq) turn.seq = seq;
      return turn;
    },
  };
}

/** The newest turn is looked at until the person selects another. */
function foldHead(view: Writable<SessionView>, event: SessionEvent): void {
  switch (event.type) {
    case 'message_submitted':
    case 'turn_retried':
    case 'call_rerun':
      if (event.turn_id !== null) view.head = latest(view.head, state(event, event.turn_id));
      return;
    case 'branch_selected':
      view.head = latest(view.head, state(event, event.data.turn_id));
      return;
    default:
      return;
  }
}

function updateQueue(
  view: Writable<SessionView>,
  queuedId: string,
  change: (fact: QueueFact) => Partial<QueueFact>,
): void {
  const before = view.queue.get(queuedId) ?? { queued: null, gone: false, sent_seq: null };
  view.queue = new Map(view.queue).set(queuedId, { ...before, ...change(before) });
}

function foldQueue(view: Writable<SessionView>, event: SessionEvent): void {
  switch (event.type) {
    case 'message_queued':
      updateQueue(view, event.data.queued_id, (fact) => ({
        queued: earliest(fact.queued, state(event, event.data)),
      }));
      return;
    case 'message_unqueued':
    case 'message_steered':
      updateQueue(view, event.data.queued_id, () => ({ gone: true }));
      return;
    case 'message_submitted':
      if (event.data.queued_id !== undefined) {
        updateQueue(view, event.data.queued_id, () => ({ gone: true, sent_seq: event.seq }));
      }
      return;
    default:
      return;
  }
}

function foldEvent(draft: Draft, event: SessionEvent): void {
  const { view } = draft;
  if (event.seq > view.last_seq) view.last_seq = event.seq;
  foldHead(view, event);
  foldQueue(view, event);
  switch (event.type) {
    case 'session_created': {
      const { data } = event;
      view.created_at = event.at;
      view.coworker = data.coworker;
      view.workspace = data.workspace;
      view.continues = data.continues ?? null;
      view.identity = data.identity ?? null;
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
    case 'session_effort_changed':
      view.effort = latest(view.effort, state(event, event.data.effort));
      return;
    case 'session_limits_changed':
      view.limits = latest(view.limits, state(event, event.data.limits));
      return;
    case 'grant_made':
      if (!view.grants.some((grant) => grant.data.grant_id === event.data.grant_id)) {
        view.grants = [...view.grants, state(event, event.data)].sort((a, b) => a.seq - b.seq);
      }
      return;
    case 'grant_ended': {
      const before = view.grants_ended.get(event.data.grant_id) ?? null;
      view.grants_ended = new Map(view.grants_ended).set(
        event.data.grant_id,
        earliest(before, state(event, event.data)),
      );
      return;
    }
    default:
      if (event.turn_id !== null) foldTurnEvent(draft.turn(event.turn_id, event.seq), event);
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
      updateAttempt(turn, signal.attempt, (a) =>
        a.message || a.failed
          ? {}
          : {
              live: {
                ...a.live,
                [signal.channel]: appendDelta(a.live[signal.channel], signal.offset, signal.text),
              },
            },
      );
      return;
    case 'call_progress':
      updateRow(turn, signal.call_id, null, (row) => ({
        progress: insertProgress(row.progress, signal.entry),
      }));
      return;
    case 'model_context':
      if (turn.context === null || signal.attempt >= turn.context.attempt) {
        const { attempt, facts, bytes } = signal;
        turn.context = { attempt, facts, bytes };
      }
      return;
    case 'compacting': {
      const { attempt } = signal;
      if (compactingIsOver(turn, attempt)) return;
      if (turn.compacting === null || attempt >= turn.compacting.attempt) turn.compacting = { attempt };
      return;
    }
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
