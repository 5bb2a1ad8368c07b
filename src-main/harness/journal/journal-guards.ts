import { fail, ok, type Result } from '../protocol';
import type { Connection } from './connection';
import { databaseFailure, isDamage, isWriteInDoubt } from './database-failure';
import { damageOf } from './examine-journal';
import type { Health } from './journal-health';
import type { MarkKeeper } from './journal-mark';

export interface Guards {
  /** Puts what the work throws into a failure, and notes damage that it meets. */
  guard<T>(work: () => T): Result<T>;
  /**
   * The same for work that commits to one session, or to none (`null`), where that is allowed now. `after` runs when
   * it is committed: an error there does not take the commit back, and a failing disk refuses the next one.
   */
  write<T>(sessionId: string | null, work: () => T, after: (value: T) => void): Result<T>;
  /** Nothing is read or written from now on. */
  close(): void;
}

export interface GuardDeps {
  readonly db: Connection;
  readonly file: string;
  readonly health: Health;
  readonly mark: MarkKeeper;
}

export function createGuards({ db, file, health, mark }: GuardDeps): Guards {
  const noteDamage = (error: unknown): void => {
    if (!isDamage(error) || health.problems.some((problem) => problem.data?.['kind'] === 'damage')) return;
    health.found([damageOf(error instanceof Error ? error.message : String(error))]);
    mark.note([...health.reported]);
    db.pragma('query_only=1');
  };
  let closed = false;
  const guard = <T>(work: () => T): Result<T> => {
    if (closed) return fail('interrupted', 'The app is closing: its journal is closed.');
    try {
      return ok(work());
    } catch (error) {
      noteDamage(error);
      return { ok: false, error: databaseFailure(error, file) };
    }
  };
  return {
    guard,
    close() {
      closed = true;
    },
    write(sessionId, work, after) {
      const refusal = health.refusal(sessionId);
      if (refusal) return { ok: false, error: refusal };
      const done = guard(() => {
        try {
          return ok(work());
        } catch (error) {
          if (!isWriteInDoubt(error)) throw error;
          return { ok: false, error: health.writeFailed(error) } as const;
        }
      });
      if (!done.ok || !done.value.ok) return done.ok ? done.value : done;
      try {
        after(done.value.value);
      } catch (error) {
        if (isWriteInDoubt(error)) health.writeFailed(error);
        else noteDamage(error);
      }
      return done.value;
    },
  };
}
