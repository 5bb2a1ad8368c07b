import type { Connection } from './connection';
import { isKeyEvent } from './migrations/0002-key-events';

const columns = 'seq, turn_id, type, version, at, data';

/**
 * Rows come through `all` only: on a statement that has answered `all` before, the driver's `get` keeps the former
 * values bound and answers another row.
 */
interface Query {
  all(...values: unknown[]): unknown[];
}

interface Change {
  run(...values: unknown[]): unknown;
}

export interface Statements {
  readonly last: Query;
  readonly insert: Change;
  readonly read: Query;
  readonly before: Query;
  readonly keyEvents: Query;
  readonly putDefinition: Change;
  readonly definition: Query;
  readonly summary: Query;
  readonly putSummary: Change;
  readonly summaries: Query;
  readonly putAttachment: Change;
  readonly attachment: Query;
  readonly tombstone: Change;
  readonly isDeleted: Query;
  readonly deleteEventsAfter: Change;
  readonly deleteSummary: Change;
  readonly attachmentSizes: Query;
  readonly deleteAttachment: Change;
  readonly hide: Change;
  readonly unhide: Change;
  readonly hidden: Query;
  readonly unswept: Query;
  readonly useGrant: Change;
  readonly forgetUses: Change;
  readonly grantUses: Query;
  readonly grantEvents: Query;
  readonly pastCalls: Query;
}

/** The queries of the journal, prepared once. */
export function statements(db: Connection): Statements {
  return {
    last: db.prepare('SELECT max(seq) AS seq FROM events WHERE stream = ?'),
    insert: db.prepare(
      'INSERT INTO events (stream, seq, turn_id, type, version, at, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    read: db.prepare(readQuery),
    before: db.prepare(beforeQuery),
    keyEvents: db.prepare(keyEventsQuery),
    putDefinition: db.prepare(
      'INSERT INTO definitions (pin, definition) VALUES (?, ?) ON CONFLICT DO NOTHING',
    ),
    definition: db.prepare('SELECT definition FROM definitions WHERE pin = ?'),
    summary: db.prepare('SELECT summary FROM sessions WHERE session_id = ?'),
    putSummary: db.prepare(
      'INSERT INTO sessions (session_id, summary) VALUES (?, ?) ON CONFLICT (session_id) DO UPDATE SET summary = excluded.summary',
    ),
    summaries: db.prepare('SELECT session_id, summary FROM sessions'),
    putAttachment: db.prepare(
      'INSERT INTO attachments (session_id, digest, media_type, bytes) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    attachment: db.prepare('SELECT media_type, bytes FROM attachments WHERE session_id = ? AND digest = ?'),
    tombstone: db.prepare('INSERT INTO tombstones (session_id, deleted_at, last_seq) VALUES (?, ?, ?)'),
    isDeleted: db.prepare('SELECT 1 FROM tombstones WHERE session_id = ?'),
    deleteEventsAfter: db.prepare('DELETE FROM events WHERE stream = ? AND seq > ?'),
    deleteSummary: db.prepare('DELETE FROM sessions WHERE session_id = ?'),
    attachmentSizes: db.prepare(
      'SELECT digest, length(bytes) AS bytes FROM attachments WHERE session_id = ?',
    ),
    deleteAttachment: db.prepare('DELETE FROM attachments WHERE session_id = ? AND digest = ?'),
    hide: db.prepare('INSERT INTO hidden_streams (session_id) VALUES (?) ON CONFLICT DO NOTHING'),
    unhide: db.prepare('DELETE FROM hidden_streams WHERE session_id = ?'),
    hidden: db.prepare('SELECT session_id FROM hidden_streams'),
    unswept: db.prepare(unsweptQuery),
    useGrant: db.prepare(
      'INSERT INTO grant_uses (grant_id, uses, last_used_at) VALUES (?, 1, ?) ON CONFLICT (grant_id) DO UPDATE SET uses = uses + 1, last_used_at = excluded.last_used_at',
    ),
    forgetUses: db.prepare(forgetUsesQuery),
    grantUses: db.prepare('SELECT grant_id, uses, last_used_at FROM grant_uses'),
    grantEvents: db.prepare(grantEventsQuery),
    pastCalls: db.prepare(pastCallsQuery),
  };
}

export const readQuery = `SELECT ${columns} FROM events WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?`;
export const beforeQuery = `SELECT ${columns} FROM events WHERE stream = ? AND seq < ? ORDER BY seq DESC LIMIT ?`;

/** The partial index answers it: its condition stands in the query word for word. */
export const keyEventsQuery = `SELECT ${columns} FROM events WHERE stream = ? AND ${isKeyEvent} AND seq > ? ORDER BY seq LIMIT ?`;

/** Deleted sessions of which something is still in the file. */
const unsweptQuery = `
SELECT session_id FROM tombstones
WHERE EXISTS (SELECT 1 FROM events WHERE stream = tombstones.session_id)
   OR EXISTS (SELECT 1 FROM attachments WHERE attachments.session_id = tombstones.session_id)`;

/** The partial index answers it: its condition stands in the query word for word. */
export const grantEventsQuery = `SELECT stream, ${columns} FROM events WHERE type IN ('grant_made', 'grant_ended') ORDER BY stream, seq`;

/** Newest first, as they were recorded. */
export const pastCallsQuery = `SELECT stream, ${columns} FROM events WHERE type = 'tool_started' AND json_extract(data, '$.qualified_name') = ? ORDER BY id DESC LIMIT ?`;

/** Of the grants that end with their session. */
const forgetUsesQuery = `
DELETE FROM grant_uses WHERE grant_id IN (
  SELECT json_extract(data, '$.grant_id') FROM events WHERE stream = ? AND type IN ('grant_made', 'grant_ended')
    AND json_extract(data, '$.scope') = 'session')`;

/** The highest number of the stream, 0 when it is empty. */
export function lastSeq(sql: Statements, stream: string): number {
  const [row] = sql.last.all(stream) as [{ seq: number | null }];
  return row.seq ?? 0;
}
