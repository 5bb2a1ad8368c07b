import { dereference, validate, type OutputUnit, type Schema } from '@cfworker/json-schema';
import type { Json, JsonObject, JsonSchema } from '../../../../src-preload/contract';
import { checkableSchema, dialectOf } from './checkable-schema';
import { askingLimit, checkingCost, costLimit } from './checking-cost';
import { memberOf, pointerOf, stepsOf } from './edit-value';
import { targetOf, type SchemaNode } from './schema-parts';

/** One thing that is wrong with a value. */
export interface ValueProblem {
  /** JSON pointer into the value; of a member that is missing, where it would stand. */
  readonly path: string;
  /** The keyword of the schema that is not kept; `not_allowed` for what no schema allows. */
  readonly keyword: string;
  /** What the schema says at that keyword. */
  readonly wanted: Json | null;
}

export interface Verdict {
  readonly problems: readonly ValueProblem[];
  /** False when not everything could be checked here. */
  readonly complete: boolean;
}

export interface Checker {
  check(value: Json): Verdict;
  /** Whether a value keeps a part of the schema; false also when that cannot be told. */
  fits(part: SchemaNode, value: Json): boolean;
}

/** They only say that something inside is wrong, and what it is follows. */
const wrappers: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'items'],
  ...['prefixItems', 'additionalItems', 'unevaluatedItems', 'allOf', '$ref', '$recursiveRef', 'if'],
]);
/** They say enough; the complaints of their branches would contradict one another. */
const summaries: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames']);
/** Complaints that are sorted; nobody reads more of them. */
const mostUnits = 2_000;
/** The text beyond which no pattern is tried. */
const longestForPatterns = 4_000;

const pointerIn = (location: string): string => decodeURIComponent(location.replace(/^#/, ''));

/** What stands in the schema at a keyword, references on the way followed. */
function wantedAt(root: JsonObject, location: string): Json | null {
  let found: Json | undefined = root;
  for (const step of stepsOf(pointerIn(location)) ?? []) {
    const member: Json | undefined = memberOf(found, step);
    found = step === '$ref' && typeof member === 'string' ? (targetOf(root, member) ?? undefined) : member;
  }
  return found ?? null;
}

/** The name in a message such as `Instance does not have required property "name".` */
function missingName(unit: OutputUnit): string | null {
  const message = unit.error;
  if (unit.keyword === 'required') return /required property "(.*)"\.$/s.exec(message)?.[1] ?? null;
  return /but does not have "(.*)"\.$/s.exec(message)?.[1] ?? null;
}

function toProblem(root: JsonObject, unit: OutputUnit): ValueProblem {
  const path = pointerIn(unit.instanceLocation);
  if (unit.keyword === 'false') return { path, keyword: 'not_allowed', wanted: null };
  if (['required', 'dependentRequired', 'dependencies'].includes(unit.keyword)) {
    const name = missingName(unit);
    if (name !== null) return { path: path + pointerOf([name]), keyword: 'required', wanted: null };
  }
  return { path, keyword: unit.keyword, wanted: wantedAt(root, unit.keywordLocation) };
}

const isWithin = (location: string, base: string): boolean =>
  location === base || location.startsWith(`${base}/`);

/** Whether a complaint comes from inside of what another one sums up. */
function isCovered(unit: OutputUnit, by: OutputUnit): boolean {
  if (!isWithin(unit.instanceLocation, by.instanceLocation)) return false;
  // Of a schema that is `false`, the validator does not say where it stands.
  return unit.keyword === 'false' || unit.keywordLocation.startsWith(`${by.keywordLocation}/`);
}

/** Keywords by which a value shows that another branch was meant for it. */
const telling: ReadonlySet<string> = new Set(['const', 'enum', 'required', 'type', 'not_allowed']);

/**
 * What is wrong by the one branch that the value was meant for: of its type, or the only one with the members and
 * constants that tell branches apart. `null` where that is not clear.
 */
function meantBranch(
  root: JsonObject,
  summary: OutputUnit,
  units: readonly OutputUnit[],
): readonly ValueProblem[] | null {
  const place = pointerIn(summary.instanceLocation);
  const branches = wantedAt(root, summary.keywordLocation);
  if (!Array.isArray(branches)) return null;
  const complaints = branches.flatMap((branch, index) => {
    if (branch === false) return [];
    const location = `${summary.keywordLocation}/${index}`;
    const own = units.filter(
      (unit) => isCovered(unit, summary) && isWithin(unit.keywordLocation, location) && unit !== summary,
    );
    return [problemsOf(root, own)];
  });
  if (complaints.some((one) => one.length === 0)) return null;
  const ofType = complaints.filter(
    (one) => !one.some(({ path, keyword }) => path === place && keyword === 'type'),
  );
  if (ofType.length === 1) return ofType[0] ?? null;
  const meant = ofType.filter((one) => !one.some(({ keyword }) => telling.has(keyword)));
  return meant.length === 1 ? (meant[0] ?? null) : null;
}

/** The complaints that a person can act on, each once. */
export function problemsOf(root: JsonObject, units: readonly OutputUnit[]): readonly ValueProblem[] {
  const summed: OutputUnit[] = [];
  const problems = new Map<string, ValueProblem>();
  const note = (problem: ValueProblem): void => {
    problems.set(JSON.stringify([problem.path, problem.keyword, problem.wanted]), problem);
  };
  for (const unit of units) {
    if (summed.some((one) => isCovered(unit, one))) continue;
    if (wrappers.has(unit.keyword)) continue;
    if (!summaries.has(unit.keyword)) {
      note(toProblem(root, unit));
      continue;
    }
    summed.push(unit);
    const branches = unit.keyword === 'anyOf' || unit.keyword === 'oneOf';
    const meant = branches ? meantBranch(root, unit, units) : null;
    for (const problem of meant ?? [toProblem(root, unit)]) note(problem);
  }
  if (problems.size === 0 && units.length > 0) return [{ path: '', keyword: 'other', wanted: null }];
  return [...problems.values()];
}

interface Prepared {
  readonly root: JsonObject;
  readonly lookup: Record<string, Schema | boolean>;
  readonly complete: boolean;
}

function prepare(schema: JsonSchema, patterns: 'plain' | 'none'): Prepared | null {
  try {
    const { schema: root, complete } = checkableSchema(schema, patterns);
    const lookup = dereference(root as Schema) as Record<string, Schema | boolean>;
    // Parts that the library has not prepared name others by the fragment alone.
    for (const [address, part] of Object.entries(lookup)) {
      const fragment = address.indexOf('#');
      lookup[fragment === -1 ? '#' : address.slice(fragment)] ??= part;
    }
    return { root, lookup, complete };
  } catch {
    return null;
  }
}

function longestText(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (longest, [key, member]) => Math.max(longest, key.length, longestText((member ?? null) as Json)),
    0,
  );
}

const unchecked: Verdict = { problems: [], complete: false };

/**
 * Checks values by a foreign schema without compiling it to code. Its work is bounded: what would take long is left
 * out, and the verdict says so. Never throws, never changes the schema or the value.
 */
export function createChecker(schema: JsonSchema): Checker {
  const dialect = dialectOf(schema);
  const prepared = new Map<'plain' | 'none', Prepared | null>();
  const quickParts = new WeakMap<JsonObject, JsonObject>();
  const preparedFor = (value: Json): Prepared | null => {
    const patterns = longestText(value) > longestForPatterns ? 'none' : 'plain';
    const known = prepared.get(patterns);
    if (known !== undefined) return known;
    const made = prepare(schema, patterns);
    prepared.set(patterns, made);
    return made;
  };
  return {
    check(value) {
      try {
        const made = preparedFor(value);
        if (!made || checkingCost(made.root, value, made.root) > costLimit) return unchecked;
        const { valid, errors } = validate(value, made.root as Schema, dialect, made.lookup as never, false);
        return {
          problems: valid ? [] : problemsOf(made.root, errors.slice(0, mostUnits)),
          complete: made.complete,
        };
      } catch {
        return unchecked;
      }
    },
    fits(part, value) {
      try {
        const made = preparedFor(value);
        if (typeof part === 'boolean' || !made) return part === true;
        const quick = quickParts.get(part) ?? checkableSchema(part, 'plain').schema;
        quickParts.set(part, quick);
        if (checkingCost(quick, value, made.root) > askingLimit) return false;
        return validate(value, quick as Schema, dialect, made.lookup as never, true).valid;
      } catch {
        return false;
      }
    },
  };
}
