import type { Journal } from '../journal';
import type { SessionEvent, Signal } from '../protocol';
import type { LiveFacts } from './live';
import type { SessionPush } from './session-port';

/** Events of the first push, about a screen and some, and of each that follows it. */
const screenEvents = 200;
const pageEvents = 1_000;

/**
 * Pushes the newest events (up to `lastSeq`) at once and older ones page by page behind it, so that a session of any length shows its end
 * first and nothing else of the process waits. The answer ends it.
 */
export function replay(
  journal: Journal,
  sessionId: string,
  afterSeq: number,
  lastSeq: number,
  live: LiveFacts,
  listener: (push: SessionPush) => void,
  failed: () => void,
): () => void {
  let ended = false;
  let next: NodeJS.Immediate | undefined;
  const push = (what: SessionPush): void => {
    try {
      listener(what);
    } catch {
      failed();
    }
  };
  /** Null where the journal cannot be read: what is missing then is not passed off as read. */
  const read = (before: number, limit: number): readonly SessionEvent[] | null => {
    const page = journal.readBefore(sessionId, before, limit);
    return page.ok ? page.value.filter((event) => event.seq > afterSeq) : null;
  };
  const older = (before: number): void => {
    if (ended || before <= afterSeq + 1) return;
    const events = read(before, pageEvents);
    if (!events) return;
    const from = events[0]?.seq ?? afterSeq + 1;
    push({ events, signals: [], caught_up: true, from_seq: from });
    if (events.length > 0) next = setImmediate(older, from);
  };
  const newest = read(Number.MAX_SAFE_INTEGER, screenEvents);
  const events = newest ?? [];
  const from = events[0]?.seq ?? (newest ? afterSeq + 1 : lastSeq + 1);
  push({ events, signals: live.replay(), caught_up: true, from_seq: from });
  if (events.length > 0 && from > afterSeq + 1) next = setImmediate(older, from);
  return () => {
    ended = true;
    clearImmediate(next);
  };
}

/** What watchers get, in order; a listener that goes away hears nothing more, and one that fails stops nobody. */
export function createListeners(failed: () => void) {
  const listeners = new Set<(events: readonly SessionEvent[], signals: readonly Signal[]) => void>();
  return {
    publish(events: readonly SessionEvent[], signals: readonly Signal[]): void {
      for (const listener of [...listeners]) {
        try {
          listener(events, signals);
        } catch {
          failed();
        }
      }
    },
    add(listener: (events: readonly SessionEvent[], signals: readonly Signal[]) => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    clear: () => listeners.clear(),
  };
}

/** Gives what is recorded, then what comes; each push says how far back all pushes together reach. */
export function watch(
  listeners: ReturnType<typeof createListeners>,
  afterSeq: number,
  replayed: (push: (what: SessionPush) => void) => () => void,
  listener: (push: SessionPush) => void,
): () => void {
  let from = afterSeq + 1;
  const stop = replayed((push) => {
    from = push.from_seq;
    listener(push);
  });
  const forget = listeners.add((events, signals) =>
    listener({ events, signals, caught_up: true, from_seq: from }),
  );
  return () => {
    stop();
    forget();
  };
}
