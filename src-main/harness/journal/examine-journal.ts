import { statSync } from 'node:fs';
import type { Connection } from './connection';
import { errorCode } from './database-failure';
import type { Mark } from './journal-mark';

/** What is wrong with a journal. `key` names the finding across starts; `text` says what and where, no remedy. */
export interface Finding {
  /** `loss`: entries are missing that were recorded. `damage`: the file is not as it was written. */
  readonly kind: 'loss' | 'damage' | 'session';
  readonly key: string;
  readonly text: string;
  /** The session that is concerned, for `session`. */
  readonly session_id: string | null;
}

/** What the journal holds. */
export interface Census {
  /** Entries ever recorded, by the numbers of streams and tombstones. */
  readonly events: number;
  readonly deletions: number;
  /** The highest number of each stream. */
  readonly streams: ReadonlyMap<string, number>;
}

/** A larger file is not read as a whole at a start, which takes about a second for each 200 MB. */
const largestCheck = 256 * 1024 * 1024;

/** One step in the index for each stream, however long the streams are. */
const lastOfStreams = `
WITH RECURSIVE streams (stream) AS (
  SELECT min(stream) FROM events
  UNION ALL
  SELECT (SELECT min(stream) FROM events WHERE stream > streams.stream) FROM streams WHERE stream IS NOT NULL
)
SELECT stream, (SELECT max(seq) FROM events WHERE events.stream = streams.stream) AS seq
FROM streams WHERE stream IS NOT NULL AND stream NOT IN (SELECT session_id FROM tombstones)`;

/** What is left of a deleted session counts by its tombstone alone. */
export function takeCensus(db: Connection): Census {
  const rows = db.prepare(lastOfStreams).all() as { stream: string; seq: number }[];
  const [gone] = db
    .prepare('SELECT count(*) AS deletions, coalesce(sum(last_seq), 0) AS events FROM tombstones')
    .all() as [{ deletions: number; events: number }];
  return {
    events: rows.reduce((sum, row) => sum + row.seq, gone.events),
    deletions: gone.deletions,
    streams: new Map(rows.map((row) => [row.stream, row.seq])),
  };
}

const span = (from: number, to: number): string => (from === to ? `entry ${to}` : `entries ${from} to ${to}`);

/** How many places a text names; the count tells of the rest. */
const namedPlaces = 5;

function listed(places: readonly string[]): string {
  const more = places.length - namedPlaces;
  return `${places.slice(0, namedPlaces).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function lossAgainst(mark: Mark, census: Census, isDeleted: (stream: string) => boolean): Finding[] {
  const places: string[] = [];
  let known = 0;
  for (const [stream, seq] of mark.streams) {
    const found = census.streams.get(stream) ?? 0;
    if (found >= seq || isDeleted(stream)) continue;
    known += seq - found;
    const where = stream === 'app' ? 'settings' : `session ${stream}`;
    places.push(`${where}: ${span(found + 1, seq)}${found === 0 ? ' (all of it)' : ''}`);
  }
  const missing = Math.max(known, mark.events - census.events);
  const returned = Math.max(0, mark.deletions - census.deletions);
  if (missing <= 0 && returned === 0) return [];
  const parts: string[] = [];
  if (missing > 0) {
    const where = places.length > 0 ? ` (${listed(places)})` : '';
    parts.push(`${missing} recorded ${missing === 1 ? 'entry is' : 'entries are'} missing${where}`);
  }
  if (returned > 0) parts.push(`${returned} deleted session${returned === 1 ? ' is' : 's are'} back`);
  const key = `loss ${mark.events}/${mark.deletions} ${census.events}/${census.deletions}`;
  return [{ kind: 'loss', key, text: parts.join(', and '), session_id: null }];
}

function checkStructure(db: Connection, file: string): Finding[] {
  const small = statSync(file).size <= largestCheck;
  const tables = small ? [''] : ['(sessions)', '(tombstones)'];
  const said = tables.flatMap((table) =>
    (db.prepare(`PRAGMA quick_check${table}`).all() as { quick_check: string }[])
      .map((row) => row.quick_check)
      .filter((line) => line !== 'ok'),
  );
  return said.length === 0 ? [] : [damageOf(listed(said.map((line) => line.replaceAll(/\s+/g, ' '))))];
}

export function damageOf(detail: string): Finding {
  return { kind: 'damage', key: 'damage', text: `the file is damaged (${detail})`, session_id: null };
}

/** Sessions whose summary speaks of events that are not there; it may lag behind them in the middle of a turn. */
function compareSummaries(db: Connection, { streams }: Census): Finding[] {
  const rows = db
    .prepare(
      `SELECT session_id, CASE WHEN json_valid(summary) THEN json_extract(summary, '$.last_seq') END AS seq FROM sessions`,
    )
    .all() as { session_id: string; seq: unknown }[];
  return rows.flatMap(({ session_id, seq }) => {
    const last = streams.get(session_id) ?? 0;
    if (typeof seq === 'number' && seq <= last) return [];
    const says = typeof seq === 'number' ? `ends at entry ${seq}` : 'cannot be read';
    return [sessionFinding(session_id, `its summary ${says}, and its last entry is ${last}`)];
  });
}

function findHoles(db: Connection): Finding[] {
  const rows = db
    .prepare(
      `SELECT stream, count(*) AS count, max(seq) AS last, min(seq) AS first FROM events
       WHERE stream NOT IN (SELECT session_id FROM tombstones)
       GROUP BY stream HAVING count <> last OR first <> 1`,
    )
    .all() as { stream: string; count: number; last: number }[];
  return rows.map(({ stream, count, last }) =>
    sessionFinding(stream, `${last - count} of its ${last} entries are missing in between`),
  );
}

function sessionFinding(session_id: string, what: string): Finding {
  return {
    kind: 'session',
    key: `session ${session_id}`,
    text: `session ${session_id}: ${what}`,
    session_id,
  };
}

/**
 * Looks at the opened journal, changing nothing. The numbers are compared at every start; the whole file is read only
 * when the last run did not end in order, and up to a size. `mark` is null where none was kept.
 */
export function examineJournal(
  db: Connection,
  file: string,
  mark: Mark | null,
): { readonly findings: readonly Finding[]; readonly census: Census | null } {
  try {
    const damage = mark?.clean ? [] : checkStructure(db, file);
    const census = takeCensus(db);
    const deleted = db.prepare('SELECT 1 FROM tombstones WHERE session_id = ?');
    const loss = mark ? lossAgainst(mark, census, (stream) => deleted.all(stream).length > 0) : [];
    const sessions = new Map(
      [...compareSummaries(db, census), ...(mark?.clean ? [] : findHoles(db))].map((one) => [one.key, one]),
    );
    return { findings: [...damage, ...loss, ...sessions.values()], census };
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(errorCode(error))) throw error;
    return { findings: [damageOf(error instanceof Error ? error.message : String(error))], census: null };
  }
}
