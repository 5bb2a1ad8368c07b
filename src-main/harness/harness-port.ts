import type { StandingAnswer } from './approvals';
import type { Guardrail } from './guardrails';
import type { Attachment } from './journal';
import type { OwnerProvider, PracticeAct, ProviderDirectory, SecretStore } from './model';
import type {
  ArgumentPattern,
  CoworkerCard,
  Effort,
  GrantEntry,
  ImageReference,
  Json,
  LastingScope,
  Mode,
  ModelChoice,
  Problem,
  ProviderStatus,
  RequestReading,
  Result,
  ScopePreview,
  ServerStatus,
  ServerTool,
  SessionSummary,
  ToolClassified,
} from './protocol';
import type { Session } from './session';
import type { RegistryBuilder } from './tools';

/** What changed, for whoever shows it. Lists are whole; session summaries come one by one. */
export type HarnessNotice =
  | { readonly type: 'session_changed'; readonly summary: SessionSummary }
  | { readonly type: 'session_removed'; readonly session_id: string }
  /** The latest image of the session came, went or expired; ask `images.latest`. */
  | { readonly type: 'image_changed'; readonly session_id: string }
  | { readonly type: 'providers_changed'; readonly providers: readonly ProviderStatus[] }
  | { readonly type: 'servers_changed'; readonly servers: readonly ServerStatus[] }
  /** A permission that outlives its session came, went or lapsed, or a tool was classified. */
  | { readonly type: 'grants_changed' }
  | { readonly type: 'settings_changed'; readonly settings: Readonly<Record<string, Json>> };

export interface HarnessOptions {
  /** Absolute path of the data folder; created when missing. One process at a time uses it. */
  readonly dataFolder: string;
  readonly appVersion: string;
  /** Folders whose subfolders are bundles. */
  readonly libraryFolders: readonly { readonly folder: string; readonly source: CoworkerCard['source'] }[];
  /** Single bundles that the owner of this run vouches for. */
  readonly bundleFolders: readonly string[];
  /** Absolute path of servers.json, or null for no servers. A missing file is no servers. */
  readonly serversFile: string | null;
  /**
   * `owner`: who opens the harness vouches for what the file starts; `recorded`: a person accepts each launch once, and
   * what changes waits for them.
   */
  readonly serversTrust: 'owner' | 'recorded';
  /** Registers the host's native tools, with their classification. */
  readonly registerNative: (registry: RegistryBuilder) => Result<null>;
  readonly secrets: SecretStore;
  /** The one provider of this run, chosen by its owner; its id is its kind. Null: the configured providers. */
  readonly ownerProvider: OwnerProvider | null;
  /** Value of `${secret:NAME}` in servers.json, or null. */
  readonly resolveSecret: (name: string) => string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** SHA-256 over the app's own built code (`codeDigest`), part of every execution identity (S0-57); null: none is kept. */
  readonly codeDigest: string | null;
  /** Whether images of tools may go to models that see: the host advertises `application_tool_images` (S1-66). */
  readonly toolImages: boolean;
  /** Guardrails of the host beside the built-in ones; which tools they look at says the guardrails file (S1-43). */
  readonly guardrails?: readonly Guardrail[];
  /** Absolute path of guardrails.json, or null. A missing file is no configuration: the built-in ones look at every tool. */
  readonly guardrailsFile: string | null;
  /** How this host answers approvals; `ask` leaves them to `Session.answer`. */
  readonly standing: StandingAnswer;
  /** Receives plain lines for the host's log. Never a secret. */
  readonly log: (line: string) => void;
}

export interface NewSession {
  readonly coworker_id: string;
  readonly model: ModelChoice;
  readonly mode: Mode;
  /** Absent and null are the model's own default. */
  readonly effort?: Effort | null;
  /** Absolute path, or null. */
  readonly workspace: string | null;
}

export interface LatestImage {
  readonly reference: ImageReference;
  readonly qualified_name: string;
  readonly turn_id: string;
  readonly call_id: string;
  /** Milliseconds until it is forgotten. */
  readonly remaining_ms: number;
}

/** The door of the runtime: everything that a window, the command line or an application does goes through here. */
export interface Harness {
  readonly sessions: {
    /** Newest first. */
    list(): readonly SessionSummary[];
    create(fresh: NewSession): Promise<Result<{ readonly session_id: string }>>;
    /** The open session, opened when it is not yet. */
    get(sessionId: string): Result<Session>;
    /** Stops it and deletes its whole stream; only a person's act leads here. */
    delete(sessionId: string): Promise<Result<null>>;
    /** A new session with the visible history of this one, under this app's execution identity (S0-58). */
    continueAsNew(sessionId: string): Promise<Result<{ readonly session_id: string }>>;
    attachment(sessionId: string, digest: string): Result<Attachment>;
    /** Files of the session's workspace that fit `query`, best first, relative with `/`. */
    mentionable(sessionId: string, query: string, signal: AbortSignal): Promise<Result<readonly string[]>>;
  };
  readonly images: {
    /** The latest image of the session while it lives; its pixels are kept in memory only (S1-72). */
    latest(sessionId: string): LatestImage | null;
    bytes(sessionId: string, imageId: string): Uint8Array | null;
  };
  /** What this host offers to applications and tools, by the documents' names. */
  readonly capabilities: readonly 'application_tool_images'[];
  readonly journal: {
    /** What is wrong with the journal; an error means that nothing is recorded. May grow while it is read. */
    readonly problems: readonly Problem[];
    /** The person goes on without entries that are missing; refused where the file itself is damaged. */
    acceptLoss(): Result<null>;
  };
  readonly coworkers: {
    /** Read anew at each call. */
    list(): Promise<readonly CoworkerCard[]>;
  };
  readonly approvals: {
    /** What the arguments of a waiting request come to, as it is now. */
    reading(sessionId: string, approvalId: string): Promise<Result<RequestReading>>;
  };
  /** Remembered permissions, over all sessions. */
  readonly grants: {
    /** The newest first; those that have ended too. */
    list(): Result<readonly GrantEntry[]>;
    /** Takes a permission back: it covers nothing from the next call on. Ok also where it has ended already. */
    revoke(grantId: string): Result<null>;
    /** What a wider scope for this waiting request would have covered among the calls on record. */
    preview(
      sessionId: string,
      approvalId: string,
      scope: LastingScope,
      pattern: ArgumentPattern,
    ): Result<ScopePreview>;
  };
  readonly providers: ProviderDirectory;
  readonly servers: {
    statuses(): readonly ServerStatus[];
    /** Problems of servers.json; with any of severity error no server is registered. */
    readonly problems: readonly Problem[];
    readonly file: string | null;
    /** The person lets start what they were shown; `stale_answer` where it is another by now. */
    accept(name: string, digest: string): Result<null>;
    /** Ends and starts the server, also after too many failures; answers whether its tools could be listed. */
    restart(name: string, signal: AbortSignal): Promise<Result<null>>;
    /** Everything that the server offers now; asks it. */
    tools(name: string, signal: AbortSignal): Promise<Result<readonly ServerTool[]>>;
    /** The person's word on tools of servers, each for exactly this definition; null takes it back. */
    classify(tools: readonly ToolClassified[]): Result<null>;
  };
  /** Files of a folder that fit `query`, best first, relative with `/`. */
  filesOf(folder: string, query: string, signal: AbortSignal): Promise<Result<readonly string[]>>;
  readonly settings: {
    get(): Readonly<Record<string, Json>>;
    set(key: string, value: Json): Result<null>;
  };
  /** The person plays the practice model. */
  practice(sessionId: string, turnId: string, act: PracticeAct): Result<null>;
  listen(listener: (notice: HarnessNotice) => void): () => void;
  /** Ends what runs, keeps what waits for a person answerable, stops servers, frees the data folder. */
  close(): Promise<void>;
}
