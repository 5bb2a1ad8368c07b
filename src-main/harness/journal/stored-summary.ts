import { emptyMeter, foldSummary, isKeyEvent, type SessionEvent, type SessionSummary } from '../protocol';
import { toSessionEvent, type EventRow } from './event-row';

/** A stored summary; what a summary of an older version lacks gets its default. Null where it cannot be read. */
export function parseSummary(text: string): SessionSummary | null {
  let summary: unknown;
  try {
    summary = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof summary !== 'object' || summary === null || !('last_seq' in summary)) return null;
  const stored = summary as Partial<SessionSummary> & SessionSummary;
  return {
    ...stored,
    open_turn: stored.open_turn ?? null,
    unsettled: stored.unsettled ?? [],
    meter: { ...emptyMeter, ...stored.meter },
  };
}

/**
 * Whether the stored summary has to follow a commit. In the middle of a turn it may lag: the events behind it are folded
 * onto it when it is read, and the turn's end brings it up to date. That keeps a page of it out of most commits.
 */
export function mustStore(
  before: SessionSummary | null,
  after: SessionSummary,
  committed: readonly SessionEvent[],
): boolean {
  return (
    before === null ||
    before.state !== after.state ||
    before.waiting !== after.waiting ||
    committed.some(isKeyEvent)
  );
}

/** A stored summary with the events that it lags behind; only one with an open turn can. */
export function caughtUp(
  stored: SessionSummary,
  eventsAfter: (seq: number) => readonly EventRow[],
): SessionSummary {
  if (stored.open_turn === null) return stored;
  let summary: SessionSummary | null = stored;
  for (const row of eventsAfter(stored.last_seq)) {
    summary = foldSummary(summary, toSessionEvent(stored.session_id, row));
  }
  return summary ?? stored;
}

/** Folds a summary out of all events of its session, in order. */
export function summaryOfEvents(sessionId: string, rows: readonly EventRow[]): SessionSummary | null {
  let summary: SessionSummary | null = null;
  for (const row of rows) summary = foldSummary(summary, toSessionEvent(sessionId, row));
  return summary;
}
