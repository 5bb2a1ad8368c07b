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
import { databaseFailure, inTransaction, openDatabase, type Connection } from './database';
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

type Statements = ReturnType<typeof statements>;

function lastSeq(sql: Statements, stream: string): number {
  return (sql.last.get(stream) as { seq: number | null }).seq ?? 0;
}

/** Summaries of the sessions that were appended to, as committed; the rest is read when it is asked for. */
type KnownSummaries = Map<string, SessionSummary>;

function summaryOf(sql: Statements, known: KnownSummaries, sessionId: string): SessionSummary | null {
  const cached = known.get(sessionId);
  if (cached) return cached;
  const row = sql.summary.get(sessionId) as { summary: string } | undefined;
  return row ? (JSON.parse(row.summary) as SessionSummary) : null;
}

/** The two transactions of a session's stream. They throw, and nothing of them is kept, when the disk does not take it. */
function createWriter(db: Connection, sql: Statements, known: KnownSummaries, now: () => number) {
  const insertAll = (
    sessionId: string,
    events: readonly NewSessionEvent[],
    attachments: readonly Attachment[],
  ): { committed: SessionEvent[]; summary: SessionSummary | null } =>
    inTransaction(db, () => {
      let summary = summaryOf(sql, known, sessionId);
      let seq = summary?.last_seq ?? lastSeq(sql, sessionId);
      const at = new Date(now()).toISOString();
      const committed: SessionEvent[] = [];
      for (const event of events) {
        seq += 1;
        const { turn_id, type, data } = event;
        sql.insert.run(sessionId, seq, turn_id, type, eventVersion, at, JSON.stringify(data));
        const full = {
          seq,
          session_id: sessionId,
          turn_id,
          type,
          version: eventVersion,
          at,
          data,
        } as SessionEvent;
        committed.push(full);
        summary = foldSummary(summary, full);
      }
      for (const file of attachments) {
        sql.putAttachment.run(sessionId, file.digest, file.media_type, Buffer.from(file.bytes));
      }
      if (summary) sql.putSummary.run(sessionId, JSON.stringify(summary));
      return { committed, summary };
    });
  const deleteAll = (sessionId: string): void =>
    inTransaction(db, () => {
      sql.tombstone.run(sessionId, new Date(now()).toISOString(), lastSeq(sql, sessionId));
      sql.deleteEvents.run(sessionId);
      sql.deleteAttachments.run(sessionId);
      sql.deleteSummary.run(sessionId);
    });
  return {
    append(sessionId: string, events: readonly NewSessionEvent[], attachments: readonly Attachment[]) {
      const { committed, summary } = insertAll(sessionId, events, attachments);
      if (summary) known.set(sessionId, summary);
      return committed;
    },
    remove(sessionId: string): null {
      deleteAll(sessionId);
      known.delete(sessionId);
      return null;
    },
    appendApp<T extends keyof AppEventData>(type: T, data: AppEventData[T]): AppEvent {
      const seq = lastSeq(sql, appStream) + 1;
      const at = new Date(now()).toISOString();
      sql.insert.run(appStream, seq, null, type, eventVersion, at, JSON.stringify(data));
      return { seq, type, version: eventVersion, at, data } as AppEvent;
    },
  };
}

function toAppEvent(row: EventRow): AppEvent {
  const { seq, type, version, at } = row;
  return { seq, type, version, at, data: JSON.parse(row.data) as unknown } as AppEvent;
}

function attachmentOf(sql: Statements, sessionId: string, digest: string): Attachment | null {
  const row = sql.attachment.get(sessionId, digest) as { media_type: string; bytes: Buffer } | undefined;
  return row ? { digest, media_type: row.media_type, bytes: new Uint8Array(row.bytes) } : null;
}

/** Opens `journal.db` in the data folder, creating both when missing. */
export function openJournal(deps: JournalDeps): Result<Journal> {
  const file = join(deps.folder, 'journal.db');
  const opened = openDatabase(file);
  if (!opened.ok) return opened;
  const db = opened.value;
  if (deps.maxBytes !== undefined) limitSize(db, deps.maxBytes);
  const guard = <T>(work: () => T): Result<T> => {
    try {
      return ok(work());
    } catch (error) {
      return { ok: false, error: databaseFailure(error, file) };
    }
  };
  const sql = statements(db);
  const known: KnownSummaries = new Map();
  const writer = createWriter(db, sql, known, deps.now);
  return ok({
    append: (sessionId, events, attachments = []) =>
      guard(() => writer.append(sessionId, events, attachments)),
    read: (sessionId, afterSeq, limit) =>
      guard(() =>
        (sql.read.all(sessionId, afterSeq, limit) as EventRow[]).map((row) => toSessionEvent(sessionId, row)),
      ),
    readAttachment(sessionId, digest) {
      const found = guard(() => attachmentOf(sql, sessionId, digest));
      if (!found.ok) return found;
      const missing = `The session keeps no attached file ${digest.slice(0, 12)}.`;
      return found.value ? ok(found.value) : fail('not_found', missing);
    },
    summaries: () =>
      guard(() =>
        (sql.summaries.all() as { summary: string }[]).map(
          (row) => JSON.parse(row.summary) as SessionSummary,
        ),
      ),
    summary(sessionId) {
      const found = guard(() => summaryOf(sql, known, sessionId));
      return found.ok ? found.value : null;
    },
    deleteSession: (sessionId) => guard(() => writer.remove(sessionId)),
    appendApp: (type, data) => guard(() => writer.appendApp(type, data)),
    readApp: () => guard(() => (sql.read.all(appStream, 0, -1) as EventRow[]).map(toAppEvent)),
    close: () => void db.close(),
  });
}
