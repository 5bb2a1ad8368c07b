/**
 * How often a grant let a call run, kept beside the events that say so; grants over all sessions; and past calls by
 * tool, so that a wider scope can be shown against what it would have covered. The indexes hold little beside the ids.
 */
export const migration0004 = `
CREATE TABLE grant_uses (
  grant_id TEXT PRIMARY KEY,
  uses INTEGER NOT NULL,
  last_used_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO grant_uses (grant_id, uses, last_used_at)
SELECT json_extract(data, '$.rule.grant_id'), count(*), max(at) FROM events
WHERE type = 'tool_started' AND json_extract(data, '$.rule.grant_id') IS NOT NULL
GROUP BY 1;

CREATE INDEX grant_events ON events (stream, seq) WHERE type IN ('grant_made', 'grant_ended');

CREATE INDEX calls_by_tool ON events (json_extract(data, '$.qualified_name')) WHERE type = 'tool_started';
`;
