import type { Answer, ShownRequest, StandingAnswer } from '../approvals';
import type { Guardrails } from '../guardrails';
import type { ImageStore } from '../images';
import type { Journal } from '../journal';
import type {
  ApprovalRequested,
  Effort,
  IdentityPart,
  Mode,
  ModelChoice,
  Result,
  SessionEvent,
  SessionLimits,
  SessionSummary,
  Signal,
  ToolDefinition,
} from '../protocol';
import type { TurnEnd } from '../turn';
import type { SchemaCompiler } from '../validation';
import type { PermissionDeps } from './permissions';
import type { PrepareDeps } from './prepare';

export type IdKind =
  | 'session'
  | 'turn'
  | 'message'
  | 'approval'
  | 'grant'
  | 'queued'
  | 'call'
  | 'pause'
  | 'compaction'
  | 'image';

export interface SessionDeps extends PrepareDeps, PermissionDeps {
  readonly journal: Journal;
  readonly schemas: SchemaCompiler;
  readonly guardrails: Guardrails;
  readonly images: ImageStore;
  /** Whether this host advertises `application_tool_images` (S1-66). */
  readonly forwardsImages: boolean;
  /** Takes plain lines for the host's log. Never a secret. */
  readonly log: (line: string) => void;
  readonly standing: StandingAnswer;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly newId: (kind: IdKind) => string;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called after each commit. */
  readonly onSummary: (summary: SessionSummary) => void;
}

export interface SubmittedFile {
  readonly name: string;
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

export interface Submission {
  readonly text: string;
  readonly files: readonly SubmittedFile[];
  readonly mentions: readonly string[];
}

export interface SessionPush {
  /** Newest screen first, then older pages, then whatever is recorded next; the reducer takes any order. */
  readonly events: readonly SessionEvent[];
  readonly signals: readonly Signal[];
  /** True on the push that reached the newest event at subscription, and on every later one. */
  readonly caught_up: boolean;
  /** Lowest sequence number that has been pushed so far; one more than `afterSeq` when all was. */
  readonly from_seq: number;
}

/** Whether the session may go on in this app as it is now (S0-58). */
export type SessionStanding =
  | { readonly type: 'current' }
  /** Readable; goes on only as a new session that carries the visible history over. */
  | { readonly type: 'changed'; readonly parts: readonly IdentityPart[]; readonly reason: string };

/** A turn that has begun; `done` settles, and never rejects, when it has ended. */
export interface BegunTurn {
  readonly turn_id: string;
  readonly done: Promise<TurnEnd>;
}

export type Settlement = 'happened' | 'did_not_happen' | 'run_again';

/** One conversation: one turn at a time, the only writer of its stream. */
export interface Session {
  readonly session_id: string;
  /** Records the message and begins its turn behind the head of the branch that is looked at. */
  submit(submission: Submission): Result<BegunTurn>;
  /** The message of `turnId` in other words: begins a branch beside that turn. Attachments of the turn stay. */
  edit(turnId: string, submission: Submission): Result<BegunTurn>;
  /** The message of `turnId` once more as it was: a branch beside that turn. */
  regenerate(turnId: string): Result<BegunTurn>;
  /** Goes on from the head, which failed or was stopped, without a new message. What completed stays. */
  retry(): Result<BegunTurn>;
  /** Looks at the branch of this turn, to its newest end. Refused while a turn runs. */
  selectBranch(turnId: string): Result<null>;
  /** Keeps a message until the turn has completed, or until its next request to the model. Sends at once when idle. */
  queue(
    submission: Submission,
    delivery: 'next_turn' | 'this_turn',
  ): Result<{ readonly queued_id: string | null }>;
  unqueue(queuedId: string): Result<null>;
  /** Sends the oldest queued message now; they are held back after a stop, a failure and a restart. */
  sendQueued(): Result<BegunTurn>;
  /** A person's word on a call of unknown outcome. `run_again` begins a turn with that call and a fresh approval. */
  settle(turnId: string, callId: string, settlement: Settlement, note: string): Result<BegunTurn | null>;
  /** Answers a turn that stands at a limit. */
  answerPause(pauseId: string, goOn: boolean): Result<null>;
  /** Whether a turn runs or waits for a person. */
  busy(): boolean;
  /** Stops the running or waiting turn; ok also when there is none. Settles when nothing runs any more. */
  stop(): Promise<void>;
  /** Answers a request, once, and for exactly what was shown; `stale_answer` says what is no longer so. */
  answer(approvalId: string, shown: ShownRequest, answer: Answer): Result<null>;
  /** The request as it was shown, while it waits. */
  request(approvalId: string): Result<ApprovalRequested>;
  /** Takes back a permission that was given for this session; it covers nothing from the next call on. */
  revokeGrant(grantId: string): Result<null>;
  rename(title: string): Result<null>;
  archive(archived: boolean): Result<null>;
  setModel(model: ModelChoice): Result<null>;
  setMode(mode: Mode): Result<null>;
  setEffort(effort: Effort | null): Result<null>;
  setLimits(limits: SessionLimits): Result<null>;
  /** Compares the recorded execution identity with this app's now (S0-57, S0-58). */
  standing(signal: AbortSignal): Promise<Result<SessionStanding>>;
  /** Definitions of the tools that the coworker gets now; discovers catalogs. */
  tools(signal: AbortSignal): Promise<Result<readonly ToolDefinition[]>>;
  readonly workspace: string | null;
  readonly coworker_id: string;
  /** The newest events first, older ones after, then each new one: all after `afterSeq`. The answer ends it. */
  subscribe(afterSeq: number, listener: (push: SessionPush) => void): () => void;
  /** Ends what runs as `interrupted`; a turn that only waits for a person stays answerable after a restart. */
  close(): Promise<void>;
}
