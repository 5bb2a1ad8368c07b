import type { DefinitionChange } from './call-data';
import type { Failure } from './failure';
import type { JsonObject, JsonSchema } from './json';
import type { Classification, Effort, Mode, ModelPrice, ToolFacts } from './vocabulary';

/** One problem of a bundle or a configuration file, with place and remedy in its message. */
export interface Problem extends Failure {
  /** The file, relative to the bundle or as the person knows it. */
  readonly file: string;
  /** Line, from 1, where it is known. */
  readonly line?: number;
  /** An error keeps the coworker from running; a warning does not. */
  readonly severity: 'error' | 'warning';
}

/** What the window shows of a coworker in a list. */
export interface CoworkerCard {
  readonly id: string;
  readonly name: string;
  readonly tagline: string;
  readonly description: string;
  /** Name of an icon of the set. */
  readonly icon: string;
  readonly version: string;
  readonly default_mode: Exclude<Mode, 'bypass'>;
  readonly recommended_models: readonly string[];
  /** Qualified names as tools.json lists them. */
  readonly tools: readonly string[];
  readonly skills: readonly string[];
  readonly source: 'shipped' | 'folder';
  readonly problems: readonly Problem[];
}

export type ProviderKind =
  'anthropic' | 'openai' | 'google' | 'openai-compatible' | 'ollama' | 'lmstudio' | 'practice';

export interface ModelFacts {
  readonly name: string;
  readonly label: string;
  /** Null where nobody says so. */
  readonly sees_images: boolean | null;
  /** Tokens that fit into one request, answer included; absent where nobody says so. */
  readonly context_window?: number;
  /** Settings of effort that the model takes; absent where it takes none. */
  readonly efforts?: readonly Effort[];
  readonly price?: ModelPrice;
}

/** A provider as it is now: `ready` only after its endpoint really answered with models. */
export interface ProviderStatus {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly label: string;
  readonly base_url: string | null;
  readonly state: 'ready' | 'needs_key' | 'not_running' | 'checking' | 'failed';
  readonly error: Failure | null;
  /** Where the key lies; its value never leaves main. */
  readonly key: 'none' | 'keychain' | 'session' | 'environment' | 'not_needed';
  readonly models: readonly ModelFacts[];
}

/** A configured MCP server. State comes from a real catalog call, never from a process that merely started. */
export interface ServerStatus {
  readonly name: string;
  readonly transport: 'stdio' | 'streamable_http' | 'sse';
  /** The full command line or address, as it is configured. */
  readonly target: string;
  /** The boundary that its code runs in: `remote` where it is reached over HTTP. */
  readonly placement: 'host' | 'sandbox' | 'openshell' | 'remote';
  /** `disabled`: the configuration says so; `untrusted`: nobody has accepted this launch yet. Neither is ever started. */
  readonly state: 'disabled' | 'untrusted' | 'not_started' | 'starting' | 'ready' | 'failed';
  /** What a person accepts, or has to accept before it starts; null where the servers are the owner's own word. */
  readonly trust: ServerTrust | null;
  /** Starts after the first one of this run of the app. */
  readonly restarts: number;
  readonly tools: number | null;
  readonly protocol_version: string | null;
  readonly latency_ms: number | null;
  readonly error: Failure | null;
  /** Lines that were no protocol message, and were skipped. */
  readonly skipped_lines: number;
  /** Tail of the server's own output on stderr: plain log, not an error. */
  readonly log: readonly string[];
}

/**
 * How a tool's schema is changed on the way to a model, which then may propose arguments that the author's schema refuses:
 * alternatives at the root are joined; a root that is no object, or parts of it, take anything; references are replaced
 * by what they point at; words that the provider does not know are left out.
 */
export type SchemaAdaptation =
  'root_joined' | 'root_opened' | 'parts_opened' | 'references_inlined' | 'words_dropped';

/** In which form a tool reaches the models of one family of providers; as it is, where there is no adaptation. */
export interface ToolFit {
  readonly family: 'anthropic' | 'openai' | 'google' | 'compatible';
  readonly adaptations: readonly (SchemaAdaptation | 'name_shortened')[];
}

/** What starts under a server's name, and whether a person has accepted exactly that. */
export interface ServerTrust {
  readonly state: 'trusted' | 'new' | 'changed';
  /** SHA-256 over the canonical JSON of the facts. */
  readonly digest: string;
  /**
   * Transport with program, arguments, environment, folder and boundary, or address and headers, as configured; and the
   * SHA-256 of each file of the person's or a bundle's own that the command names.
   */
  readonly facts: JsonObject;
  /** Field by field, from what was accepted last; empty unless it has changed. */
  readonly changes: readonly DefinitionChange[];
}

/** A tool as its server offers it now, and what it may do here. */
export interface ServerTool {
  readonly qualified_name: string;
  readonly title?: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
  /** Null where the tool cannot be used. */
  readonly pin: string | null;
  readonly classification: Classification;
  /** `host`: what every tool that nobody vetted counts as; `person`: for exactly this definition. */
  readonly classified_by: 'host' | 'person';
  /** ISO 8601, UTC; null for the host. */
  readonly classified_at: string | null;
  /** The server's own hints: they can make the app more careful, never less. */
  readonly hints: JsonObject;
  /** For each family of providers; empty where the tool cannot be used at all. */
  readonly fits: readonly ToolFit[];
  /** Why it cannot be used, or null. */
  readonly problem: Failure | null;
}

/** Everything about a tool that a person may look at before it runs. */
export interface ToolDefinition extends ToolFacts {
  readonly input_schema: JsonSchema;
}
