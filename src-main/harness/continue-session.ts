import type { Journal } from './journal';
import {
  activeTurns,
  emptySessionView,
  fail,
  foldSessionEvents,
  isKeyEvent,
  ok,
  type NewSessionEvent,
  type Result,
  type SessionCreated,
  type SessionEvent,
  type SessionView,
} from './protocol';

type Carried = NewSessionEvent & { readonly at: string };

/** What stays behind: permissions are given to what runs here, and what passes is not history. */
const left: ReadonlySet<SessionEvent['type']> = new Set(['grant_made', 'text_saved']);

/** Sequence numbers inside an event point into the new stream. */
function renumbered(event: SessionEvent, seqs: ReadonlyMap<number, number>): NewSessionEvent {
  const { turn_id, type, data } = event;
  if (type === 'message_submitted') {
    // The branches beside it stay behind.
    const { branch: _, ...message } = data;
    return { turn_id, type, data: message };
  }
  if (type !== 'context_compacted') return { turn_id, type, data } as NewSessionEvent;
  const at = (seq: number): number => {
    let best = 0;
    for (const [before, after] of seqs) if (before <= seq && after > best) best = after;
    return best;
  };
  const { summarised_to_seq: summarised, shortened_to_seq: shortened } = data;
  return {
    turn_id,
    type,
    data: { ...data, summarised_to_seq: at(summarised), shortened_to_seq: at(shortened) },
  };
}

function readAll(journal: Journal, sessionId: string): Result<readonly SessionEvent[]> {
  const all: SessionEvent[] = [];
  for (;;) {
    const page = journal.read(sessionId, all.at(-1)?.seq ?? 0, 2_000);
    if (!page.ok) return page;
    for (const event of page.value) all.push(event);
    if (page.value.length < 2_000) return ok(all);
  }
}

/** Settings of the conversation that go along; Bypass does not: it is chosen anew for what runs now. */
function settingsOf(view: SessionView): NewSessionEvent[] {
  const events: NewSessionEvent[] = [];
  const { effort, limits } = view;
  if (effort?.data) {
    events.push({ turn_id: null, type: 'session_effort_changed', data: { effort: effort.data } });
  }
  if (limits) {
    events.push({ turn_id: null, type: 'session_limits_changed', data: { limits: limits.data } });
  }
  return events;
}

function copyAttachments(
  journal: Journal,
  from: string,
  events: readonly SessionEvent[],
): { digest: string; media_type: string; bytes: Uint8Array }[] {
  const digests = new Set(
    events.flatMap((event) =>
      event.type === 'message_submitted' || event.type === 'message_steered'
        ? event.data.attachments.map((file) => file.digest)
        : [],
    ),
  );
  return [...digests].flatMap((digest) => {
    const file = journal.readAttachment(from, digest);
    return file.ok ? [file.value] : [];
  });
}

/**
 * Begins a session with the visible history of another: the branch that is looked at, with its times; no grant, no
 * queued message, no waiting request (S0-58). `created` is the new session's own beginning.
 */
export function carryOver(
  journal: Journal,
  from: string,
  to: string,
  created: (view: SessionView) => Result<SessionCreated>,
): Result<null> {
  const all = readAll(journal, from);
  if (!all.ok) return all;
  if (all.value.length === 0) {
    return fail('not_found', `There is no session ${from}. It may have been deleted.`);
  }
  const view = foldSessionEvents(emptySessionView(from), all.value.filter(isKeyEvent));
  const beginning = created(view);
  if (!beginning.ok) return beginning;
  const path = new Set(activeTurns(view).map((turn) => turn.turn_id));
  const visible = all.value.filter(
    ({ turn_id, type }) => turn_id !== null && path.has(turn_id) && !left.has(type),
  );
  const head: NewSessionEvent[] = [
    { turn_id: null, type: 'session_created', data: beginning.value },
    ...settingsOf(view),
  ];
  const seqs = new Map(visible.map((event, index) => [event.seq, head.length + index + 1]));
  const carried = visible.map((event): Carried => ({ ...renumbered(event, seqs), at: event.at }));
  const appended = journal.append(to, [...head, ...carried], copyAttachments(journal, from, visible));
  return appended.ok ? ok(null) : appended;
}
