import { ok, type Result } from '../protocol';
import type { Checkpoints } from './checkpoints';
import { removeBackups } from './file-set';
import type { Guards } from './journal-guards';
import type { JournalWriter } from './journal-writer';
import { createSweeper } from './sweep-deleted';

/** Bytes that a slice writes at least: what it frees is overwritten. Moves the log now and then. */
const sliceWrites = 2 * 1_024 * 1_024;

export interface DeletionDeps {
  readonly file: string;
  readonly log: Checkpoints;
  readonly writer: Pick<JournalWriter, 'remove' | 'sweep'>;
  /** Streams of which nothing is to be seen. */
  readonly concealed: Set<string>;
  readonly write: Guards['write'];
}

export interface Deletions {
  /** Deletes the session, with what one transaction takes of it; the rest follows by itself. */
  remove(sessionId: string): Result<null>;
  /** Goes on with a deletion that was begun before. */
  finish(sessionId: string): void;
  /** Answers when no text of a deleted session is in the files any more. */
  swept(): Promise<Result<null>>;
  close(): void;
}

export function createDeletions({ file, log, writer, concealed, write }: DeletionDeps): Deletions {
  const wrote = (left: boolean): void => {
    if (left) return log.wrote(sliceWrites);
    removeBackups(file);
    log.empty();
  };
  const sweeper = createSweeper({
    slice: (sessionId) => write(null, () => writer.sweep(sessionId), wrote),
    gone: (sessionId) => void concealed.delete(sessionId),
  });
  const finish = (sessionId: string): void => {
    concealed.add(sessionId);
    sweeper.add(sessionId);
  };
  return {
    finish,
    remove(sessionId) {
      if (sweeper.has(sessionId)) {
        sweeper.add(sessionId);
        return ok(null);
      }
      const removed = write(null, () => writer.remove(sessionId), wrote);
      if (!removed.ok) return removed;
      if (removed.value) finish(sessionId);
      else concealed.delete(sessionId);
      return ok(null);
    },
    swept: () => sweeper.swept(),
    close: () => sweeper.close(),
  };
}
