/** Which events tell what a session is, without its timeline; the same text stands in the query that uses the index. */
export const isKeyEvent = `(turn_id IS NULL OR type IN ('grant_made', 'message_submitted', 'turn_retried', 'call_rerun', 'message_steered', 'context_compacted', 'call_settled', 'turn_finished'))`;

/**
 * A long session opens without reading all of it: an index over the events that tell what it is. Definitions of tools
 * are kept once under their pin, so that a change can be told field by field.
 */
export const migration0002 = `
CREATE INDEX key_events ON events (stream, seq) WHERE ${isKeyEvent};

CREATE TABLE definitions (
  pin TEXT PRIMARY KEY,
  definition TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER definitions_are_not_changed BEFORE UPDATE ON definitions
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TRIGGER definitions_stay BEFORE DELETE ON definitions
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
`;
