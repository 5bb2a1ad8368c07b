import { join } from 'node:path';
import {
  eventVersion,
  fail,
  foldSummary,
  ok,
  type AppEvent,
  type AppEventData,
  type NewSessionEvent,
  type Result,
  type SessionEvent,
  type SessionSummary,
} from '../protocol';
import { databaseFailure, openDatabase, type Connection } from './database';
import { toSessionEvent, type EventRow } from './event-row';

/** Bytes that a session keeps under the SHA-256 of their content. */
export interface Attachment {
  readonly digest: string;
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

/**
 * The append-only log, the only durable truth about what happened. Calls are synchronous: when `append` answers ok the
 * events are on the disk. Nothing here throws for a full or failing disk.
 */
export interface Journal {
  /** Numbers and commits the events (and attachments) of one session in one transaction. */
  append(
    sessionId: string,
    events: readonly NewSessionEvent[],
    attachments?: readonly Attachment[],
  ): Result<readonly SessionEvent[]>;
  /** Events with `seq > afterSeq` in order, at most `limit`. */
  read(sessionId: string, afterSeq: number, limit: number): Result<readonly SessionEvent[]>;
  readAttachment(sessionId: string, digest: string): Result<Attachment>;
  summaries(): Result<readonly SessionSummary[]>;
  /** The summary of one session as last committed; null when there is none (any more). */
  summary(sessionId: string): SessionSummary | null;
  /** Deletes the whole stream in one transaction and leaves a tombstone. Only a person's act leads here. */
  deleteSession(sessionId: string): Result<null>;
  appendApp<T extends keyof AppEventData>(type: T, data: AppEventData[T]): Result<AppEvent>;
  readApp(): Result<readonly AppEvent[]>;
  close(): void;
}

const appStream = 'app';

function statements(db: Connection) {
  return {
    last: db.prepare('SELECT max(seq) AS seq FROM events WHERE stream = ?'),
    insert: db.prepare(
      'INSERT INTO events (stream, seq, turn_id, type, version, at, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    read: db.prepare(
      'SELECT seq, turn_id, type, version, at, data FROM events WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?',
    ),
    summary: db.prepare('SELECT summary FROM sessions WHERE session_id = ?'),
    putSummary: db.prepare(
      'INSERT INTO sessions (session_id, summary) VALUES (?, ?) ON CONFLICT (session_id) DO UPDATE SET summary = excluded.summary',
    ),
    summaries: db.prepare('SELECT summary FROM sessions'),
    putAttachment: db.prepare(
      'INSERT INTO attachments (session_id, digest, media_type, bytes) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    attachment: db.prepare('SELECT media_type, bytes FROM attachments WHERE session_id = ? AND digest = ?'),
    tombstone: db.prepare('INSERT INTO tombstones (session_id, deleted_at, last_seq) VALUES (?, ?, ?)'),
    deleteEvents: db.prepare('DELETE FROM events WHERE stream = ?'),
    deleteSummary: db.prepare('DELETE FROM sessions WHERE session_id = ?'),
    deleteAttachments: db.prepare('DELETE FROM attachments WHERE session_id = ?'),
  };
}

function limitSize(db: Connection, bytes: number): void {
  const { page_size: page } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(bytes / page))}`);
}

export interface JournalDeps {
  readonly folder: string;
  /** Wall clock in milliseconds since 1970, for display. */
  readonly now: () => number;
  /** Largest size of the database in bytes; unbounded unless given. */
  readonly maxBytes?: number;
}

/** Opens `journal.db` in the data folder, creating both when missing. */
export function openJournal(deps: JournalDeps): Result<Journal> {
  const file = join(deps.folder, 'journal.db');
  const opened = openDatabase(file);
  if (!opened.ok) return opened;
  const db = opened.value;
  if (deps.maxBytes !== undefined) limitSize(db, deps.maxBytes);
  const sql = statements(db);
  const guard = <T>(work: () => T): Result<T> => {
    try {
      return ok(work());
    } catch (error) {
      return { ok: false, error: databaseFailure(error, file) };
    }
  };
  /** Summaries of the sessions that were appended to, as committed. */
  const known = new Map<string, SessionSummary>();
  const lastSeq = (stream: string): number => (sql.last.get(stream) as { seq: number | null }).seq ?? 0;

  const summaryOf = (sessionId: string): SessionSummary | null => {
    const cached = known.get(sessionId);
    if (cached) return cached;
    const row = sql.summary.get(sessionId) as { summary: string } | undefined;
    return row ? (JSON.parse(row.summary) as SessionSummary) : null;
  };

  const appendAll = db.transaction(
    (sessionId: string, events: readonly NewSessionEvent[], attachments: readonly Attachment[]) => {
      let summary = summaryOf(sessionId);
      let seq = summary?.last_seq ?? lastSeq(sessionId);
      const at = new Date(deps.now()).toISOString();
      const committed: SessionEvent[] = [];
      for (const event of events) {
        seq += 1;
        sql.insert.run(
          sessionId,
          seq,
          event.turn_id,
          event.type,
          eventVersion,
          at,
          JSON.stringify(event.data),
        );
        const full = { ...event, seq, session_id: sessionId, version: eventVersion, at } as SessionEvent;
        committed.push(full);
        summary = foldSummary(summary, full);
      }
      for (const file of attachments) {
        sql.putAttachment.run(sessionId, file.digest, file.media_type, Buffer.from(file.bytes));
      }
      if (summary) sql.putSummary.run(sessionId, JSON.stringify(summary));
      return { committed, summary };
    },
  );

  const deleteAll = db.transaction((sessionId: string) => {
    sql.tombstone.run(sessionId, new Date(deps.now()).toISOString(), lastSeq(sessionId));
    sql.deleteEvents.run(sessionId);
    sql.deleteAttachments.run(sessionId);
    sql.deleteSummary.run(sessionId);
  });

  return ok({
    append(sessionId, events, attachments = []) {
      return guard(() => {
        const { committed, summary } = appendAll.immediate(sessionId, events, attachments);
        if (summary) known.set(sessionId, summary);
        return committed;
      });
    },
    read: (sessionId, afterSeq, limit) =>
      guard(() =>
        (sql.read.all(sessionId, afterSeq, limit) as EventRow[]).map((row) => toSessionEvent(sessionId, row)),
      ),
    readAttachment(sessionId, digest) {
      const found = guard(
        () => sql.attachment.get(sessionId, digest) as { media_type: string; bytes: Buffer } | undefined,
      );
      if (!found.ok) return found;
      if (!found.value)
        return fail('not_found', `The session keeps no attached file ${digest.slice(0, 12)}.`);
      return ok({ digest, media_type: found.value.media_type, bytes: new Uint8Array(found.value.bytes) });
    },
    summaries: () =>
      guard(() =>
        (sql.summaries.all() as { summary: string }[]).map(
          (row) => JSON.parse(row.summary) as SessionSummary,
        ),
      ),
    summary: summaryOf,
    deleteSession(sessionId) {
      return guard(() => {
        deleteAll.immediate(sessionId);
        known.delete(sessionId);
        return null;
      });
    },
    appendApp(type, data) {
      return guard(() => {
        const seq = lastSeq(appStream) + 1;
        const at = new Date(deps.now()).toISOString();
        sql.insert.run(appStream, seq, null, type, eventVersion, at, JSON.stringify(data));
        return { seq, type, version: eventVersion, at, data } as AppEvent;
      });
    },
    readApp: () =>
      guard(() =>
        (sql.read.all(appStream, 0, -1) as EventRow[]).map(
          (row) =>
            ({
              seq: row.seq,
              type: row.type,
              version: row.version,
              at: row.at,
              data: JSON.parse(row.data),
            }) as AppEvent,
        ),
      ),
    close: () => db.close(),
  });
}
