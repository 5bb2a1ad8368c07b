import type {
  AppEvent,
  AppEventData,
  Json,
  NewSessionEvent,
  Problem,
  Result,
  SessionEvent,
  SessionEventOf,
  SessionSummary,
} from '../protocol';

/** Bytes that a session keeps under the SHA-256 of their content. */
export interface Attachment {
  readonly digest: string;
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

export interface GrantUse {
  readonly grant_id: string;
  readonly uses: number;
  /** ISO 8601, UTC. */
  readonly last_used_at: string;
}

/** An event before it is numbered; `at` is now unless given. */
export type UnnumberedEvent = NewSessionEvent & { readonly at?: string };

/**
 * A stream that is written in several transactions and that nobody sees before `show`: it is in no list and answers no
 * read. What the process leaves hidden, the next start removes.
 */
export interface HiddenStream {
  /** Numbers and commits the events (and attachments) behind those before. */
  append(events: readonly UnnumberedEvent[], attachments?: readonly Attachment[]): Result<null>;
  /** Makes it a session, in one transaction. */
  show(): Result<null>;
  /** Takes it back, as a deletion does. */
  discard(): Result<null>;
}

/**
 * The append-only log, the only durable truth about what happened. Calls are synchronous: when `append` answers ok the
 * events are on the disk. Nothing here throws for a full or failing disk. After an I/O error while writing, every
 * further write is refused with `journal_unavailable` until the journal is opened anew; a full disk can be tried again.
 */
export interface Journal {
  /** Numbers and commits the events (and attachments) of one session in one transaction. */
  append(
    sessionId: string,
    events: readonly UnnumberedEvent[],
    attachments?: readonly Attachment[],
  ): Result<readonly SessionEvent[]>;
  /** Begins a stream under an id that was never used. */
  hiddenStream(sessionId: string): HiddenStream;
  /** Events with `seq > afterSeq` in order, at most `limit`. */
  read(sessionId: string, afterSeq: number, limit: number): Result<readonly SessionEvent[]>;
  /** The newest events with `seq < beforeSeq`, in order, at most `limit`. */
  readBefore(sessionId: string, beforeSeq: number, limit: number): Result<readonly SessionEvent[]>;
  /**
   * What the session is, without its timeline: events about the session itself, openings and ends of turns, grants,
   * steered messages, compactions and settlements; in order. All of them unless a part is asked for: `seq > afterSeq`,
   * at most `limit`.
   */
  readKeyEvents(sessionId: string, afterSeq?: number, limit?: number): Result<readonly SessionEvent[]>;
  /** Grants and their ends in the streams of all sessions, by session, in order. */
  readGrantEvents(): Result<readonly (SessionEventOf<'grant_made'> | SessionEventOf<'grant_ended'>)[]>;
  /** How often each grant let a call run. */
  grantUses(): Result<readonly GrantUse[]>;
  /** Starts of calls of this tool over all sessions, the newest first, at most `limit`. */
  readPastCalls(qualifiedName: string, limit: number): Result<readonly SessionEventOf<'tool_started'>[]>;
  /** Keeps each definition under its pin; one that is there stays. */
  putDefinitions(definitions: readonly { readonly pin: string; readonly definition: Json }[]): Result<null>;
  /** The definition under a pin, or null. */
  definition(pin: string): Json | null;
  readAttachment(sessionId: string, digest: string): Result<Attachment>;
  /** Of all sessions; one whose events are there and whose summary cannot be read is folded anew. */
  summaries(): Result<readonly SessionSummary[]>;
  /** The summary of one session as last committed; null when there is none (any more). */
  summary(sessionId: string): SessionSummary | null;
  /**
   * Deletes the whole stream in one transaction and leaves a tombstone: from then on nothing of it is listed, read or
   * appended to. Its texts leave the files, also the copy from before a migration, in the same step; of a very long
   * session the rest follows in steps of their own, which `swept` waits for. Only a person's act leads here.
   */
  deleteSession(sessionId: string): Result<null>;
  /** Answers when no text of a deleted session is in the files any more, or why that has to wait for the next start. */
  swept(): Promise<Result<null>>;
  appendApp<T extends keyof AppEventData>(type: T, data: AppEventData[T]): Result<AppEvent>;
  readApp(): Result<readonly AppEvent[]>;
  /**
   * What is wrong with the recorded, in words for the person; empty when all is well. One array for the journal's life:
   * it grows when reading meets damage and shrinks with `acceptLoss`. Severity `error`: the whole journal is for
   * reading only. `warning`: one session is (`data.session_id`).
   */
  readonly problems: readonly Problem[];
  /**
   * The person goes on without the events that are missing; the journal takes events again. Refused where the file
   * itself is damaged. Only a person's act leads here.
   */
  acceptLoss(): Result<null>;
  close(): void;
}

export interface JournalDeps {
  /** Absolute path of the data folder; this process holds its lock. */
  readonly folder: string;
  /** Wall clock in milliseconds since 1970, for display. */
  readonly now: () => number;
  /** Largest size of the database in bytes; unbounded unless given. */
  readonly maxBytes?: number;
}
