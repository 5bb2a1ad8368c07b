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
import { isBoundedJson, parsePlacedJson, type JsonPath, type TextPlace } from '../validation';
import { shown } from './choices';
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

/** `guardrails[0].tools[1]` as a person counts entries: `entry [0].tools[1]`. */
function placeWords(path: JsonPath): string {
  if (path.length === 0) return 'the configuration';
  const [first, ...rest] = path;
  const inside = rest.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return first === 'guardrails' && rest.length > 0 ? `entry ${inside}` : `${first}${inside}`;
}

function wrong(path: JsonPath, words: string): Result<never> {
  return fail('invalid_input', `Guardrails: ${placeWords(path)} ${words}`, { path });
}

function patternProblem(pattern: Json): string | null {
  const help =
    'Write a full name such as "files.move_file", a namespace as "files.*", or "*" for every tool.';
  if (typeof pattern !== 'string') return `is no text. ${help}`;
  if (pattern === '*') return null;
  const problem = pattern.endsWith('.*') ? checkNamespace(pattern.slice(0, -2)) : null;
  if (problem) return `"${pattern.slice(0, 200)}" names no namespace. ${help}`;
  if (pattern.endsWith('.*') || parseQualifiedName(pattern).ok) return null;
  return `"${pattern.slice(0, 200)}" names no tool. ${help}`;
}

const entryKeys = ['guardrail', 'tools', 'options'];
const rootKeys = ['version', 'guardrails'];

/** A key that nobody reads is a word that somebody believes to hold. */
function strayKey(object: JsonObject, known: readonly string[], path: JsonPath): Result<never> | null {
  const stray = Object.keys(object).find((key) => !known.includes(key));
  if (stray === undefined) return null;
  const words = `has "${stray.slice(0, 100)}", which is not known. Keys are ${known.join(', ')}.`;
  return wrong(path, words);
}

function readTools(tools: Json | undefined, path: JsonPath): Result<readonly string[]> {
  if (!Array.isArray(tools)) {
    return wrong(path, 'is no list. List the tools, or leave it empty to turn the guardrail off.');
  }
  for (const [index, pattern] of (tools as readonly Json[]).entries()) {
    const problem = patternProblem(pattern);
    if (problem !== null) return wrong(path.concat(index), problem);
  }
  return ok(tools as readonly string[]);
}

/** A guardrail that checks no options takes none. */
function optionsProblem(guardrail: Guardrail, options: JsonObject): string | null {
  if (!isBoundedJson(options)) return 'they hold too many values or levels. Shorten them.';
  if (!guardrail.checkOptions) {
    const [key] = Object.keys(options);
    return key === undefined
      ? null
      : `"${key.slice(0, 100)}" is not known. ${guardrail.name} takes no options.`;
  }
  try {
    return guardrail.checkOptions(options);
  } catch {
    return `${guardrail.name} broke off when it looked at them. Correct them, or the guardrail.`;
  }
}

function readEntry(
  entry: Json,
  path: JsonPath,
  known: ReadonlyMap<string, Guardrail>,
): Result<GuardrailSelection> {
  if (!isJsonObject(entry)) return wrong(path, 'is no object. Write {"guardrail": …, "tools": […]}.');
  const stray = strayKey(entry, entryKeys, path);
  if (stray) return stray;
  const { guardrail: name, options = {} } = entry;
  const guardrail = typeof name === 'string' ? known.get(name) : undefined;
  if (!guardrail) {
    const names = [...known.keys()].join(', ');
    return wrong(path.concat('guardrail'), `is ${shown(name)}. Known are: ${names}.`);
  }
  const tools = readTools(entry['tools'], path.concat('tools'));
  if (!tools.ok) return tools;
  const place = path.concat('options');
  if (!isJsonObject(options)) return wrong(place, 'is no object. Write the options as {"name": …}.');
  const problem = optionsProblem(guardrail, options);
  if (problem !== null) return wrong(place, `cannot be used: ${problem}`);
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
          ['guardrails', index],
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
 * ["mail.*"], "options": {"arguments": "withhold"}}]}`. Undefined is no configuration, and nothing else is. Guardrails
 * run in its order; a built-in one stays on for every tool that the configuration does not name for it, and an entry
 * with no tools turns it off. Fails with `invalid_input`, naming the place and the remedy; `data.path` leads to the place.
 */
export function parseGuardrailSettings(
  json: Json | undefined,
  guardrails: readonly Guardrail[] = builtInGuardrails,
): Result<readonly GuardrailSelection[]> {
  const known = new Map(guardrails.map((guardrail) => [guardrail.name, guardrail]));
  const defaults = builtInGuardrails.filter(({ name }) => known.has(name));
  if (json === undefined) return ok(defaults.map(byDefault));
  if (!isJsonObject(json)) {
    return wrong([], `is ${shown(json)}, no object. Write {"version": 1, "guardrails": []}, or remove it.`);
  }
  const stray = strayKey(json, rootKeys, []);
  if (stray) return stray;
  if (json['version'] !== 1) return wrong(['version'], 'is not 1, the only one that is known here.');
  const entries = json['guardrails'];
  if (!Array.isArray(entries)) return wrong(['guardrails'], 'is no list. Write "guardrails": [].');
  const selections: GuardrailSelection[] = [];
  for (const [index, entry] of (entries as readonly Json[]).entries()) {
    const read = readEntry(entry, ['guardrails', index], known);
    if (!read.ok) return read;
    selections.push(read.value);
  }
  const problem = repeated(selections);
  if (problem) return problem;
  const kept = defaults.filter(({ name }) => !decidesForAll(selections, name));
  return ok(selections.concat(kept.map(byDefault)));
}

/** As `parseGuardrailSettings`, from the text of a file: the message begins with file, line and column. */
export function parseGuardrailsText(
  text: string,
  file: string,
  guardrails: readonly Guardrail[] = builtInGuardrails,
): Result<readonly GuardrailSelection[]> {
  const read = parsePlacedJson(text);
  const at = ({ line, column }: TextPlace): string => `${file}, line ${line}, column ${column}:`;
  if (!read.ok) {
    const { place, words } = read;
    return fail('invalid_input', `${at(place)} ${words} Or remove the file: then the built-in ones hold.`, {
      line: place.line,
    });
  }
  const parsed = parseGuardrailSettings(read.value.value, guardrails);
  if (parsed.ok) return parsed;
  const { code, message, data } = parsed.error;
  const place = read.value.placeOf((data?.['path'] ?? []) as JsonPath);
  return fail(code, `${at(place)} ${message}`, { ...data, line: place.line });
}
