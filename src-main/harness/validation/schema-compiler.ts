import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import Ajv2019 from 'ajv/dist/2019';
import Ajv2020 from 'ajv/dist/2020';
import { fail, ok, type JsonSchema, type Result } from '../protocol';
import { boundedKeywords } from './bounded-keywords';
import { canonicalJson, sha256Hex } from './canonical-json';
import { createLinearEngine } from './linear-pattern';
import { schemaFormats } from './schema-formats';
import { inspectSchema, unusable, type SchemaFacts } from './schema-limits';
import { createWorkMeter, TooMuchWork, withPayments, type WorkMeter } from './work-meter';

/** One thing that is wrong with a value. `path` is a JSON pointer; the value itself as the empty string. */
export interface ValueProblem {
  readonly path: string;
  readonly words: string;
}

/** A compiled schema. */
export interface Validator {
  /**
   * Failure `arguments_invalid`: `data.problems` holds up to ten problems as `{ path, words }` and the message says
   * them. Its work is bounded: a value that would take more does not fit. Never throws, never changes the value, never
   * fetches.
   */
  check(value: unknown): Result<true>;
}

export interface SchemaCompiler {
  /**
   * Compiles one foreign schema, by the dialect that `$schema` names (none is 2020-12). Failure `schema_unusable` with
   * the reason. Schemas never see one another, whatever `$id` they carry. Never throws.
   */
  compile(schema: JsonSchema): Result<Validator>;
}

const maxProblems = 10;
const maxCached = 2_500;

type Dialect = 'draft-07' | '2019-09' | '2020-12';
const engines = { 'draft-07': Ajv, '2019-09': Ajv2019, '2020-12': Ajv2020 } as const;

/** Draft-06 differs from draft-07 only by keywords that it lacks. */
const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft-06/schema', 'draft-07'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
]);

/** Units of work of one check, and of what is run of a schema while it is compiled. */
const workOfCheck = 600_000;
/** Units of work of checking a schema itself, whose size is limited: some three hundred for each subschema. */
const workOfMetaCheck = 2_000_000;

function sharedOptions(meter: WorkMeter): Options {
  return {
    strict: false,
    allErrors: true,
    ownProperties: true,
    validateFormats: true,
    formats: schemaFormats(meter),
    // A referenced schema copied into each place that names it could make the generated code explode.
    inlineRefs: false,
    loopRequired: 20,
    // Patterns of a foreign schema match in linear time, or are refused. Optimising takes longer than it saves.
    code: { regExp: createLinearEngine(meter), optimize: false, process: withPayments },
    logger: false,
  };
}

/** An engine whose keywords, formats and generated code pay for their work. */
function createEngine(meter: WorkMeter, dialect: Dialect, options: Options): Ajv {
  const engine = new engines[dialect]({ ...sharedOptions(meter), ...options });
  // What is evaluated is noted only for those who ask: the engine's classes of the newer dialects set it themselves.
  if (options.unevaluated === false) engine.opts.unevaluated = false;
  for (const definition of boundedKeywords(meter))
    engine.removeKeyword(String(definition.keyword)).addKeyword(definition);
  return Object.assign(engine, { pay$: meter.spend });
}

/** A compiler with a bounded cache of its own. */
export function createSchemaCompiler(): SchemaCompiler {
  const cache = new Map<string, Result<Validator>>();
  const metaEngines = new Map<Dialect, Ajv>();
  const meter = createWorkMeter();

  function metaEngine(dialect: Dialect): Ajv {
    let engine = metaEngines.get(dialect);
    if (!engine) {
      engine = createEngine(meter, dialect, { allErrors: false });
      metaEngines.set(dialect, engine);
    }
    return engine;
  }

  function compileFresh(schema: JsonSchema, facts: SchemaFacts): Result<Validator> {
    const dialect = dialectOf(schema);
    if (!dialect.ok) return dialect;
    // The engine must not keep the caller's objects: the copy also drops prototypes and shared references.
    const copy = JSON.parse(facts.text) as JsonSchema;
    delete (copy as Record<string, unknown>)['$schema'];
    const checker = metaEngine(dialect.value);
    if (meter.within(workOfMetaCheck, () => checker.validateSchema({ ...copy })) !== true) {
      const first = checker.errors?.[0];
      return unusable(`At ${place(first?.instancePath ?? '')} it ${first?.message ?? 'is not valid'}.`);
    }
    // A fresh engine for each schema: two tools may carry the same $id.
    const engine = createEngine(meter, dialect.value, {
      validateSchema: false,
      meta: facts.refersToMetaSchema,
      unicodeRegExp: facts.unicodePatterns,
      unevaluated: facts.asksWhatIsEvaluated,
    });
    return meter.within(workOfCheck, () => {
      const validate = engine.compile(copy);
      // A schema that refers to itself without end shows it on any value.
      validate({});
      return ok(validatorOf(validate, meter));
    });
  }

  function compile(schema: JsonSchema): Result<Validator> {
    try {
      const facts = inspectSchema(schema);
      if (!facts.ok) return facts;
      const key = sha256Hex(canonicalJson(schema));
      let result = cache.get(key);
      if (!result) {
        result = guarded(() => compileFresh(schema, facts.value));
        if (cache.size >= maxCached) cache.delete(cache.keys().next().value ?? '');
      }
      cache.delete(key);
      cache.set(key, result);
      return result;
    } catch (error) {
      return unusable(reasonOf(error));
    }
  }
  return { compile };
}

function guarded(work: () => Result<Validator>): Result<Validator> {
  try {
    return work();
  } catch (error) {
    return unusable(reasonOf(error));
  }
}

function dialectOf(schema: JsonSchema): Result<Dialect> {
  const named = schema['$schema'];
  if (named === undefined) return ok('2020-12');
  if (typeof named !== 'string') return unusable('Its "$schema" is not a text.');
  const dialect = dialects.get(named.replace(/^https?:\/\//, '').replace(/#$/, ''));
  if (dialect) return ok(dialect);
  const shown = JSON.stringify(named.slice(0, 120));
  return unusable(`Its dialect ${shown} is not known here: draft-06, draft-07, 2019-09 and 2020-12 are.`);
}

function reasonOf(error: unknown): string {
  if (error instanceof Ajv.MissingRefError) {
    return `It refers to ${JSON.stringify(error.missingRef)}, which is not inside it; nothing is fetched.`;
  }
  if (error instanceof RangeError) {
    return 'Its rules lead too deep to be followed: it refers to itself without end, or nests too many of them.';
  }
  const words = error instanceof Error ? error.message : 'The reason is not known.';
  return `${words.slice(0, 300).replace(/\.$/, '')}.`;
}

function validatorOf(validate: ValidateFunction, meter: WorkMeter): Validator {
  return {
    check(value) {
      try {
        return meter.within(workOfCheck, () => checkWith(validate, value, meter));
      } catch (error) {
        return invalid([{ path: '', words: whyUnchecked(error) }], 1);
      } finally {
        // A long list of errors must not stay for as long as the tool does.
        validate.errors = null;
      }
    },
  };
}

function checkWith(validate: ValidateFunction, value: unknown, meter: WorkMeter): Result<true> {
  const hidden = pathOfPrototypeKey(value, meter);
  if (hidden !== null) {
    return invalid([{ path: hidden, words: 'must not have a member named "__proto__"' }], 1);
  }
  if (validate(value) === true) return ok(true);
  const errors = validate.errors ?? [];
  return invalid(problemsOf(errors), errors.length);
}

function whyUnchecked(error: unknown): string {
  if (error instanceof TooMuchWork) return 'takes too much work to be checked: send less at once';
  if (error instanceof RangeError) return 'is nested too deeply, or too long, to be checked';
  return 'cannot be checked';
}

/** The first distinct problems: a value may have a million of them, each with long words. */
function problemsOf(errors: readonly ErrorObject[]): ValueProblem[] {
  const seen = new Map<string, ValueProblem>();
  for (const error of errors.slice(0, 10 * maxProblems)) {
    if (seen.size === maxProblems) break;
    const problem = { path: error.instancePath, words: wordsOf(error) };
    seen.set(`${problem.path}\n${problem.words}`, problem);
  }
  return [...seen.values()];
}

function wordsOf(error: ErrorObject): string {
  const said = error.message ?? 'is not valid';
  const facts = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'additionalProperties':
      return `must not have the member ${JSON.stringify(facts['additionalProperty'])}`;
    case 'unevaluatedProperties':
      return `must not have the member ${JSON.stringify(facts['unevaluatedProperty'])}`;
    case 'enum':
      return `must be one of ${JSON.stringify(facts['allowedValues']).slice(0, 300)}`;
    case 'const':
      return `must be ${JSON.stringify(facts['allowedValue']).slice(0, 300)}`;
    default:
      return said;
  }
}

function invalid(problems: readonly ValueProblem[], found: number): Result<true> {
  const more = found > problems.length ? ` And ${found - problems.length} more.` : '';
  const said = problems.map((problem) => `${place(problem.path)} ${problem.words}`).join('; ');
  return fail('arguments_invalid', `The value does not fit its schema: ${said}.${more}`, {
    problems: problems.map((problem) => ({ path: problem.path, words: problem.words })),
  });
}

function place(path: string): string {
  return path === '' ? 'the value' : path;
}

/** Finds an own member `__proto__`, which no engine checks: JSON pointer of its owner, or null. */
function pathOfPrototypeKey(root: unknown, meter: WorkMeter): string | null {
  const pending: { value: unknown; path: string }[] = [{ value: root, path: '' }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (Object.hasOwn(next.value, '__proto__')) return next.path;
    const isList = Array.isArray(next.value);
    if (isList) meter.spend((next.value as readonly unknown[]).length);
    // `for in` stops at the end of the budget where `Object.entries` would first list a million members.
    for (const key in next.value) {
      if (!isList) meter.spend(1);
      const value = (next.value as Record<string, unknown>)[key];
      if (typeof value !== 'object' || value === null) continue;
      pending.push({ value, path: `${next.path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` });
    }
  }
  return null;
}
