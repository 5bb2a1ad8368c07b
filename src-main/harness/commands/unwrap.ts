import { doubt, sure, type OrDoubt, type Span } from './doubt';
import { type Word } from './lex-command';
import { programNames } from './program-name';
import { type Draft } from './parse-command';
import {
  foreignShells,
  inputWrappers,
  shells,
  stateBuiltins,
  unclearWrappers,
  wrapperTable,
  type WrapperSpec,
} from './wrapper-table';

/** A command that another one starts: as words, or as a text that a shell reads. */
export type Inner =
  | {
      readonly type: 'words';
      readonly name: string;
      readonly words: readonly Word[];
      readonly assignments: Draft['assignments'];
    }
  | { readonly type: 'text'; readonly name: string; readonly text: string; readonly at: Span };

/** The commands that these words start beside their own program; a doubt where that cannot be told exactly. */
export function unwrap(words: readonly Word[]): OrDoubt<readonly Inner[]> {
  const [first] = words;
  if (!first) return sure([]);
  const names = programNames(first.value);
  const isOne = (set: ReadonlySet<string>): boolean => names.some((name) => set.has(name));
  // "%1" is no program: it brings a job to the foreground.
  if (stateBuiltins.has(first.value) || first.value.startsWith('%')) return doubt('shell_state', ...first.at);
  if (isOne(foreignShells)) return doubt('shell_not_read', ...first.at);
  if (isOne(inputWrappers)) return doubt('words_from_input', ...first.at);
  if (isOne(unclearWrappers)) return doubt('wrapper_unclear', ...first.at);
  const shell = names.find((name) => shells.has(name));
  if (shell !== undefined) return unwrapShell(shell, words);
  for (const name of names) {
    if (finders.has(name)) return unwrapFind(name, words);
    if (name === 'watch') return unwrapWatch(name, words);
    if (evaluates(name, words)) return doubt('shell_state', ...first.at);
    const spec = Object.hasOwn(wrapperTable, name) ? wrapperTable[name] : undefined;
    if (spec) return unwrapWords(name, spec, words);
  }
  return sure([]);
}

const finders: ReadonlySet<string> = new Set(['find', 'gfind', 'bfs', 'fd', 'fdfind']);

/** Builtins that some shell takes numbers or names of variables from, as expressions. */
const evaluating: ReadonlySet<string> = new Set(
  'test printf exit logout return shift wait kill ulimit umask break continue'.split(' '),
);

/** An array index out of a plain word may hold a command (hazard 11). */
function evaluates(name: string, words: readonly Word[]): boolean {
  if (!evaluating.has(name)) return false;
  const values = words.map((word) => word.value);
  if (values.some((value) => /\[[^\]]*[$`]/.test(value))) return true;
  if (name === 'test') return values.includes('-v') || values.includes('-R');
  if (name === 'printf') return values.some((value) => value.startsWith('-v'));
  return name === 'wait' && values.some((value) => value.startsWith('-'));
}

function unwrapWords(name: string, spec: WrapperSpec, words: readonly Word[]): OrDoubt<readonly Inner[]> {
  const skipped = skipOptions(spec, words);
  if (!skipped.ok) return skipped;
  if (skipped.value === 'tells') return sure([]);
  const rest = words.slice(skipped.value);
  const given = spec.assignments ? rest.findIndex((word) => !word.value.includes('=')) : 0;
  const count = given === -1 ? rest.length : given;
  const odd = rest.slice(0, count).find((word) => !/^[A-Za-z_]\w*=/.test(word.value));
  if (odd) return doubt('wrapper_unclear', ...odd.at);
  const assignments = rest.slice(0, count).map(({ value }) => {
    const equals = value.indexOf('=');
    return { name: value.slice(0, equals), value: value.slice(equals + 1) };
  });
  const inner = rest.slice(count + (spec.operands ?? 0));
  const [first] = inner;
  if (!first) {
    const whole: Span = [words[0]?.at[0] ?? 0, words.at(-1)?.at[1] ?? 0];
    return spec.aloneIsHarmless ? sure([]) : doubt('wrapper_unclear', ...whole);
  }
  // An option behind the operands, or an empty program: what it does then differs from system to system.
  if (first.value.startsWith('-') || first.value === '') return doubt('wrapper_unclear', ...first.at);
  return sure([{ type: 'words', name, words: inner, assignments }]);
}

/** The place of the first word that is no option. */
function skipOptions(spec: WrapperSpec, words: readonly Word[]): OrDoubt<number | 'tells'> {
  let index = 1;
  for (;;) {
    const word = words[index];
    if (!word || !word.value.startsWith('-')) return sure(index);
    if (word.value === '--') return sure(index + 1);
    const step = optionWords(spec, word.value);
    if (step === 'tells') return sure('tells');
    if (step === null) return doubt('wrapper_unclear', ...word.at);
    index += step;
  }
}

/** How many words the option takes; null for one that is not known. */
function optionWords(spec: WrapperSpec, option: string): number | 'tells' | null {
  if (spec.other?.test(option)) return 1;
  if (option === '-') return null;
  if (option.startsWith('--')) {
    const [name = '', ...value] = option.slice(2).split('=');
    if (spec.longFlags?.includes(name)) return value.length === 0 || name === 'preserve-env' ? 1 : null;
    if (spec.longValued?.includes(name)) return value.length === 0 ? 2 : 1;
    return null;
  }
  const letters = [...option.slice(1)];
  for (const [place, letter] of letters.entries()) {
    if (spec.tells?.includes(letter)) return 'tells';
    if (spec.valued?.includes(letter)) return place === letters.length - 1 ? 2 : 1;
    if (!spec.flags?.includes(letter)) return null;
  }
  return 1;
}

/** `sh -c TEXT`. A script file is a program like any other; without either, the commands come from the input. */
function unwrapShell(name: string, words: readonly Word[]): OrDoubt<readonly Inner[]> {
  let index = 1;
  let takesText = false;
  for (; words[index]?.value.startsWith('-'); index += 1) {
    const word = words[index] as Word;
    if (word.value === '-o' && /^(pipefail|errexit|nounset)$/.test(words[index + 1]?.value ?? '')) index += 1;
    else if (/^-[ceulx]+$/.test(word.value)) takesText ||= word.value.includes('c');
    else return doubt('wrapper_unclear', ...word.at);
  }
  const text = words[index];
  if (!text) return doubt('commands_from_input', ...(words[0] as Word).at);
  if (!takesText && /^\/(dev|proc)\//.test(text.value)) return doubt('commands_from_input', ...text.at);
  if (text.value.startsWith('+')) return doubt('wrapper_unclear', ...text.at);
  return sure(takesText ? [{ type: 'text', name, text: text.value, at: text.at }] : []);
}

/** `find … -exec COMMAND ;`. With "{}" in it, the command's words are names that only the search will tell. */
function unwrapFind(name: string, words: readonly Word[]): OrDoubt<readonly Inner[]> {
  const inners: Inner[] = [];
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] as Word;
    // `fd` has its own way to say it, which is not followed.
    if (name.startsWith('fd') && /^(-[^-]*[xX]|--exec)/.test(word.value))
      return doubt('wrapper_unclear', ...word.at);
    if (!/^-(exec|ok)(dir)?$/.test(word.value)) continue;
    const length = words.slice(index + 1).findIndex(({ value }) => value === ';' || value === '+');
    const inner = words.slice(index + 1, index + 1 + length);
    if (length < 1) return doubt('wrapper_unclear', ...word.at);
    const placed = inner.find(({ value }) => value.includes('{}'));
    if (placed) return doubt('words_from_input', ...placed.at);
    if (words[index + 1 + length]?.value === '+') return doubt('wrapper_unclear', ...word.at);
    inners.push({ type: 'words', name, words: inner, assignments: [] });
    index += length + 1;
  }
  return sure(inners);
}

const watchOptions: WrapperSpec = {
  flags: 'bcegptwx',
  valued: 'nq',
  longFlags: ['beep', 'color', 'errexit', 'chgexit', 'precise', 'no-title', 'no-wrap', 'exec'],
  longValued: ['interval', 'equexit'],
};

/** `watch` gives its words to a shell as one text, unless it is told to start them. */
function unwrapWatch(name: string, words: readonly Word[]): OrDoubt<readonly Inner[]> {
  const skipped = skipOptions(watchOptions, words);
  if (!skipped.ok) return skipped;
  const inner = typeof skipped.value === 'number' ? words.slice(skipped.value) : [];
  const [first] = inner;
  if (!first) return doubt('wrapper_unclear', ...(words[0] as Word).at);
  const options = words.slice(1, words.length - inner.length).map((word) => word.value);
  if (options.some((option) => option === '--exec' || /^-[a-z]*x/.test(option))) {
    return sure([{ type: 'words', name, words: inner, assignments: [] }]);
  }
  const at: Span = [first.at[0], inner.at(-1)?.at[1] ?? first.at[1]];
  return sure([{ type: 'text', name, text: inner.map((word) => word.value).join(' '), at }]);
}
