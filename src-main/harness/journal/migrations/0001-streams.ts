/**
 * Streams of events, the summary that lists sessions, attached files, and tombstones of deleted sessions. Events can be
 * added and, with their whole stream, deleted; nothing else: the triggers hold it.
 */
export const migration0001 = `
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  seq INTEGER NOT NULL,
  turn_id TEXT,
  type TEXT NOT NULL,
  version INTEGER NOT NULL,
  at TEXT NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_by_stream ON events (stream, seq);

CREATE TABLE sessions (
  session_id TEXT PRIMARY KEY,
  summary TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE attachments (
  session_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  media_type TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (session_id, digest)
) STRICT;

CREATE TABLE tombstones (
  session_id TEXT PRIMARY KEY,
  deleted_at TEXT NOT NULL,
  last_seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TRIGGER events_go_with_their_stream BEFORE DELETE ON events
WHEN NOT EXISTS (SELECT 1 FROM tombstones WHERE session_id = OLD.stream)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TRIGGER deleted_streams_stay_deleted BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM tombstones WHERE session_id = NEW.stream)
BEGIN SELECT RAISE(ABORT, 'the session was deleted'); END;

CREATE TRIGGER tombstones_stay BEFORE DELETE ON tombstones
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
`;
