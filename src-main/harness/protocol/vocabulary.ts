/** The words of the product that travel in events. Each has one meaning; see docs/architecture.md. */

/** What a call may do (S1-08). `external` is the default for everything that nobody vetted (S0-67). */
export type Classification = 'read' | 'write' | 'exec' | 'external';

/** Where the code of a tool runs. It says nothing of what the tool may do (S1-08, S0-69). */
export type Placement = 'in_app' | 'application' | 'host_process' | 'sandboxed' | 'remote';

export type ToolKind = 'native' | 'callback' | 'mcp';

/** How arguments are presented to a person; given by the host at registration, never by a server. */
export type Presentation = 'plain' | 'command' | 'write' | 'patch' | 'message';

/** Ask before anything that is not `read`; refuse it; or ask nobody. A bundle can never choose `bypass`. */
export type Mode = 'ask' | 'read_only' | 'bypass';

/** What a call came to. The words are true: see docs/architecture.md, "Outcomes". */
export const outcomes = [
  'completed',
  'failed',
  'rejected',
  'denied',
  'expired',
  'cancelled',
  'cancelled_may_have_run',
  'outcome_unknown',
] as const;
export type Outcome = (typeof outcomes)[number];

/** How a turn ended. `stopped` is the person's act; `interrupted` is the app's end. */
export type TurnOutcome = 'completed' | 'failed' | 'stopped' | 'interrupted';

/**
 * Scope of a permission. `once` covers one call and is no grant; `session` ends with its session; `coworker` holds in
 * every session of the coworker until it ends.
 */
export const grantScopes = ['once', 'session', 'coworker'] as const;
export type GrantScope = (typeof grantScopes)[number];

/** A model of a provider: `provider` is the id of a configured provider, `name` the provider's own model name. */
export interface ModelChoice {
  readonly provider: string;
  readonly name: string;
}

/** How long a model may think, for those that take a setting. Null is the model's own default. */
export const efforts = ['low', 'medium', 'high'] as const;
export type Effort = (typeof efforts)[number];

/** US dollars for a million tokens, where they are known. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of input that the provider had in its cache; `input` where it is absent. */
  readonly cached_input?: number;
}

/** Where a definition comes from: the server's namespace for `mcp`, absent otherwise. */
export interface ToolOrigin {
  readonly kind: ToolKind;
  readonly server?: string;
}

/** Facts of one selected tool as a turn fixed them. */
export interface ToolFacts {
  readonly qualified_name: string;
  readonly model_alias: string;
  readonly title?: string;
  readonly description: string;
  readonly classification: Classification;
  readonly placement: Placement;
  readonly presentation: Presentation;
  readonly origin: ToolOrigin;
  /** Definition pin (C7): lower-case hex SHA-256. */
  readonly pin: string;
}

/** The rule that let a call run or stopped it, in a form that the window can put into words. */
export interface DecisionRule {
  readonly rule:
    | 'classification_read'
    | 'grant_session'
    | 'grant_coworker'
    | 'mode_bypass'
    | 'mode_read_only'
    | 'asked_person'
    | 'host_allows_once'
    | 'host_denies';
  readonly grant_id?: string;
  /** How far the rule reaches; absent in older records. */
  readonly scope?: 'call' | 'session' | 'coworker' | 'app';
  /** Who set it: the app as it was built, its host or the person. */
  readonly by?: 'app' | 'host' | 'person';
  /** When it was set, ISO 8601, UTC; absent where that is the moment of the call or the app's build. */
  readonly at?: string;
}

/**
 * Why a person is asked. `server_hint`: the server itself says that the tool is not read only. `outside_grant`: what was
 * allowed does not cover these arguments. `uninspectable`: nobody can tell what the command does. `grant_ended`: what
 * was allowed has lapsed. `arguments_changed`: a guardrail changed what the person had edited.
 */
export const askReasons = [
  'not_read_only',
  'definition_changed',
  'server_hint',
  'outside_grant',
  'uninspectable',
  'grant_ended',
  'arguments_changed',
  'run_again',
] as const;
export type AskReason = (typeof askReasons)[number];
