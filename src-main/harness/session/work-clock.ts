import type { SessionEvent } from '../protocol';

/** Counts the time in which a turn works: all of it, but for the time in which it only waits for a person. */
export interface WorkClock {
  /** Begins anew, for the next turn; `open` are requests that wait for a person already. */
  begin(open: Iterable<string>): void;
  /** Follows what is committed, in order, at the moment of the commit. */
  follow(events: readonly SessionEvent[]): void;
  /** Milliseconds of work since `begin`. */
  worked(): number;
}

/** `clock` gives monotonic milliseconds. */
export function createWorkClock(clock: () => number): WorkClock {
  const waiting = new Set<string>();
  const running = new Set<string>();
  let total = 0;
  let since = clock();
  let working = true;
  const count = (): void => {
    const now = clock();
    if (working) total += now - since;
    since = now;
  };
  const apply = (event: SessionEvent): void => {
    switch (event.type) {
      case 'approval_requested':
        waiting.add(event.data.approval_id);
        return;
      case 'approval_resolved':
        waiting.delete(event.data.approval_id);
        return;
      case 'pause_started':
        waiting.add(event.data.pause_id);
        return;
      case 'pause_ended':
        waiting.delete(event.data.pause_id);
        return;
      case 'tool_started':
        running.add(event.data.call_id);
        return;
      case 'tool_finished':
        running.delete(event.data.call_id);
        return;
      default:
        return;
    }
  };
  return {
    begin(open) {
      waiting.clear();
      for (const id of open) waiting.add(id);
      running.clear();
      total = 0;
      since = clock();
      working = waiting.size === 0;
    },
    follow(events) {
      count();
      events.forEach(apply);
      working = waiting.size === 0 || running.size > 0;
    },
    worked() {
      count();
      return total;
    },
  };
}
