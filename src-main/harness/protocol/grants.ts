import type { Json, JsonObject } from './json';
import type { Classification, GrantScope } from './vocabulary';

/**
 * One thing that must hold of the released arguments for a grant to cover them. `at` is a JSON Pointer into the
 * arguments; arguments that no condition names may be anything.
 */
export type ArgumentCondition =
  /** The value is exactly this one, compared as canonical JSON. */
  | { readonly type: 'exact'; readonly at: string; readonly value: Json }
  /** A path that lies in this folder or below it, links followed. Relative ones count from the workspace. */
  | { readonly type: 'folder'; readonly at: string; readonly folder: string }
  /** An http or https address of exactly this host and port, as a URL parser reads it. */
  | { readonly type: 'host'; readonly at: string; readonly host: string }
  /** A command that begins with these parsed words, and does nothing beside it. */
  | { readonly type: 'command'; readonly words: readonly string[] };

/** Whether an arguments pattern narrows a grant: all of its conditions must hold. Empty: any arguments. */
export type ArgumentPattern = readonly ArgumentCondition[];

/** A scope that outlives one call. */
export type LastingScope = Exclude<GrantScope, 'once'>;

/** A remembered permission, bound to coworker, qualified name and definition pin (S0-56). */
export interface GrantMade {
  readonly grant_id: string;
  readonly scope: LastingScope;
  readonly coworker_id: string;
  readonly qualified_name: string;
  readonly pin: string;
  /** What the tool counted as when it was given; absent in older records. */
  readonly classification?: Classification;
  /** The request that it was given with. */
  readonly approval_id: string;
  /** Absent in grants of before there were patterns: any arguments. */
  readonly pattern?: ArgumentPattern;
  /** ISO 8601, UTC; absent and null: until it is taken back, or unused for long. */
  readonly expires_at?: string | null;
  /** Where the request stands; absent in grants of a session of before it was recorded. */
  readonly session_id?: string;
  readonly turn_id?: string;
  readonly call_id?: string;
}

/**
 * A grant that covers nothing any more. `revoked` by a person; `expired` by its own date; `unused` for 90 days;
 * `replaced` by a newer grant of the same scope and pattern for another definition.
 */
export interface GrantEnded {
  readonly grant_id: string;
  readonly how: 'revoked' | 'expired' | 'unused' | 'replaced';
}

/** A person's word on what a tool of a server may do, for exactly this definition; null takes it back. */
export interface ToolClassified {
  readonly qualified_name: string;
  readonly pin: string;
  readonly classification: Classification | null;
}

/** One line of the ledger. */
export interface GrantEntry {
  readonly grant: GrantMade;
  /** ISO 8601, UTC. */
  readonly made_at: string;
  readonly uses: number;
  readonly last_used_at: string | null;
  readonly ended: { readonly how: GrantEnded['how']; readonly at: string } | null;
}

/** A grant that nobody used for so many days lapses. */
export const grantUnusedDays = 90;

/** What a person answers when they allow: for how long, and how narrowly. */
export interface GrantTerms {
  readonly scope: GrantScope;
  readonly pattern?: ArgumentPattern;
  readonly expires_at?: string | null;
}

/** What a wider scope would have covered among the calls on record. */
export interface ScopePreview {
  /** Past calls of this tool that were looked at, newest first; of this coworker, or of this session. */
  readonly calls: number;
  readonly covered: number;
  /** Whether older calls are on record that were not looked at. */
  readonly more: boolean;
  /** The newest covered ones, with those that it would not cover. */
  readonly examples: readonly PastCall[];
  /** Set where everything that the tool can do would run unasked. */
  readonly warning: 'exec_without_pattern' | 'external_without_pattern' | null;
}

export interface PastCall {
  readonly session_id: string;
  readonly session_title: string;
  readonly turn_id: string;
  readonly call_id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly arguments: JsonObject | null;
  readonly covered: boolean;
}
