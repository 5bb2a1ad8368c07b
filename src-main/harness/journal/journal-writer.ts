import {
  eventVersion,
  foldSummary,
  type AppEvent,
  type AppEventData,
  type Json,
  type SessionEvent,
  type SessionSummary,
} from '../protocol';
import { inTransaction, type Connection } from './connection';
import type { EventRow } from './event-row';
import type { Attachment, UnnumberedEvent } from './journal-port';
import type { MarkKeeper } from './journal-mark';
import { lastSeq, type Statements } from './statements';
import { caughtUp, mustStore, parseSummary } from './stored-summary';

/** The stream of the app itself; no session has its name. */
export const appStream = 'app';

/** Summaries of the sessions that were appended to, as committed; the rest is read when it is asked for. */
export type KnownSummaries = Map<string, SessionSummary>;

export function summaryOf(sql: Statements, known: KnownSummaries, sessionId: string): SessionSummary | null {
  const cached = known.get(sessionId);
  if (cached) return cached;
  const [row] = sql.summary.all(sessionId) as { summary: string }[];
  const stored = row ? parseSummary(row.summary) : null;
  return stored && caughtUp(stored, (seq) => sql.read.all(sessionId, seq, -1) as EventRow[]);
}

export interface WriterDeps {
  readonly db: Connection;
  readonly sql: Statements;
  readonly known: KnownSummaries;
  readonly mark: MarkKeeper;
  readonly now: () => number;
}

interface Committed {
  readonly committed: readonly SessionEvent[];
  readonly summary: SessionSummary | null;
  /** The number of the last event. */
  readonly last: number;
  /** About how many bytes were written. */
  readonly bytes: number;
}

/** Runs inside a transaction. */
function insertAll(
  { sql, known, now }: WriterDeps,
  session_id: string,
  events: readonly UnnumberedEvent[],
  attachments: readonly Attachment[],
): Committed {
  const before = summaryOf(sql, known, session_id);
  let summary = before;
  let seq = summary?.last_seq ?? lastSeq(sql, session_id);
  let bytes = 0;
  const moment = new Date(now()).toISOString();
  const committed: SessionEvent[] = [];
  for (const { turn_id, type, data, at = moment } of events) {
    seq += 1;
    const text = JSON.stringify(data);
    bytes += text.length;
    sql.insert.run(session_id, seq, turn_id, type, eventVersion, at, text);
    const event = { seq, session_id, turn_id, type, version: eventVersion, at, data } as SessionEvent;
    committed.push(event);
    summary = foldSummary(summary, event);
  }
  for (const file of attachments) {
    bytes += file.bytes.length;
    sql.putAttachment.run(session_id, file.digest, file.media_type, Buffer.from(file.bytes));
  }
  if (summary && mustStore(before, summary, committed)) {
    sql.putSummary.run(session_id, JSON.stringify(summary));
  }
  return { committed, summary, last: seq, bytes };
}

/** Runs inside a transaction; answers false where the session was deleted before. */
function deleteAll({ sql, now }: WriterDeps, sessionId: string): boolean {
  if (sql.isDeleted.all(sessionId).length > 0) return false;
  sql.tombstone.run(sessionId, new Date(now()).toISOString(), lastSeq(sql, sessionId));
  sql.deleteEvents.run(sessionId);
  sql.deleteAttachments.run(sessionId);
  sql.deleteSummary.run(sessionId);
  return true;
}

/** The transactions of the journal. They throw, and nothing of them is kept, when the disk does not take it. */
export function createWriter(deps: WriterDeps) {
  const { db, sql, known, mark, now } = deps;
  return {
    append(
      sessionId: string,
      events: readonly UnnumberedEvent[],
      attachments: readonly Attachment[],
    ): Pick<Committed, 'committed' | 'bytes'> {
      if (events.length === 0 && attachments.length === 0) return { committed: [], bytes: 0 };
      try {
        const done = inTransaction(db, () => insertAll(deps, sessionId, events, attachments));
        if (done.summary) known.set(sessionId, done.summary);
        mark.appended(sessionId, done.last, events.length);
        return done;
      } catch (error) {
        // Whether a failed commit is in the file is asked of the file.
        known.delete(sessionId);
        throw error;
      }
    },
    /** A session that was deleted before stays so. */
    remove(sessionId: string): null {
      known.delete(sessionId);
      if (inTransaction(db, () => deleteAll(deps, sessionId))) mark.deleted(sessionId);
      return null;
    },
    putDefinitions(definitions: readonly { readonly pin: string; readonly definition: Json }[]): null {
      const unknown = definitions.filter(({ pin }) => sql.definition.all(pin).length === 0);
      if (unknown.length === 0) return null;
      return inTransaction(db, () => {
        for (const { pin, definition } of unknown) sql.putDefinition.run(pin, JSON.stringify(definition));
        return null;
      });
    },
    appendApp<T extends keyof AppEventData>(type: T, data: AppEventData[T]): AppEvent {
      const event = inTransaction(db, () => {
        const seq = lastSeq(sql, appStream) + 1;
        const at = new Date(now()).toISOString();
        sql.insert.run(appStream, seq, null, type, eventVersion, at, JSON.stringify(data));
        return { seq, type, version: eventVersion, at, data } as AppEvent;
      });
      mark.appended(appStream, event.seq, 1);
      return event;
    },
  };
}

export type JournalWriter = ReturnType<typeof createWriter>;
