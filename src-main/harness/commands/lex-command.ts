import { doubt, sure, type OrDoubt, type Span } from './doubt';

/** A word, its quotes and escapes resolved. */
export interface Word {
  readonly value: string;
  readonly at: Span;
  /** Written without any quote or escape, so that it may be a reserved word. */
  readonly bare: boolean;
}

export type Token =
  | ({
      readonly kind: 'word';
      /** Written as NAME=…, with the name unquoted. */ readonly name: string;
    } & Word)
  | { readonly kind: 'operator'; readonly text: string; readonly at: Span }
  | {
      readonly kind: 'redirection';
      readonly text: string;
      readonly descriptor: string;
      readonly at: Span;
    };

const operators = ['&&', '||', '|&', ';;', ';&', '|', '&', ';', '\n'];
const redirections = ['&>>', '&>', '>>', '>&', '>|', '<>', '<&', '>', '<'];
/** What the shell would replace or group, where it stands unquoted. */
const notLiteral = {
  '`': 'command_substitution',
  '*': 'glob',
  '?': 'glob',
  '[': 'glob',
} as const;

/** Cuts a text into words and operators as bash does. What is not the same text in every shell is a doubt. */
export function lexCommand(text: string): OrDoubt<readonly Token[]> {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const skipped = skipBlank(text, at);
    if (!skipped.ok) return skipped;
    if (skipped.value > at) {
      at = skipped.value;
      continue;
    }
    const token = readToken(text, at);
    if (!token.ok) return token;
    tokens.push(token.value);
    at = token.value.at[1];
  }
  return sure(tokens);
}

/** Where the next token begins: behind blanks, a line that goes on, and a comment. */
function skipBlank(text: string, at: number): OrDoubt<number> {
  const character = text[at];
  if (character === ' ' || character === '\t') return sure(at + 1);
  if (character === '\\' && text[at + 1] === '\n') {
    // Behind an operator or a word the next line's first characters belong to it.
    if (at > 0 && !/[ \t\n]/.test(text.charAt(at - 1))) return doubt('line_break_in_word', at, at + 2);
    return sure(at + 2);
  }
  if (character !== '#') return sure(at);
  const lineEnd = text.indexOf('\n', at);
  const end = lineEnd === -1 ? text.length : lineEnd;
  return text[end - 1] === '\\' ? doubt('line_break_in_word', end - 1, end) : sure(end);
}

function readToken(text: string, at: number): OrDoubt<Token> {
  const character = text.charAt(at);
  if (character === '(' || character === ')') return doubt('grouping', at, at + 1);
  const redirection = readRedirection(text, at, '');
  if (redirection) return redirection;
  const operator = operators.find((each) => text.startsWith(each, at));
  if (operator) return sure({ kind: 'operator', text: operator, at: [at, at + operator.length] });
  const descriptor = /^\d/.test(character) ? descriptorAt(text, at) : null;
  if (descriptor === null) return readWord(text, at);
  // Some shells take one digit only, and the others for a word.
  if (descriptor.length > 1) return doubt('syntax', at, at + descriptor.length);
  return readRedirection(text, at + 1, descriptor) ?? doubt('syntax', at, at + 1);
}

/** Digits with a redirection right behind them. */
function descriptorAt(text: string, at: number): string | null {
  const found = /\d+(?=[<>])/y;
  found.lastIndex = at;
  return found.exec(text)?.[0] ?? null;
}

function readRedirection(text: string, at: number, descriptor: string): OrDoubt<Token> | null {
  if (text.startsWith('<<<', at)) return doubt('here_string', at, at + 3);
  if (text.startsWith('<<', at)) return doubt('here_document', at, at + 2);
  if (text.startsWith('<(', at) || text.startsWith('>(', at))
    return doubt('process_substitution', at, at + 2);
  const operator = redirections.find((each) => text.startsWith(each, at));
  if (!operator) return null;
  const start = at - descriptor.length;
  // ">&-" closes a descriptor, and what stands right behind it is the next word.
  if (/^[<>]&-[^ \t\n;&|<>()]/.test(text.slice(at, at + 4))) return doubt('syntax', start, at + 4);
  return sure({ kind: 'redirection', text: operator, descriptor, at: [start, at + operator.length] });
}

function readWord(text: string, start: number): OrDoubt<Token> {
  let value = '';
  let bare = true;
  let at = start;
  while (at < text.length && !/[ \t\n;&|<>()]/.test(text.charAt(at))) {
    const part = readPart(text, at, start);
    if (!part.ok) return part;
    if (/['"\\]/.test(text.charAt(at))) bare = false;
    value += part.value.value;
    at = part.value.end;
  }
  if (text[at] === '(') return doubt('grouping', at, at + 1);
  const raw = text.slice(start, at);
  const brace = raw.indexOf('{');
  if (brace !== -1) {
    const changes = /,|\.\./.test(raw.slice(brace));
    if (changes) return doubt('brace_expansion', start, at);
    // {name}> would let the shell choose a descriptor and keep it in a variable.
    if (/[<>]/.test(text.charAt(at)) && raw.endsWith('}')) return doubt('variable', start, at);
  }
  const name = /^([A-Za-z_][A-Za-z0-9_]*)\+?=/.exec(raw)?.[1] ?? '';
  return sure({ kind: 'word', value, bare, name, at: [start, at] });
}

interface Part {
  readonly value: string;
  readonly end: number;
}

/** One piece of a word: a quoted stretch, an escape or a character. */
function readPart(text: string, at: number, wordStart: number): OrDoubt<Part> {
  const character = text.charAt(at);
  const next = text.charAt(at + 1);
  if (character === "'") {
    const end = text.indexOf("'", at + 1);
    if (end === -1) return doubt('unfinished', at, text.length);
    return sure({ value: text.slice(at + 1, end), end: end + 1 });
  }
  if (character === '"') return readDoubleQuoted(text, at);
  if (character === '\\') {
    if (next === '') return doubt('unfinished', at, at + 1);
    if (next === '\n') return doubt('line_break_in_word', at, at + 2);
    const full = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
    return sure({ value: full, end: at + 1 + full.length });
  }
  if (character === '$') return dollarDoubt(text, at);
  if (character === '[' && at === wordStart && /^\[?( |\t|$)/.test(text.slice(at + 1, at + 3))) {
    return doubt('control_structure', at, at + 1);
  }
  if (character in notLiteral) return doubt(notLiteral[character as keyof typeof notLiteral], at, at + 1);
  // A shell also looks for a home folder behind "=" and ":".
  if (character === '~' && (at === wordStart || /[=:]/.test(text.charAt(at - 1)))) {
    return doubt('tilde', at, at + 1);
  }
  return sure({ value: character, end: at + 1 });
}

function dollarDoubt(text: string, at: number): ReturnType<typeof doubt> {
  const next = text.charAt(at + 1);
  if (next === "'") return doubt('quoted_escapes', at, at + 2);
  if (next === '"') return doubt('translated_string', at, at + 2);
  return doubt(next === '(' ? 'command_substitution' : 'variable', at, Math.min(at + 2, text.length));
}

function readDoubleQuoted(text: string, start: number): OrDoubt<Part> {
  let value = '';
  let at = start + 1;
  while (at < text.length) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (character === '"') return sure({ value, end: at + 1 });
    if (character === '`') return doubt('command_substitution', at, at + 1);
    // A dollar sign before a blank or the closing quote stands for itself.
    if (character === '$' && next !== ' ' && next !== '"') {
      return doubt(next === '(' ? 'command_substitution' : 'variable', at, Math.min(at + 2, text.length));
    }
    if (character === '\\' && next !== '' && '$`"\\\n'.includes(next)) {
      if (next !== '\n') value += next;
      at += 2;
      continue;
    }
    value += character;
    at += 1;
  }
  return doubt('unfinished', start, text.length);
}
