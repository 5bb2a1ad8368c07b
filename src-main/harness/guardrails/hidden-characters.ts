import type { GuardrailFinding, Json, JsonObject } from '../protocol';
import { hiddenCharacters, withoutCharacters, type HiddenKind } from '../validation';
import type { Guardrail, GuardedOutput } from './guardrail';

/** `tags` strips characters that carry hidden text and are seen nowhere; `all` whatever cannot be seen. */
type Strip = 'nothing' | 'tags' | 'all';

function stripOf(options: JsonObject, key: 'arguments' | 'results', otherwise: Strip): Strip {
  const value = options[key];
  return value === 'nothing' || value === 'tags' || value === 'all' ? value : otherwise;
}

function checkOptions(options: JsonObject): string | null {
  for (const [key, value] of Object.entries(options)) {
    if (key !== 'arguments' && key !== 'results') {
      return `"${key.slice(0, 100)}" is not known. The options are "arguments" and "results".`;
    }
    if (value !== 'nothing' && value !== 'tags' && value !== 'all') {
      return `"${key}" is ${JSON.stringify(value)}. It says what is stripped: write "nothing", "tags" or "all".`;
    }
  }
  return null;
}

/** Counts, and strips as far as it is told. Terminal controls do not count: they are shown where text is shown. */
function createSweep(strip: Strip) {
  const counts = new Map<HiddenKind, number>();
  let stripped = false;
  const text = (given: string): string => {
    const hidden = hiddenCharacters(given).filter(({ kind }) => kind !== 'control');
    for (const { kind } of hidden) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const gone = hidden.filter(
      ({ kind }) => strip === 'all' || (strip === 'tags' && kind === 'tag_characters'),
    );
    if (gone.length > 0) stripped = true;
    return withoutCharacters(given, gone);
  };
  const json = (value: Json): Json => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return (value as readonly Json[]).map(json);
    const members = Object.entries(value as JsonObject).map(([key, member]) => {
      // A key names its member for whoever reads the value, so it is looked at and never changed.
      for (const { kind } of hiddenCharacters(key)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return [key, member === undefined ? undefined : json(member)] as const;
    });
    return Object.fromEntries(members) as JsonObject;
  };
  return {
    text,
    json,
    stripped: () => stripped,
    findings: (): readonly GuardrailFinding[] => [...counts].map(([kind, count]) => ({ kind, count })),
  };
}

function sweptOutput({ result, error }: GuardedOutput, sweep: ReturnType<typeof createSweep>): GuardedOutput {
  const structured = result?.structured;
  const clean = structured === undefined ? undefined : sweep.json(structured);
  return {
    result: result && {
      text: sweep.text(result.text),
      ...(clean === undefined ? {} : { structured: clean }),
    },
    error: error && { ...error, message: sweep.text(error.message) },
  };
}

/**
 * Finds characters that a reader cannot see: of direction, of zero width, and tags that carry hidden text. It reports
 * them, and strips as the options say: `arguments` (`nothing` unless given) and `results` (`tags` unless given, so that
 * no hidden text reaches a model), each `nothing`, `tags` or `all`. Joiners that scripts and emoji need stay.
 */
export const hiddenCharacterDetection: Guardrail = {
  name: 'hidden_characters',
  checkOptions,
  input({ arguments: args, options }) {
    const sweep = createSweep(stripOf(options, 'arguments', 'nothing'));
    const released = sweep.json(args) as JsonObject;
    if (sweep.stripped()) return { action: 'transform', arguments: released, findings: sweep.findings() };
    return { action: 'pass', findings: sweep.findings() };
  },
  output({ output, options }) {
    const sweep = createSweep(stripOf(options, 'results', 'tags'));
    const released = sweptOutput(output, sweep);
    if (sweep.stripped()) return { action: 'transform', output: released, findings: sweep.findings() };
    return { action: 'pass', findings: sweep.findings() };
  },
  progress({ entry, options }) {
    const sweep = createSweep(stripOf(options, 'results', 'tags'));
    const message = sweep.text(entry.message);
    const data = entry.data === undefined ? {} : { data: sweep.json(entry.data) };
    if (!sweep.stripped()) return { action: 'pass', findings: sweep.findings() };
    return { action: 'transform', entry: { message, ...data }, findings: sweep.findings() };
  },
};
