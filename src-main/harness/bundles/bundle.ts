import type { CoworkerCard, Mode, Problem, QualifiedName } from '../protocol';

/** Where a bundle came from: with the app, or out of a folder that the person vouches for. */
export type BundleSource = CoworkerCard['source'];

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** Line of the file at which the body starts, from 1. */
  readonly body_line: number;
}

/** What a manifest says, once every field was checked. */
export interface Manifest {
  readonly id: string;
  readonly name: string;
  readonly tagline: string;
  readonly description: string;
  /** Name of an icon of the set. */
  readonly icon: string;
  readonly version: string;
  readonly default_mode: Exclude<Mode, 'bypass'>;
  /** As `provider:name`. */
  readonly recommended_models: readonly string[];
  readonly instructions: string;
  readonly instructions_line: number;
}

/** Version of tools.json. 1 and 2 select tools of servers only (S0-60, C8). */
export type ToolsVersion = 1 | 2 | 3;

/** A coworker that can run: everything in it was checked by itself; `checkBundle` checks it against what is here. */
export interface Bundle extends Manifest {
  readonly tools_version: ToolsVersion;
  readonly tools: readonly QualifiedName[];
  /** Line of tools.json for each qualified name. */
  readonly tool_lines: ReadonlyMap<string, number>;
  readonly skills: readonly Skill[];
  /** Lower-case hex SHA-256 over everything under `coworker/`. */
  readonly digest: string;
  /** Absolute path of the bundle's folder. */
  readonly folder: string;
}

/** The parts of a bundle that are checked against what is here; known also where other parts are broken. */
export type CheckedParts = Pick<
  Bundle,
  'tools_version' | 'tools' | 'tool_lines' | 'instructions' | 'instructions_line' | 'skills'
>;

/** A bundle's folder as it was read. `bundle` is null exactly when a problem is an error. */
export interface BundleReading {
  readonly folder: string;
  readonly source: BundleSource;
  readonly bundle: Bundle | null;
  /** What could be read of the identity, also when the bundle cannot run. */
  readonly known: Partial<Manifest>;
  readonly tools: readonly string[];
  readonly skills: readonly string[];
  /** What could be read of the parts, also when the bundle cannot run. */
  readonly parts: CheckedParts;
  readonly problems: readonly Problem[];
}

/** Limits of a bundle; a bundle beyond them is refused, not cut. */
export const bundleLimits = {
  manifest_bytes: 256 * 1024,
  tools_bytes: 256 * 1024,
  skill_bytes: 256 * 1024,
  skills: 100,
  files: 1_000,
  total_bytes: 20 * 1024 * 1024,
  depth: 12,
} as const;

/** Ids and skill names: they are compared and shown, and never become a part of a path. */
export const idPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const maxIdLength = 64;
