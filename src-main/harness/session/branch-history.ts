import type { Journal } from '../journal';
import { ok, turnTree, type Result, type SessionEvent, type SessionView } from '../protocol';
import { createHistory, type History } from '../turn';

/** The conversation of a branch, with the turns that belong to it. */
export interface BranchHistory {
  readonly history: History;
  readonly path: Set<string>;
}

/** Events that are read in one go, so that others go on between two: some ten milliseconds. */
export const pageEvents = 500;

function* pages(
  read: (after: number) => Result<readonly SessionEvent[]>,
  after: number,
): Generator<Result<readonly SessionEvent[]>> {
  let last = after;
  for (;;) {
    const events = read(last);
    yield events;
    if (!events.ok || events.value.length < pageEvents) return;
    last = events.value.at(-1)?.seq ?? last;
  }
}

/** Every event of the session with `seq > after`, in order, page by page. */
export const pagesAfter = (
  journal: Journal,
  sessionId: string,
  after: number,
): Generator<Result<readonly SessionEvent[]>> =>
  pages((last) => journal.read(sessionId, last, pageEvents), after);

/** The same for key events alone. */
export const keyEventPages = (
  journal: Journal,
  sessionId: string,
): Generator<Result<readonly SessionEvent[]>> =>
  pages((last) => journal.readKeyEvents(sessionId, last, pageEvents), 0);

/** What the context of the branch begins with. */
interface Start {
  /** Everything up to here is told by the last compaction's summary. */
  readonly from: number;
  /** The latest request that the summary stands for: it may have to be told word for word. */
  readonly request: SessionEvent | null;
}

/** `path` are the turns of the branch. Pauses behind each page. */
function* findStart(
  journal: Journal,
  sessionId: string,
  path: ReadonlySet<string>,
): Generator<null, Result<Start>> {
  let from = 0;
  const requests: SessionEvent[] = [];
  for (const events of keyEventPages(journal, sessionId)) {
    if (!events.ok) return events;
    for (const event of events.value) {
      if (event.turn_id === null || !path.has(event.turn_id)) continue;
      if (event.type === 'context_compacted') from = event.data.summarised_to_seq;
      if (event.type === 'message_submitted' || event.type === 'message_steered') requests.push(event);
    }
    yield null;
  }
  return ok({ from, request: requests.findLast(({ seq }) => seq <= from) ?? null });
}

/**
 * Reads the conversation of the branch that ends with the view's head, page by page: whoever drives it may let others
 * go on at each pause. Behind the last page it answers without a pause, so what it answers is all that is recorded by
 * then. `facts` is folded from the key events; only the part behind the last compaction is read.
 */
export function* readBranchHistory(
  journal: Journal,
  sessionId: string,
  facts: SessionView,
): Generator<null, Result<BranchHistory>> {
  const head = facts.head?.data ?? null;
  const turns = head === null ? [] : turnTree(facts).pathTo(head);
  const path = new Set(turns.map((turn) => turn.turn_id));
  const history = createHistory((digest) => {
    const file = journal.readAttachment(sessionId, digest);
    return file.ok ? file.value.bytes : null;
  });
  const start = yield* findStart(journal, sessionId, path);
  if (!start.ok) return start;
  const { from, request } = start.value;
  if (request) history.apply(request);
  for (const events of pagesAfter(journal, sessionId, from)) {
    if (!events.ok) return events;
    for (const event of events.value) {
      if (event.turn_id !== null && path.has(event.turn_id)) history.apply(event);
    }
    if (events.value.length === pageEvents) yield null;
  }
  return ok({ history, path });
}
