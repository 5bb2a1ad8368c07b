import { doubt, sure, type Doubt, type OrDoubt } from './doubt';
import { type Token, type Word } from './lex-command';
import { type CommandSegment } from '../protocol';

/** A segment whose words still know their places. */
export interface Draft extends Omit<CommandSegment, 'words' | 'background'> {
  readonly words: readonly Word[];
  readonly background: boolean;
}

/** Lists grow in place: a text may have tens of thousands of words. */
interface Building extends Draft {
  readonly words: Word[];
  readonly assignments: Draft['assignments'][number][];
  readonly redirections: Draft['redirections'][number][];
  background: boolean;
}

/** How an operator joins what follows it. */
const joins = {
  '&&': 'and',
  '||': 'or',
  '|': 'pipe',
  '|&': 'pipe',
  ';': 'sequence',
  '\n': 'sequence',
  '&': 'background',
} as const;

const waiting = new Set<string>(['and', 'or', 'pipe']);

/** Words with which a shell begins, joins or ends something other than a simple command. */
const reserved = new Set(
  'if then elif else fi for select while until do done case esac in function coproc repeat foreach ! [[ ]]'.split(
    ' ',
  ),
);
const grouping = new Set(['{', '}']);

/** Whether a shell would take the word for syntax if it stood where a command begins. */
export function isReserved(word: Word): boolean {
  return reserved.has(word.value) || grouping.has(word.value);
}

/** Makes simple commands of tokens. Everything with more structure than a list of them is a doubt. */
export function parseCommand(tokens: readonly Token[]): OrDoubt<readonly Draft[]> {
  const done: Building[] = [];
  let current = begin('first');
  /** The first segment of the list that an ampersand would put into the background. */
  let listStart = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    if (token.kind === 'redirection') {
      const target = tokens[index + 1];
      if (target?.kind !== 'word') return doubt('syntax', ...token.at);
      const operator = `${token.descriptor}${token.text}`;
      current.redirections.push({ operator, target: target.value });
      index += 1;
    } else if (token.kind === 'word') {
      const problem = addWord(current, token);
      if (problem) return { ok: false, doubt: problem };
    } else {
      const join = joins[token.text as keyof typeof joins] as Draft['connector'] | undefined;
      if (!join) return doubt('control_structure', ...token.at);
      if (isEmpty(current)) {
        if (token.text === '\n') continue;
        return doubt('syntax', ...token.at);
      }
      if (token.text === '|&') {
        current.redirections.push({ operator: '2>&', target: '1' });
      }
      done.push(current);
      if (join === 'background') for (const each of done.slice(listStart)) each.background = true;
      if (!waiting.has(join)) listStart = done.length;
      current = begin(join);
    }
  }
  if (!isEmpty(current)) done.push(current);
  else if (waiting.has(current.connector)) {
    const end = tokens.at(-1)?.at[1] ?? 0;
    return doubt('unfinished', end, end);
  }
  return sure(done);
}

function begin(connector: Draft['connector']): Building {
  return { words: [], assignments: [], redirections: [], connector, via: [], background: false };
}

function isEmpty(draft: Draft): boolean {
  return draft.words.length + draft.assignments.length + draft.redirections.length === 0;
}

function addWord(current: Building, token: Token & { kind: 'word' }): Doubt | null {
  if (current.words.length === 0) {
    if (token.name !== '') return addAssignment(current, token);
    if (token.bare && grouping.has(token.value)) return { reason: 'grouping', at: token.at };
    if (token.bare && reserved.has(token.value)) return { reason: 'control_structure', at: token.at };
  }
  current.words.push(token);
  return null;
}

function addAssignment(current: Building, token: Token & { kind: 'word' }): Doubt | null {
  const value = token.value.slice(token.name.length);
  // What it adds to is not in the text.
  if (!value.startsWith('=')) return { reason: 'variable', at: token.at };
  current.assignments.push({ name: token.name, value: value.slice(1) });
  return null;
}
