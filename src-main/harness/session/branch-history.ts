import type { Journal } from '../journal';
import { ok, turnTree, type Result, type SessionEvent, type SessionView } from '../protocol';
import { createHistory, type History } from '../turn';

/** The conversation of a branch, with the turns that belong to it. */
export interface BranchHistory {
  readonly history: History;
  readonly path: Set<string>;
}

const page = 2_000;

/** Every event of the session with `seq > after`, in order, page by page. */
export function* pagesAfter(
  journal: Journal,
  sessionId: string,
  after: number,
): Generator<Result<readonly SessionEvent[]>> {
  let last = after;
  for (;;) {
    const events = journal.read(sessionId, last, page);
    yield events;
    if (!events.ok || events.value.length < page) return;
    last = events.value.at(-1)?.seq ?? last;
  }
}

/**
 * The first event that the context of the branch needs: behind the last compaction, everything before is its summary.
 * `path` are the turns of the branch.
 */
function startOf(keyEvents: readonly SessionEvent[], path: ReadonlySet<string>): number {
  const last = keyEvents.findLast(
    (event) => event.type === 'context_compacted' && event.turn_id !== null && path.has(event.turn_id),
  );
  return last?.type === 'context_compacted' ? last.data.summarised_to_seq : 0;
}

/**
 * Reads the conversation of the branch that ends with the view's head. `facts` is folded from the key events; only the
 * part behind the last compaction is read.
 */
export function readBranchHistory(
  journal: Journal,
  sessionId: string,
  facts: SessionView,
): Result<BranchHistory> {
  const head = facts.head?.data ?? null;
  const path = new Set(
    head === null
      ? []
      : turnTree(facts)
          .pathTo(head)
          .map((turn) => turn.turn_id),
  );
  const history = createHistory((digest) => {
    const file = journal.readAttachment(sessionId, digest);
    return file.ok ? file.value.bytes : null;
  });
  const keys = journal.readKeyEvents(sessionId);
  if (!keys.ok) return keys;
  const from = startOf(keys.value, path);
  // The latest request that a summary stands for may have to be told word for word.
  const request = keys.value.findLast(
    ({ seq, type, turn_id }) =>
      seq <= from &&
      (type === 'message_submitted' || type === 'message_steered') &&
      turn_id !== null &&
      path.has(turn_id),
  );
  if (request) history.apply(request);
  for (const events of pagesAfter(journal, sessionId, from)) {
    if (!events.ok) return events;
    for (const event of events.value) {
      if (event.turn_id !== null && path.has(event.turn_id)) history.apply(event);
    }
  }
  return ok({ history, path });
}
