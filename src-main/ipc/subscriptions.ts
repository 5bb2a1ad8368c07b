import type { Push } from '../../src-preload/contract';
import { ok, type Harness, type Result, type SessionEvent, type SessionPush, type Signal } from '../harness';

/** How long passing signals may wait for company, in milliseconds; events are never held back. */
const gatherMs = 16;

export interface Subscriptions {
  subscribe(sessionId: string, afterSeq: number): Result<null>;
  unsubscribe(sessionId: string): void;
  /** A page that was loaded anew has no subscriptions. */
  clear(): void;
}

interface Gatherer {
  add(push: SessionPush): void;
  end(): void;
}

/** Joins deltas that follow one another, and sends at most one message per gathering time and session. */
function createGatherer(sessionId: string, send: (push: Push) => void): Gatherer {
  let events: SessionEvent[] = [];
  let signals: Signal[] = [];
  let caughtUp = false;
  let fromSeq = Number.MAX_SAFE_INTEGER;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    send({
      topic: 'session',
      session_id: sessionId,
      events,
      signals,
      caught_up: caughtUp,
      from_seq: fromSeq,
    });
    events = [];
    signals = [];
  };
  const addSignal = (signal: Signal): void => {
    const last = signals.at(-1);
    if (
      signal.type === 'text_delta' &&
      last?.type === 'text_delta' &&
      last.turn_id === signal.turn_id &&
      last.attempt === signal.attempt &&
      last.channel === signal.channel &&
      last.offset + last.text.length === signal.offset
    ) {
      signals[signals.length - 1] = { ...last, text: last.text + signal.text };
    } else signals.push(signal);
  };
  return {
    add(push) {
      for (const event of push.events) events.push(event);
      push.signals.forEach(addSignal);
      caughtUp = push.caught_up;
      fromSeq = Math.min(fromSeq, push.from_seq);
      if (push.events.length > 0 || !push.caught_up || timer === undefined) {
        if (push.events.length > 0 || push.signals.length === 0) flush();
        else timer = setTimeout(flush, gatherMs);
      }
    },
    end() {
      clearTimeout(timer);
    },
  };
}

/** Forwards the streams that the window watches. */
export function createSubscriptions(harness: Harness, send: (push: Push) => void): Subscriptions {
  const active = new Map<string, () => void>();
  const unsubscribe = (sessionId: string): void => {
    active.get(sessionId)?.();
    active.delete(sessionId);
  };
  return {
    subscribe(sessionId, afterSeq) {
      const session = harness.sessions.get(sessionId);
      if (!session.ok) return session;
      unsubscribe(sessionId);
      const gatherer = createGatherer(sessionId, send);
      const stop = session.value.subscribe(afterSeq, (push) => gatherer.add(push));
      active.set(sessionId, () => {
        stop();
        gatherer.end();
      });
      return ok(null);
    },
    unsubscribe,
    clear() {
      for (const sessionId of [...active.keys()]) unsubscribe(sessionId);
    },
  };
}
