import type { Answer, StandingAnswer } from '../approvals';
import type { Journal } from '../journal';
import type {
  Mode,
  ModelChoice,
  Result,
  SessionEvent,
  SessionSummary,
  Signal,
  ToolDefinition,
} from '../protocol';
import type { TurnEnd } from '../turn';
import type { SchemaCompiler } from '../validation';
import type { PrepareDeps } from './prepare';

export type IdKind = 'session' | 'turn' | 'message' | 'approval' | 'grant';

export interface SessionDeps extends PrepareDeps {
  readonly journal: Journal;
  readonly schemas: SchemaCompiler;
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
  readonly events: readonly SessionEvent[];
  readonly signals: readonly Signal[];
  /** True on the push that reached the end of what was recorded at subscription, and on every later one. */
  readonly caught_up: boolean;
}

/** One conversation: one turn at a time, the only writer of its stream. */
export interface Session {
  readonly session_id: string;
  /** Records the message and begins its turn; `done` settles, and never rejects, when the turn has ended. */
  submit(submission: Submission): Result<{ readonly turn_id: string; readonly done: Promise<TurnEnd> }>;
  /** Whether a turn runs or waits for a person. */
  busy(): boolean;
  /** Stops the running or waiting turn; ok also when there is none. Settles when nothing runs any more. */
  stop(): Promise<void>;
  answer(approvalId: string, argumentsDigest: string, answer: Answer): Result<null>;
  rename(title: string): Result<null>;
  archive(archived: boolean): Result<null>;
  setModel(model: ModelChoice): Result<null>;
  setMode(mode: Mode): Result<null>;
  /** Definitions of the tools that the coworker gets now; discovers catalogs. */
  tools(signal: AbortSignal): Promise<Result<readonly ToolDefinition[]>>;
  readonly workspace: string | null;
  readonly coworker_id: string;
  /** Every event after `afterSeq`, then each new one. The answer ends it. */
  subscribe(afterSeq: number, listener: (push: SessionPush) => void): () => void;
  /** Ends what runs as `interrupted`; a turn that only waits for a person stays answerable after a restart. */
  close(): Promise<void>;
}
