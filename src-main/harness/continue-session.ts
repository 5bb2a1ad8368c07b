import { setImmediate as nextTurnOfLoop } from 'node:timers/promises';
import type { Attachment, HiddenStream, Journal } from './journal';
import {
  activeTurns,
  emptySessionView,
  fail,
  foldSessionEvents,
  ok,
  type NewSessionEvent,
  type Result,
  type SessionCreated,
  type SessionEvent,
  type SessionView,
} from './protocol';

type Carried = NewSessionEvent & { readonly at: string };

/** What stays behind: permissions are given to what runs here, and what passes is not history. */
const left: ReadonlySet<SessionEvent['type']> = new Set(['grant_made', 'grant_ended', 'text_saved']);

/** Where the events that went along stand in the new stream: their former numbers, in order. */
interface Numbering {
  /** Events of the new stream before the first of them. */
  readonly head: number;
  readonly former: readonly number[];
}

/** The new number of the last event that went along and was no later than `seq`; 0 where there is none. */
function renumber({ head, former }: Numbering, seq: number): number {
  let [from, to] = [0, former.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((former[middle] ?? 0) <= seq) from = middle + 1;
    else to = middle;
  }
  return from === 0 ? 0 : head + from;
}

/** Sequence numbers inside an event point into the new stream. */
function renumbered(event: SessionEvent, numbering: Numbering): NewSessionEvent {
  const { turn_id, type, data } = event;
  if (type === 'message_submitted') {
    // The branches beside it stay behind.
    const { branch: _, ...message } = data;
    return { turn_id, type, data: message };
  }
  if (type !== 'context_compacted') return { turn_id, type, data } as NewSessionEvent;
  const { summarised_to_seq: summarised, shortened_to_seq: shortened } = data;
  return {
    turn_id,
    type,
    data: {
      ...data,
      summarised_to_seq: renumber(numbering, summarised),
      shortened_to_seq: renumber(numbering, shortened),
    },
  };
}

/** Events that are read or written in one go, so that other sessions go on between two. */
const pageEvents = 200;

/** What is read, up to `last`, page by page, with a turn of the event loop behind each. */
async function* pagesTo(
  last: number,
  read: (after: number) => Result<readonly SessionEvent[]>,
): AsyncGenerator<Result<readonly SessionEvent[]>> {
  for (let after = 0; after < last;) {
    const page = read(after);
    if (page.ok && page.value.length === 0) return;
    yield page.ok ? ok(page.value.filter((event) => event.seq <= last)) : page;
    if (!page.ok) return;
    after = page.value.at(-1)?.seq ?? last;
    await nextTurnOfLoop();
  }
}

async function viewUpTo(journal: Journal, from: string, last: number): Promise<Result<SessionView>> {
  let view = emptySessionView(from);
  const keyEvents = (after: number): Result<readonly SessionEvent[]> =>
    journal.readKeyEvents(from, after, pageEvents);
  for await (const page of pagesTo(last, keyEvents)) {
    if (!page.ok) return page;
    view = foldSessionEvents(view, page.value);
  }
  return ok(view);
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

/** Attached files of the events that are not in `copied` yet; they are then. */
function attachmentsOf(
  journal: Journal,
  from: string,
  events: readonly SessionEvent[],
  copied: Set<string>,
): Attachment[] {
  const digests = events
    .flatMap((event) =>
      event.type === 'message_submitted' || event.type === 'message_steered' ? event.data.attachments : [],
    )
    .map((file) => file.digest)
    .filter((digest) => !copied.has(digest));
  return [...new Set(digests)].flatMap((digest) => {
    copied.add(digest);
    const file = journal.readAttachment(from, digest);
    return file.ok ? [file.value] : [];
  });
}

/** Writes the visible history of `from`, up to `last`, behind the head of the new stream. */
async function copyVisible(
  journal: Journal,
  { from, last, path, head }: { from: string; last: number; path: ReadonlySet<string>; head: number },
  into: HiddenStream,
): Promise<Result<null>> {
  const former: number[] = [];
  const copied = new Set<string>();
  const read = (after: number): Result<readonly SessionEvent[]> => journal.read(from, after, pageEvents);
  for await (const page of pagesTo(last, read)) {
    if (!page.ok) return page;
    const visible = page.value.filter(
      ({ turn_id, type }) => turn_id !== null && path.has(turn_id) && !left.has(type),
    );
    for (const event of visible) former.push(event.seq);
    if (visible.length === 0) continue;
    const carried = visible.map((event): Carried => ({
      ...renumbered(event, { head, former }),
      at: event.at,
    }));
    const written = into.append(carried, attachmentsOf(journal, from, visible, copied));
    if (!written.ok) return written;
  }
  return ok(null);
}

function goneFailure(from: string): Result<never> {
  return fail('not_found', `There is no session ${from}. It may have been deleted.`);
}

/**
 * Begins a session with the visible history of another: the branch that is looked at, with its times; no grant, no
 * queued message, no waiting request (S0-58). `created` is the new session's own beginning. However long the other is,
 * nothing else waits for it; the new session is there as a whole or not at all.
 */
export async function carryOver(
  journal: Journal,
  from: string,
  to: string,
  created: (view: SessionView) => Result<SessionCreated>,
): Promise<Result<null>> {
  const last = journal.summary(from)?.last_seq;
  if (last === undefined) return goneFailure(from);
  const view = await viewUpTo(journal, from, last);
  if (!view.ok) return view;
  const beginning = created(view.value);
  if (!beginning.ok) return beginning;
  const head: NewSessionEvent[] = [
    { turn_id: null, type: 'session_created', data: beginning.value },
    ...settingsOf(view.value),
  ];
  const path = new Set(activeTurns(view.value).map((turn) => turn.turn_id));
  const fresh = journal.hiddenStream(to);
  const begun = fresh.append(head);
  const copied = begun.ok
    ? await copyVisible(journal, { from, last, path, head: head.length }, fresh)
    : begun;
  // Deleted meanwhile, the other session may have been read in part.
  const whole = copied.ok && journal.summary(from) === null ? goneFailure(from) : copied;
  const shown = whole.ok ? fresh.show() : whole;
  if (!shown.ok) fresh.discard();
  return shown;
}
