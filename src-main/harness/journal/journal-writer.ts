import {
  eventVersion,
  foldSummary,
  type AppEvent,
  type AppEventData,
  type DecisionRule,
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

/** Runs inside a transaction; `before` is the summary of what is there. */
function insertRows(
  { sql, now }: WriterDeps,
  session_id: string,
  before: SessionSummary | null,
  events: readonly UnnumberedEvent[],
  attachments: readonly Attachment[],
): Committed {
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
    const grantId = type === 'tool_started' ? (data.rule as DecisionRule | undefined)?.grant_id : undefined;
    if (grantId !== undefined) sql.useGrant.run(grantId, at);
    summary = foldSummary(summary, event);
  }
  for (const file of attachments) {
    bytes += file.bytes.length;
    sql.putAttachment.run(session_id, file.digest, file.media_type, Buffer.from(file.bytes));
  }
  return { committed, summary, last: seq, bytes };
}

/** Runs inside a transaction. */
function insertAll(
  deps: WriterDeps,
  session_id: string,
  events: readonly UnnumberedEvent[],
  attachments: readonly Attachment[],
): Committed {
  const { sql, known } = deps;
  const before = summaryOf(sql, known, session_id);
  const done = insertRows(deps, session_id, before, events, attachments);
  if (done.summary && mustStore(before, done.summary, done.committed)) {
    sql.putSummary.run(session_id, JSON.stringify(done.summary));
  }
  return done;
}

/** Events that one transaction deletes: all of an ordinary session with its tombstone, less where others wait behind. */
const sliceEvents = { first: 4_000, next: 1_000 } as const;
/** Attached bytes that one transaction deletes; the file that reaches it is the last. */
const sliceBytes = 8 * 1_024 * 1_024;

/** Runs inside a transaction; answers whether something of the session is left. */
function deleteSlice(sql: Statements, sessionId: string, events: number): boolean {
  const last = lastSeq(sql, sessionId);
  // From the end, so that what is left has no hole.
  sql.deleteEventsAfter.run(sessionId, Math.max(0, last - events));
  if (last > events) return true;
  let bytes = 0;
  for (const file of sql.attachmentSizes.all(sessionId) as { digest: string; bytes: number }[]) {
    if (bytes >= sliceBytes) return true;
    bytes += file.bytes;
    sql.deleteAttachment.run(sessionId, file.digest);
  }
  return false;
}

/** Runs inside a transaction; null where the session was deleted before. */
function beginDeletion({ sql, now }: WriterDeps, sessionId: string): { readonly left: boolean } | null {
  if (sql.isDeleted.all(sessionId).length > 0) return null;
  sql.tombstone.run(sessionId, new Date(now()).toISOString(), lastSeq(sql, sessionId));
  sql.deleteSummary.run(sessionId);
  sql.forgetUses.run(sessionId);
  sql.unhide.run(sessionId);
  return { left: deleteSlice(sql, sessionId, sliceEvents.first) };
}

/** The transactions of streams that nobody sees yet. */
function hiddenWriter(deps: WriterDeps) {
  const { db, sql, mark } = deps;
  return {
    /** Appends to a hidden stream, which is hidden from its first event on; `before` is the summary of what is there. */
    appendHidden(
      sessionId: string,
      before: SessionSummary | null,
      events: readonly UnnumberedEvent[],
      attachments: readonly Attachment[],
    ): Pick<Committed, 'summary' | 'bytes'> {
      const done = inTransaction(db, () => {
        sql.hide.run(sessionId);
        return insertRows(deps, sessionId, before, events, attachments);
      });
      mark.appended(sessionId, done.last, events.length);
      return done;
    },
    show(summary: SessionSummary): null {
      inTransaction(db, () => {
        sql.putSummary.run(summary.session_id, JSON.stringify(summary));
        sql.unhide.run(summary.session_id);
      });
      return null;
    },
  };
}

/** The transactions of the journal. They throw, and nothing of them is kept, when the disk does not take it. */
export function createWriter(deps: WriterDeps) {
  const { db, sql, known, mark, now } = deps;
  return {
    ...hiddenWriter(deps),
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
    /** Answers whether something of the session is left to `sweep`. A session that was deleted before stays so. */
    remove(sessionId: string): boolean {
      known.delete(sessionId);
      const begun = inTransaction(db, () => beginDeletion(deps, sessionId));
      if (begun) mark.deleted(sessionId);
      return begun?.left ?? false;
    },
    /** Deletes some more of a deleted session; answers whether something is left. */
    sweep: (sessionId: string): boolean =>
      inTransaction(db, () => deleteSlice(sql, sessionId, sliceEvents.next)),
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
