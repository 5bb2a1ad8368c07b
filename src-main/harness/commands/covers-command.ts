import { type CommandReading, type CommandSegment } from '../protocol';
import { harmlessOptions, type HarmlessOptions } from './harmless-options';
import { programNames } from './program-name';
import { subcommandPrograms, widePrograms, narrowSubcommands } from './wide-programs';

/**
 * Whether a permission for commands that begin with these words covers the command line. In one sentence for a
 * person: it covers `git log` with paths, names and harmless options, alone.
 *
 * - Alone: each command of the line begins with exactly these words, in the foreground, with no variable set, in no
 *   wrapper, and reads and writes no file beside /dev/null by redirection; 2>&1 and the like may stand there.
 * - Harmless options: those that are listed for the program. For a program without a list no word may look like an
 *   option, a setting, an address or a file of further words, and nothing may be piped into it.
 * - Programs that run, load, send or write what their plain words say (interpreters, shells, editors, builders, network
 *   and file tools), and programs whose first word only says which one is meant, are covered with the very same words
 *   and no others.
 */
export function coversCommand(prefix: readonly string[], reading: CommandReading): boolean {
  if (reading.type !== 'read' || reading.segments.length === 0) return false;
  const [program] = prefix;
  if (program === undefined || program === '') return false;
  return reading.segments.every(
    (segment) =>
      isAlone(segment) &&
      prefix.every((word, index) => segment.words[index] === word) &&
      fits(prefix, segment),
  );
}

function isAlone(segment: CommandSegment): boolean {
  if (segment.background || segment.connector === 'background') return false;
  if (segment.via.length > 0 || segment.assignments.length > 0) return false;
  return segment.redirections.every(isHarmlessRedirection);
}

/** One stream into the other, or nothing in and nothing out. */
function isHarmlessRedirection({ operator, target }: CommandSegment['redirections'][number]): boolean {
  if (/^[12]?>&$/.test(operator)) return target === '1' || target === '2';
  return target === '/dev/null' && /^([012]?<|[12]?>>?|&>>?)$/.test(operator);
}

/** Signs that are not ASCII may pass for a dash, a quote or an operator in the eyes of a person. */
const lookalike = /[^ -~\t\n\p{L}\p{N}\p{M}]/u;

function fits(prefix: readonly string[], { words, connector }: CommandSegment): boolean {
  const rest = words.slice(prefix.length);
  if (words.some((word) => lookalike.test(word))) return false;
  const listed = listFor(words);
  if (!listed && connector === 'pipe') return false;
  if (listed && listed.length <= prefix.length) {
    return keepsTo(listed.options, words[listed.length], rest);
  }
  if (rest.length === 0) return true;
  if (isWide(prefix)) return false;
  return rest.every((word) => /^[^-+@!]/.test(word) && !/=|:\/\/|::/.test(word));
}

/** The list for the longest beginning of the words that has one, and how many words that is. */
export function listFor(words: readonly string[]): { options: HarmlessOptions; length: number } | null {
  const [program = '', second = ''] = words;
  const names = programNames(program).filter((name) => !name.includes(' '));
  for (const key of [...names.map((name) => `${name} ${second}`), ...names]) {
    const options = Object.hasOwn(harmlessOptions, key) ? harmlessOptions[key] : undefined;
    if (options) return { options, length: key.split(' ').length };
  }
  return null;
}

/** Whether other words behind these could make them anything. */
function isWide(prefix: readonly string[]): boolean {
  // Behind an option may come its value, and behind `--version` what makes it run after all.
  if (prefix.some((word) => word.startsWith('-'))) return true;
  const [program = '', ...others] = prefix;
  return programNames(program).some((name) => {
    const needed = neededWords(name, others);
    if (needed === 0) return widePrograms.has(name);
    return others.length < needed || !narrowSubcommands.has(`${name} ${others[0] ?? ''}`);
  });
}

/** How many words behind its name say which program it is. */
export function neededWords(name: string, others: readonly string[]): number {
  for (const key of [`${name} ${others[0] ?? ''}`, name]) {
    if (Object.hasOwn(subcommandPrograms, key)) return subcommandPrograms[key] ?? 0;
  }
  return 0;
}

function keepsTo(options: HarmlessOptions, first: string | undefined, rest: readonly string[]): boolean {
  if (options.never && rest.some((word) => options.never?.test(word))) return false;
  const operands = options.operands;
  const mayName = operands === 'any' || (operands !== 'none' && first === operands.onlyWith);
  return rest.every((word) => {
    if (word === '--') return operands === 'any';
    // A word behind "--" that looks like an option is treated as one: it may be the value of the one before.
    if (word.startsWith('-')) return isHarmlessOption(options, word);
    return mayName;
  });
}

function isHarmlessOption(options: HarmlessOptions, word: string): boolean {
  if (word.startsWith('--')) {
    const [name = '', ...value] = word.slice(2).split('=');
    const known = options.long?.split(' ') ?? [];
    return known.includes(`${name}=`) || (value.length === 0 && known.includes(name));
  }
  if (options.number && /^-\d+$/.test(word)) return true;
  const counted = /^-([A-Za-z])\d+$/.exec(word)?.[1];
  if (counted !== undefined && options.counts?.includes(counted)) return true;
  const letters = [...word.slice(1)];
  const first = letters[0];
  if (first === undefined) return false;
  return (
    options.attached?.includes(first) || letters.every((letter) => options.letters?.includes(letter) ?? false)
  );
}
