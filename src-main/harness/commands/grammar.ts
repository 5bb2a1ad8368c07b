import { Language, Parser, type Node } from 'web-tree-sitter';
import { type Doubt } from './doubt';
import { readGrammarFiles } from './grammar-files';
import { type Token } from './lex-command';

/** A second, independent reader of a command line. */
export interface Grammar {
  /** Null where it cuts the text into the same words and operators, at the same places. */
  confirm(text: string, tokens: readonly Token[]): Doubt | null;
}

export interface GrammarLimits {
  readonly milliseconds: number;
  /** A clock that only goes forward, in milliseconds. */
  readonly now: () => number;
}

/** Nodes that only hold others. */
const structure = new Set([
  'program',
  'list',
  'pipeline',
  'command',
  'redirected_statement',
  'file_redirect',
  'variable_assignments',
]);
/** The grammar has these commands of the shell's own as more than words. */
const changesState = new Set(['declaration_command', 'unset_command']);
const words = new Set(['word', 'number', 'string', 'raw_string', 'concatenation']);

/**
 * Loads the grammar of bash. No single reader of a shell's language is to be trusted with a permission: a text that
 * two of them cut differently is one that a shell may also read differently.
 * @throws when the files are missing or this platform runs no WebAssembly
 */
export async function loadGrammar(limits: GrammarLimits): Promise<Grammar> {
  const files = await readGrammarFiles();
  await Parser.init({ wasmBinary: files.engine });
  const language = await Language.load(files.bash);
  const parser = new Parser();
  parser.setLanguage(language);
  return {
    confirm: (text, tokens) => {
      try {
        return confirm(parser, limits, text, tokens);
      } catch {
        // A trap of the engine: what it has not confirmed is not known.
        parser.reset();
        return { reason: 'reader_unavailable', at: [0, text.length] };
      }
    },
  };
}

function confirm(
  parser: Parser,
  limits: GrammarLimits,
  text: string,
  tokens: readonly Token[],
): Doubt | null {
  const until = limits.now() + limits.milliseconds;
  const tree = parser.parse(text, null, { progressCallback: () => limits.now() > until });
  if (!tree) {
    parser.reset();
    return { reason: 'too_slow', at: [0, text.length] };
  }
  try {
    const found: Piece[] = [];
    const odd = collect(tree.rootNode, found);
    return odd ?? firstDifference(found, expectedPieces(tokens), text.length);
  } finally {
    tree.delete();
  }
}

/** `name` is the first word of a command. */
interface Piece {
  readonly kind: 'name' | 'word' | 'assignment' | 'operator';
  readonly start: number;
  readonly end: number;
}

function collect(node: Node, found: Piece[]): Doubt | null {
  for (const child of node.children) {
    const [start, end] = [child.startIndex, child.endIndex];
    const odd = child.isMissing || child.isError;
    if (child.type === 'comment' || child.type === '\n') continue;
    if (!odd && structure.has(child.type)) {
      const inner = collect(child, found);
      if (inner) return inner;
    } else if (!odd && child.type === 'command_name') found.push({ kind: 'name', start, end });
    else if (!odd && child.type === 'variable_assignment') found.push({ kind: 'assignment', start, end });
    else if (!odd && words.has(child.type)) found.push({ kind: 'word', start, end });
    else if (!odd && (child.type === 'file_descriptor' || !child.isNamed)) {
      addOperator(found, start, end);
    } else
      return { reason: changesState.has(child.type) ? 'shell_state' : 'readers_disagree', at: [start, end] };
  }
  return null;
}

/** A descriptor and the redirection behind it are one, as are the parts of ">&-". */
function addOperator(found: Piece[], start: number, end: number): void {
  const last = found.at(-1);
  if (last?.kind === 'operator' && last.end === start) found[found.length - 1] = { ...last, end };
  else found.push({ kind: 'operator', start, end });
}

function expectedPieces(tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  let named = false;
  let target = false;
  for (const token of tokens) {
    const [start, end] = token.at;
    if (token.kind === 'word') {
      const plain: boolean = target || named;
      const kind: Piece['kind'] = plain ? 'word' : token.name === '' ? 'name' : 'assignment';
      named ||= kind === 'name';
      pieces.push({ kind, start, end });
    } else {
      if (token.kind === 'operator') named = false;
      if (token.kind === 'redirection' || token.text !== '\n') addOperator(pieces, start, end);
    }
    target = token.kind === 'redirection';
  }
  return pieces;
}

function firstDifference(found: readonly Piece[], expected: readonly Piece[], length: number): Doubt | null {
  for (let index = 0; index < Math.max(found.length, expected.length); index += 1) {
    const [one, other] = [found[index], expected[index]];
    if (one?.kind === other?.kind && one?.start === other?.start && one?.end === other?.end) continue;
    const place = other ?? one;
    return { reason: 'readers_disagree', at: place ? [place.start, place.end] : [0, length] };
  }
  return null;
}
