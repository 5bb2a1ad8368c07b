import type { Journal } from '../journal';
import {
  emptySessionView,
  foldSessionEvents,
  ok,
  type CallRow,
  type Result,
  type SessionView,
  type TurnView,
} from '../protocol';

/** A person settles calls after the turn has ended; those are key events, known from the facts. */
function withSettlements(turn: TurnView, known: TurnView): TurnView {
  const rows = new Map<string, CallRow>(turn.rows);
  for (const { call_id, settled } of known.rows.values()) {
    const row = rows.get(call_id);
    if (row && settled) rows.set(call_id, { ...row, settled });
  }
  return { ...turn, rows };
}

/** Events that are read in one go. */
const pageEvents = 2_000;

/**
 * One turn with everything in it, folded from its opening to its end; null when there is no such turn. `facts` is folded
 * from the key events.
 */
export function readTurn(
  journal: Journal,
  sessionId: string,
  facts: SessionView,
  turnId: string,
): Result<TurnView | null> {
  const known = facts.turns.get(turnId);
  if (!known) return ok(null);
  const last = known.finished?.seq ?? Number.MAX_SAFE_INTEGER;
  let view = emptySessionView(sessionId);
  let read = known.seq - 1;
  while (read < last) {
    const page = journal.read(sessionId, read, Math.min(pageEvents, last - read));
    if (!page.ok) return page;
    if (page.value.length === 0) break;
    view = foldSessionEvents(
      view,
      page.value.filter((event) => event.turn_id === turnId),
    );
    read = page.value.at(-1)?.seq ?? last;
  }
  const turn = view.turns.get(turnId);
  return ok(turn ? withSettlements(turn, known) : null);
}
