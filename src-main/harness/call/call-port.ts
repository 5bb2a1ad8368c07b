import type {
  ApprovalDesk,
  ClassifiedAs,
  CommandFacts,
  Ledger,
  StandingAnswer,
  StandingGrant,
} from '../approvals';
import type { Guardrails } from '../guardrails';
import type { ImageStore } from '../images';
import type { CallRerun, JsonObject, Mode, NewSessionEvent, Result, SessionEvent, Signal } from '../protocol';
import type { Tool } from '../tools';
import type { SchemaCompiler } from '../validation';
import type { PreparedCall } from './prepare-call';

/** The session's one writer: commits in one transaction, then publishes. A failure means that nothing was recorded. */
export type Recorder = (events: readonly NewSessionEvent[]) => Result<readonly SessionEvent[]>;

export interface CallDeps {
  readonly record: Recorder;
  /** As `record`, together with what the sibling calls have to record in the same microtask or tick. */
  readonly gather: (
    events: readonly NewSessionEvent[],
    within: 'microtask' | 'tick',
  ) => Promise<ReturnType<Recorder>>;
  /** Passing facts for whoever watches; kept nowhere. */
  readonly emit: (signal: Signal) => void;
  readonly desk: ApprovalDesk;
  readonly standing: StandingAnswer;
  readonly schemas: SchemaCompiler;
  /** Grants of this coworker for the tool; read at the moment of decision, so a new one holds for the very next call. */
  readonly grants: (coworkerId: string, qualifiedName: string) => readonly StandingGrant[];
  readonly ledger: Pick<Ledger, 'make' | 'used'>;
  /** What the tool may do, and who says so; read at the moment of decision. */
  readonly classified: (tool: Tool) => ClassifiedAs;
  /** The session's mode now, and when it was chosen; a change holds for the very next call. */
  readonly mode: () => { readonly mode: Mode; readonly at: string | null };
  /** Digest of the session's execution identity, or null. */
  readonly identity: string | null;
  /** What the command of these arguments is; null for a tool that runs none. */
  readonly command: (tool: Tool, args: JsonObject) => CommandFacts | null;
  /** The path with its links followed; null where that cannot be told. */
  readonly realPath: (absolute: string) => string | null;
  /** Milliseconds after which a request expires; null: never. */
  readonly expiryMs: () => number | null;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly newId: (kind: 'approval' | 'grant') => string;
  readonly guardrails: Guardrails;
  readonly images: Pick<ImageStore, 'put'>;
  /** Takes plain lines for the host's log: names and ids, never arguments, results or secrets. */
  readonly log: (line: string) => void;
}

/** One call of a turn, with the tool that the turn's selection resolved for its alias (null: none). */
export interface CallPlan {
  readonly session_id: string;
  readonly turn_id: string;
  readonly coworker_id: string;
  readonly workspace: string | null;
  /** What `prepareCall` answered for this call; its proposal is on record, or is recorded with the first event here. */
  readonly prepared: PreparedCall;
  readonly tool: Tool | null;
  /** Aliases of the selection, named to the model when it calls something else. */
  readonly aliases: readonly string[];
  /** A request of before a restart that still waits for an answer. */
  readonly pending: {
    readonly approval_id: string;
    readonly arguments_digest: string;
    readonly pin: string;
  } | null;
  /**
   * A call of unknown outcome that a person has run again. They are asked afresh, whatever grants, class or Bypass would
   * allow; Read only still refuses. Its start settles the first one.
   */
  readonly rerun: CallRerun | null;
}

/** `answered`: the model can go on. The others end the turn. */
export type CallEnd =
  | { readonly type: 'answered' }
  | { readonly type: 'unknown' }
  | { readonly type: 'not_recorded'; readonly error: Extract<Result<never>, { ok: false }>['error'] };
