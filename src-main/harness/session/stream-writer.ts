import type { Attachment, Journal } from '../journal';
import { fail, ok, type NewSessionEvent, type Result, type SessionEvent } from '../protocol';

/** How long a deferred event waits for company before it is committed by itself, in milliseconds. */
const deferMs = 15;

/** What writes to the stream of one session; nothing else does. */
export interface StreamWriter {
  /** Commits what was deferred and these events in one transaction, then publishes them. */
  record(
    events: readonly NewSessionEvent[],
    attachments?: readonly Attachment[],
  ): Result<readonly SessionEvent[]>;
  /** For events on which nothing depends yet: they go with the next record, or by themselves a moment later. */
  defer(events: readonly NewSessionEvent[]): void;
  /**
   * Commits these events in one transaction with those that others gather in the same microtask or tick, and answers
   * when they are on the disk. After a failure nothing of them is kept.
   */
  gather(
    events: readonly NewSessionEvent[],
    within: 'microtask' | 'tick',
  ): Promise<Result<readonly SessionEvent[]>>;
  /** Commits what is deferred; what the disk does not take stays deferred, and the next record answers why. */
  flush(): Result<unknown>;
  /** Commits what is deferred and refuses records from now on. */
  end(): void;
}

/** Parallel calls start and finish together: one transaction for all of them. */
function createGatherer(record: StreamWriter['record']): StreamWriter['gather'] {
  type Batch = { readonly events: NewSessionEvent[]; readonly done: ReturnType<StreamWriter['gather']> };
  const open: Record<'microtask' | 'tick', Batch | null> = { microtask: null, tick: null };
  const begin = (within: 'microtask' | 'tick'): Batch => {
    const events: NewSessionEvent[] = [];
    const done = new Promise<Result<readonly SessionEvent[]>>((resolve, reject) => {
      const commit = (): void => {
        open[within] = null;
        try {
          resolve(record(events));
        } catch (error) {
          reject(error as Error);
        }
      };
      if (within === 'microtask') queueMicrotask(commit);
      else setImmediate(commit);
    });
    return { events, done };
  };
  return (events, within) => {
    const batch = (open[within] ??= begin(within));
    batch.events.push(...events);
    return batch.done;
  };
}

/** `committed` is called after each commit, before the record answers. */
export function createStreamWriter(
  journal: Journal,
  sessionId: string,
  committed: (events: readonly SessionEvent[]) => void,
): StreamWriter {
  let deferred: NewSessionEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const record: StreamWriter['record'] = (events, attachments = []) => {
    if (ended) return fail('interrupted', 'The app is closing; nothing more is recorded.');
    clearTimeout(timer);
    timer = undefined;
    const appended = journal.append(sessionId, [...deferred, ...events], attachments);
    if (!appended.ok) return appended;
    deferred = [];
    committed(appended.value);
    return appended;
  };
  const flush = (): Result<unknown> => (deferred.length > 0 ? record([]) : ok(null));
  return {
    record,
    gather: createGatherer(record),
    flush,
    defer(events) {
      if (ended) return;
      deferred.push(...events);
      timer ??= setTimeout(() => void flush(), deferMs);
    },
    end() {
      flush();
      clearTimeout(timer);
      ended = true;
    },
  };
}
