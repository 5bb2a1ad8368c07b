import {
  checkNamespace,
  fail,
  isJsonObject,
  ok,
  parseQualifiedName,
  type Json,
  type JsonObject,
  type Result,
} from '../protocol';
import type { Guardrail, GuardrailSelection } from './guardrail';
import { hiddenCharacterDetection } from './hidden-characters';
import { secretRedaction } from './secret-redaction';

export const builtInGuardrails: readonly Guardrail[] = [hiddenCharacterDetection, secretRedaction];

/** What holds for a built-in guardrail that the configuration does not name: it looks at every tool. */
function byDefault(guardrail: Guardrail): GuardrailSelection {
  return { guardrail: guardrail.name, tools: ['*'], options: {} };
}

/** In force where an app configures nothing. */
export const defaultSelections: readonly GuardrailSelection[] = builtInGuardrails.map(byDefault);

function wrong(place: string, words: string): Result<never> {
  return fail('invalid_input', `Guardrails: ${place} ${words}`, { place });
}

function patternProblem(pattern: Json): string | null {
  const help =
    'Write a full name such as "files.move_file", a namespace as "files.*", or "*" for every tool.';
  if (typeof pattern !== 'string') return `is no text. ${help}`;
  if (pattern === '*') return null;
  const problem = pattern.endsWith('.*') ? checkNamespace(pattern.slice(0, -2)) : null;
  if (problem) return `"${pattern}" names no namespace. ${help}`;
  if (pattern.endsWith('.*') || parseQualifiedName(pattern).ok) return null;
  return `"${pattern.slice(0, 200)}" names no tool. ${help}`;
}

const entryKeys = ['guardrail', 'tools', 'options'];

function readTools(tools: Json | undefined, place: string): Result<readonly string[]> {
  if (!Array.isArray(tools)) {
    return wrong(
      `${place}.tools`,
      'is no list. List the tools, or leave it empty to turn the guardrail off.',
    );
  }
  for (const [index, pattern] of (tools as readonly Json[]).entries()) {
    const problem = patternProblem(pattern);
    if (problem !== null) return wrong(`${place}.tools[${index}]`, problem);
  }
  return ok(tools as readonly string[]);
}

function readEntry(
  entry: Json,
  place: string,
  known: ReadonlyMap<string, Guardrail>,
): Result<GuardrailSelection> {
  if (!isJsonObject(entry)) return wrong(place, 'is no object. Write {"guardrail": …, "tools": […]}.');
  const stray = Object.keys(entry).find((key) => !entryKeys.includes(key));
  if (stray !== undefined) {
    return wrong(
      place,
      `has "${stray.slice(0, 100)}", which is not known. Keys are ${entryKeys.join(', ')}.`,
    );
  }
  const { guardrail: name, options = {} } = entry;
  const guardrail = typeof name === 'string' ? known.get(name) : undefined;
  if (!guardrail) {
    const names = [...known.keys()].join(', ');
    return wrong(`${place}.guardrail`, `is ${JSON.stringify(name ?? null)}. Known are: ${names}.`);
  }
  const tools = readTools(entry['tools'], place);
  if (!tools.ok) return tools;
  if (!isJsonObject(options)) return wrong(`${place}.options`, 'is no object.');
  const problem = guardrail.checkOptions?.(options) ?? null;
  if (problem !== null) return wrong(`${place}.options`, `cannot be used: ${problem}`);
  return ok({ guardrail: guardrail.name, tools: tools.value, options });
}

/** Whether the configuration says what holds for every tool: it names them all, or turns the guardrail off. */
function decidesForAll(selections: readonly GuardrailSelection[], name: string): boolean {
  return selections.some(
    ({ guardrail, tools }) => guardrail === name && (tools.length === 0 || tools.includes('*')),
  );
}

/** The same guardrail twice for the same tools leaves open which options hold. */
function repeated(selections: readonly GuardrailSelection[]): Result<never> | null {
  const seen = new Set<string>();
  for (const [index, { guardrail, tools }] of selections.entries()) {
    for (const pattern of tools) {
      const key = `${guardrail} ${pattern}`;
      if (seen.has(key)) {
        return wrong(
          `entry [${index}]`,
          `gives ${guardrail} to "${pattern}", as an entry before it does. Keep one of them.`,
        );
      }
      seen.add(key);
    }
  }
  return null;
}

/**
 * Reads the app's configuration of guardrails: `{"version": 1, "guardrails": [{"guardrail": "secret_redaction", "tools":
 * ["mail.*"], "options": {"arguments": "withhold"}}]}`. Undefined and null are no configuration. Guardrails run in its
 * order; a built-in one stays on for every tool that the configuration does not name for it, and an entry with no tools
 * turns it off.
 * Fails with `invalid_input`, naming the place and the remedy.
 */
export function parseGuardrailSettings(
  json: Json | undefined,
  guardrails: readonly Guardrail[] = builtInGuardrails,
): Result<readonly GuardrailSelection[]> {
  const known = new Map(guardrails.map((guardrail) => [guardrail.name, guardrail]));
  const defaults = builtInGuardrails.filter(({ name }) => known.has(name));
  if (json === undefined || json === null) return ok(defaults.map(byDefault));
  if (!isJsonObject(json)) return wrong('the configuration', 'is no object.');
  if (json['version'] !== 1) return wrong('version', 'is not 1, the only one that is known here.');
  const entries = (json as JsonObject)['guardrails'];
  if (!Array.isArray(entries)) return wrong('guardrails', 'is no list.');
  const selections: GuardrailSelection[] = [];
  for (const [index, entry] of (entries as readonly Json[]).entries()) {
    const read = readEntry(entry, `entry [${index}]`, known);
    if (!read.ok) return read;
    selections.push(read.value);
  }
  const problem = repeated(selections);
  if (problem) return problem;
  const kept = defaults.filter(({ name }) => !decidesForAll(selections, name));
  return ok([...selections, ...kept.map(byDefault)]);
}
