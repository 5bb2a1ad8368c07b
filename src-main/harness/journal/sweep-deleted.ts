import { fail, ok, type Result } from '../protocol';

/** Takes what is left of deleted sessions out of the files, a slice at a time, so that others go on between two. */
export interface Sweeper {
  /** From now on there is something left of this session. */
  add(sessionId: string): void;
  /** Whether something of it is left. */
  has(sessionId: string): boolean;
  /** Answers when nothing is left, or why it stays until the next start. */
  swept(): Promise<Result<null>>;
  close(): void;
}

export interface SweeperDeps {
  /** Deletes some of the session; answers whether something is left. */
  readonly slice: (sessionId: string) => Result<boolean>;
  /** Nothing is left of the session. */
  readonly gone: (sessionId: string) => void;
}

const waits = 'Its entries are taken out of the files at the next start of the app.';

export function createSweeper({ slice, gone }: SweeperDeps): Sweeper {
  const left = new Set<string>();
  let waiting: ((result: Result<null>) => void)[] = [];
  let next: NodeJS.Immediate | undefined;
  let stopped: Result<null> | null = null;
  const answer = (result: Result<null>): void => {
    for (const resolve of waiting.splice(0)) resolve(result);
  };
  const step = (): void => {
    next = undefined;
    const [session] = left;
    if (session === undefined) return answer(ok(null));
    const done = slice(session);
    if (!done.ok) {
      const { code, message, data } = done.error;
      stopped = fail(code, `The session is deleted. ${message} ${waits}`, data);
      return answer(stopped);
    }
    if (!done.value) {
      left.delete(session);
      gone(session);
    }
    next = setImmediate(step);
  };
  return {
    add(sessionId) {
      left.add(sessionId);
      stopped = null;
      next ??= setImmediate(step);
    },
    has: (sessionId) => left.has(sessionId),
    swept() {
      if (left.size === 0) return Promise.resolve(ok(null));
      if (stopped) return Promise.resolve(stopped);
      return new Promise((resolve) => {
        waiting = [...waiting, resolve];
      });
    },
    close() {
      clearImmediate(next);
      stopped = fail('interrupted', `The session is deleted, and the app is closing. ${waits}`);
      if (left.size > 0) answer(stopped);
    },
  };
}
