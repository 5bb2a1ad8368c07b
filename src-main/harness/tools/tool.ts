import type {
  Classification,
  Failure,
  Json,
  JsonObject,
  JsonSchema,
  Placement,
  Presentation,
  ToolOrigin,
} from '../protocol';

/** What a tool says of itself (S0-28). Shown to people and models; covered by the definition pin (C7). */
export interface ToolDescriptor {
  readonly qualified_name: string;
  readonly title?: string;
  readonly description: string;
  /** JSON Schema of the arguments; its root describes an object. */
  readonly input_schema: JsonSchema;
  readonly output_schema?: JsonSchema;
  /** Hints of an MCP server; covered by the pin, never believed. */
  readonly annotations?: JsonObject;
  /** Version of the implementation; keep it accurate (S0-59). */
  readonly version: string;
}

/** Progress of a running call. `fraction` is the share done, 0 to 1. */
export interface ToolProgress {
  readonly message: string;
  readonly data?: Json;
  readonly fraction?: number;
}

/** What the harness gives a running call (S0-30). Ids are the harness's own (S1-45, S1-48, S1-88). */
export interface ToolContext {
  readonly session_id: string;
  readonly turn_id: string;
  readonly call_id: string;
  readonly qualified_name: string;
  readonly model_alias: string;
  /** Absolute real path of the session's folder, or null when it has none. */
  readonly workspace: string | null;
  /** Aborted by Stop, by the end of the session and by the call's own time limit. Listen to it. */
  readonly signal: AbortSignal;
  /** Reports progress; cheap, never blocks, and ignored once the call has ended. */
  progress(progress: ToolProgress): void;
}

/** PNG or JPEG bytes that the harness keeps for minutes in memory only (S1-63..S1-73). */
export interface ToolImage {
  readonly media_type: 'image/png' | 'image/jpeg';
  readonly data: Uint8Array;
}

/** A result (S0-31, S0-33). `text` is what the model reads; absent, it is the JSON text of `structured`. */
export interface ToolOutput {
  readonly structured?: Json;
  readonly text?: string;
  readonly image?: ToolImage;
}

/**
 * A recoverable failure whose outcome the tool can describe honestly (S0-32, S0-80): return or throw it, and the model
 * reads it. Any other throw of a native tool means that nobody knows what happened (S0-78).
 */
export class ToolError extends Error {
  readonly code: string;
  readonly data: JsonObject | undefined;
  constructor(code: string, message: string, data?: JsonObject) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
    this.data = data;
  }
}

/**
 * Live state of a tool between and around calls. All of it is synchronous, returns at once and never throws on purpose;
 * a hook that throws or dawdles is left out and reported, and stops nothing else.
 */
export interface ToolHooks {
  /**
   * Facts for the model, collected anew for every attempt of a coworker that selected the tool (S0-04..S0-06): plain
   * JSON of at most 4 KB, never credentials, pixels or private payloads (S0-07..S0-09). Null: nothing to say.
   */
  modelContext?(sessionId: string): JsonObject | null;
  /** The turn has ended. Without it `revoke` is called (S0-11); a tool with expiring consent may keep access (S0-12). */
  turnFinished?(sessionId: string, completed: boolean): void;
  /** Gives up what the person allowed for this session; called by cancellation and session close (S0-13). */
  revoke?(sessionId: string): void;
  /** Asked before each time that an image of the tool goes to a model (S0-14, S0-36); absent: yes. */
  mayForwardImage?(sessionId: string): boolean;
}

/** A tool that is part of the app's own code: trusted, in-process, never placed in a sandbox (S0-61, S0-62). */
export interface NativeTool extends ToolHooks {
  descriptor(): ToolDescriptor;
  /** Arguments have passed the input schema. Safe for concurrent sessions; obeys `context.signal` (S0-70, S0-71). */
  call(context: ToolContext, args: JsonObject): Promise<ToolOutput | ToolError>;
}

/** What the host, not the tool, decides at registration (S0-67, S1-08). */
export interface RegistrationOptions {
  readonly classification?: Classification;
  /**
   * How arguments are shown. `command`: `command` is shell text or `argv` its words, in `cwd`; what it runs is read, and
   * patterns may name it. `write`: the whole new `content` of the file at `path`. `patch`: `patch` is a unified diff.
   * `message`: whom it reaches and what it says come first.
   */
  readonly presentation?: Presentation;
}

/** How a call of any kind of tool ended. `may_have_run`: it began, and nobody can say what it did. */
export type ToolEnd =
  | { readonly type: 'output'; readonly output: ToolOutput }
  /** The tool said that it failed; the model reads it. */
  | { readonly type: 'error'; readonly error: Failure; readonly output?: ToolOutput }
  /** It began and what it did is unknown: ends the turn, never replayed. */
  | { readonly type: 'unknown'; readonly error: Failure };

/** Any callable tool as the call boundary sees it: native, callback and MCP look alike from here (S0-27). */
export interface Tool {
  readonly descriptor: ToolDescriptor;
  readonly model_alias: string;
  readonly origin: ToolOrigin;
  readonly placement: Placement;
  readonly classification: Classification;
  readonly presentation: Presentation;
  /** Definition pin (C7). */
  readonly pin: string;
  /** Where the definition comes from, as configured: what the pin covers beside the descriptor. */
  readonly origin_facts: JsonObject & { readonly kind: string };
  /** Empty for a tool of a server: it lives elsewhere. */
  readonly hooks: ToolHooks;
  /** Never throws: whatever happens is one of the three ends. */
  run(context: ToolContext, args: JsonObject): Promise<ToolEnd>;
}

/** The tools of one namespace at this moment, as a server or an application offers them. */
export interface Catalog {
  readonly namespace: string;
  /** Usable tools by their exact local name. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Tools that are offered and cannot be used, by local name, each with its reason. */
  readonly unusable: ReadonlyMap<string, Failure>;
}

/** Where catalogs come from (S0-55). Discovery happens at turn preparation and starts what it needs. */
export interface CatalogSource {
  readonly namespace: string;
  /** Transport and launch or address, as configured, references to secrets unresolved: part of the execution identity. */
  readonly origin: JsonObject;
  /** A fresh catalog, or why there is none. Obeys `signal`. */
  discover(
    scope: { readonly session_id: string; readonly workspace: string | null },
    signal: AbortSignal,
  ): Promise<
    { readonly ok: true; readonly value: Catalog } | { readonly ok: false; readonly error: Failure }
  >;
}
