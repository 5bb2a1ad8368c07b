import {
  fail,
  ok,
  type AppEvent,
  type Json,
  type Result,
  type SessionEvent,
  type SessionSummary,
} from '../protocol';
import { toSessionEvent, type EventRow } from './event-row';
import type { Attachment, GrantUse, Journal } from './journal-port';
import { appStream, summaryOf, type KnownSummaries } from './journal-writer';
import type { Statements } from './statements';
import { caughtUp, parseSummary, summaryOfEvents } from './stored-summary';

function toAppEvent({ seq, type, version, at, data }: EventRow): AppEvent {
  return { seq, type, version, at, data: JSON.parse(data) as unknown } as AppEvent;
}

export interface ReadDeps {
  readonly sql: Statements;
  readonly known: KnownSummaries;
  /** Streams of which nothing is to be seen: hidden ones, and deleted ones that are not swept yet. */
  readonly concealed: ReadonlySet<string>;
  /** Puts what the work throws into a failure. */
  readonly guard: <T>(work: () => T) => Result<T>;
}

type Reads = Pick<
  Journal,
  | 'read'
  | 'readBefore'
  | 'readKeyEvents'
  | 'readGrantEvents'
  | 'grantUses'
  | 'readPastCalls'
  | 'definition'
  | 'readAttachment'
  | 'summaries'
  | 'summary'
  | 'readApp'
>;

/** The queries of the journal; they change nothing. */
export function journalReads({ sql, known, concealed, guard }: ReadDeps): Reads {
  const events = (sessionId: string, rows: () => unknown[]): Result<readonly SessionEvent[]> =>
    concealed.has(sessionId)
      ? ok([])
      : guard(() => (rows() as EventRow[]).map((row) => toSessionEvent(sessionId, row)));
  /** Rows of one type from the streams of all sessions that may be seen. */
  const across = <T extends SessionEvent>(rows: () => unknown[]): Result<T[]> =>
    guard(() =>
      (rows() as (EventRow & { stream: string })[])
        .filter(({ stream }) => stream !== appStream && !concealed.has(stream))
        .map((row) => toSessionEvent(row.stream, row) as T),
    );
  const after = (sessionId: string, seq: number): EventRow[] =>
    sql.read.all(sessionId, seq, -1) as EventRow[];
  const whole = (sessionId: string): SessionSummary | null => summaryOfEvents(sessionId, after(sessionId, 0));
  return {
    read: (sessionId, afterSeq, limit) => events(sessionId, () => sql.read.all(sessionId, afterSeq, limit)),
    readBefore: (sessionId, beforeSeq, limit) =>
      events(sessionId, () => sql.before.all(sessionId, beforeSeq, limit).reverse()),
    readKeyEvents: (sessionId, afterSeq = 0, limit = -1) =>
      events(sessionId, () => sql.keyEvents.all(sessionId, afterSeq, limit)),
    readGrantEvents: () => across(() => sql.grantEvents.all()),
    grantUses: () => guard(() => sql.grantUses.all() as GrantUse[]),
    readPastCalls: (qualifiedName, limit) => across(() => sql.pastCalls.all(qualifiedName, limit)),
    definition(pin) {
      const found = guard(() => {
        const [row] = sql.definition.all(pin) as { definition: string }[];
        return row ? (JSON.parse(row.definition) as Json) : null;
      });
      return found.ok ? found.value : null;
    },
    readAttachment(sessionId, digest) {
      const found = guard((): Attachment | null => {
        if (concealed.has(sessionId)) return null;
        const [row] = sql.attachment.all(sessionId, digest) as { media_type: string; bytes: Buffer }[];
        return row ? { digest, media_type: row.media_type, bytes: new Uint8Array(row.bytes) } : null;
      });
      if (!found.ok) return found;
      const missing = `The session keeps no attached file ${digest.slice(0, 12)}.`;
      return found.value ? ok(found.value) : fail('not_found', missing);
    },
    summaries() {
      const rows = guard(() => sql.summaries.all() as { session_id: string; summary: string }[]);
      if (!rows.ok) return rows;
      return ok(
        rows.value.flatMap(({ session_id, summary }) => {
          const stored = parseSummary(summary);
          if (stored) return [known.get(session_id) ?? caughtUp(stored, (seq) => after(session_id, seq))];
          const folded = guard(() => whole(session_id));
          return folded.ok && folded.value ? [folded.value] : [];
        }),
      );
    },
    summary(sessionId) {
      if (concealed.has(sessionId)) return null;
      const found = guard(() => summaryOf(sql, known, sessionId) ?? whole(sessionId));
      return found.ok ? found.value : null;
    },
    readApp: () => guard(() => (sql.read.all(appStream, 0, -1) as EventRow[]).map(toAppEvent)),
  };
}
