import { pageBytes, type Connection } from './connection';

/**
 * Pages in the log after which they are moved into the database, about 2 MB. After that the log is written again from
 * its beginning, and a commit into a file that does not grow takes half the time; most pages of the journal are written
 * once, so moving them more often writes hardly more.
 */
const logPages = 2_000;
/** Pages that a commit writes besides its data: leaves of the tables and indexes. */
const pagesOfCommit = 4;

/**
 * Moves the log into the database. Done here and not by SQLite on its own, which drops the error of a disk that fails
 * meanwhile and would then throw the log away (hazard 82). Each call throws that error.
 */
export interface Checkpoints {
  /** A commit with so many bytes of data was made. */
  wrote(bytes: number): void;
  /** Moves everything and empties the log, unless somebody reads right now. */
  empty(): void;
}

export function watchLog(db: Connection): Checkpoints {
  let pages = 0;
  const checkpoint = (mode: 'PASSIVE' | 'TRUNCATE'): void => {
    db.prepare(`PRAGMA wal_checkpoint(${mode})`).all();
    pages = 0;
  };
  return {
    wrote(bytes) {
      pages += pagesOfCommit + Math.ceil(bytes / pageBytes);
      if (pages >= logPages) checkpoint('PASSIVE');
    },
    empty() {
      db.pragma('busy_timeout=0');
      try {
        checkpoint('TRUNCATE');
      } finally {
        db.pragma('busy_timeout=5000');
      }
    },
  };
}
