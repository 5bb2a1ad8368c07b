import { type CommandReading, type CommandSegment } from '../protocol';
import { sure, type Doubt, type OrDoubt, type Span } from './doubt';
import { loadGrammar, type Grammar } from './grammar';
import { lexCommand, type Word } from './lex-command';
import { findMisleading } from './misleading-characters';
import { parseCommand, type Draft } from './parse-command';
import { maxSegments, resolveWrappers } from './resolve-wrappers';

export type ShellKind = 'posix' | 'powershell' | 'cmd';

export interface CommandReader {
  /** Reads a command line as bash would; every shell's way to write the same words. Bounded in size and time. */
  readonly read: (text: string) => CommandReading;
  /** Reads a program and its arguments, which no shell sees. The reading's text has them quoted. */
  readonly readArgv: (words: readonly string[]) => CommandReading;
  /** The `read` for a shell. Only the language of posix shells is read here. */
  readonly readFor: (shell: ShellKind) => (text: string) => CommandReading;
  /** Why nothing can be read, so that everything will be asked about; null where all is well. */
  readonly problem: string | null;
}

/** UTF-16 units. */
const maxLength = 64 * 1024;
const maxMilliseconds = 200;

/** Loads the grammar once. Where this platform cannot run it, the reader says of every text that it cannot tell. */
export async function openCommandReader(now: () => number = () => performance.now()): Promise<CommandReader> {
  try {
    return createReader(await loadGrammar({ milliseconds: maxMilliseconds, now }), null);
  } catch (error) {
    return withoutGrammar(error instanceof Error ? error.message : String(error));
  }
}

/** A reader that says of every shell text that it cannot tell; it costs nothing to make. */
export function withoutGrammar(problem: string | null = null): CommandReader {
  const unavailable: Grammar = {
    confirm: (text) => ({ reason: 'reader_unavailable', at: [0, text.length] }),
  };
  return createReader(unavailable, problem);
}

function createReader(grammar: Grammar, problem: string | null): CommandReader {
  const readText = (text: string): OrDoubt<readonly Draft[]> => readDrafts(grammar, text);
  const inner = {
    // Places inside the text of a wrapper are told by the word that holds it.
    readText: (text: string, at: Span): OrDoubt<readonly Draft[]> => {
      const read = readText(text);
      return read.ok
        ? sure(read.value.map((draft) => moved(draft, at)))
        : { ok: false, doubt: { ...read.doubt, at } };
    },
  };
  const finish = (text: string, drafts: OrDoubt<readonly Draft[]>): CommandReading => {
    const resolved = drafts.ok ? resolveWrappers(inner, drafts.value) : drafts;
    if (!resolved.ok) return uninspectable(text, resolved.doubt);
    return { type: 'read', text, segments: resolved.value.map(segmentOf) };
  };
  const read = (text: string): CommandReading => finish(text, readText(text));
  return {
    read,
    readArgv: (words) => {
      const { text, drafts } = draftOfArgv(words);
      return finish(text, drafts);
    },
    readFor: (shell) =>
      shell === 'posix'
        ? read
        : (text) => uninspectable(text, { reason: 'shell_not_read', at: [0, text.length] }),
    problem,
  };
}

function readDrafts(grammar: Grammar, text: string): OrDoubt<readonly Draft[]> {
  const problem = problemOf(text);
  if (problem) return { ok: false, doubt: problem };
  const tokens = lexCommand(text);
  if (!tokens.ok) return tokens;
  const drafts = parseCommand(tokens.value);
  if (!drafts.ok) return drafts;
  if (drafts.value.length === 0) return { ok: false, doubt: { reason: 'empty', at: [0, text.length] } };
  // Before the grammar, whose tree grows as deep as a list is long.
  if (drafts.value.length > maxSegments) {
    return { ok: false, doubt: { reason: 'too_many_commands', at: [0, text.length] } };
  }
  const difference = grammar.confirm(text, tokens.value);
  return difference ? { ok: false, doubt: difference } : drafts;
}

function problemOf(text: string): Doubt | null {
  if (text.length > maxLength) return { reason: 'too_long', at: [maxLength, text.length] };
  return findMisleading(text);
}

function draftOfArgv(words: readonly string[]): { text: string; drafts: OrDoubt<readonly Draft[]> } {
  let text = '';
  const placed: Word[] = [];
  for (const value of words) {
    if (text !== '') text += ' ';
    const start = text.length;
    text += quoted(value);
    placed.push({ value, bare: false, at: [start, text.length] });
  }
  const problem: Doubt | null = words.length === 0 ? { reason: 'empty', at: [0, 0] } : problemOf(text);
  const draft: Draft = {
    words: placed,
    assignments: [],
    redirections: [],
    connector: 'first',
    via: [],
    background: false,
  };
  return { text, drafts: problem ? { ok: false, doubt: problem } : sure([draft]) };
}

/** The word as a shell would have to be given it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function moved(draft: Draft, at: Span): Draft {
  return { ...draft, words: draft.words.map((word) => ({ ...word, at })) };
}

function segmentOf({ words, background, ...draft }: Draft): CommandSegment {
  const segment = { words: words.map((word) => word.value), ...draft };
  return background ? { ...segment, background } : segment;
}

function uninspectable(text: string, { reason, at }: Doubt): CommandReading {
  return { type: 'uninspectable', text, reason, at };
}
