import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { checkSelection, type Problem, type QualifiedName } from '../protocol';
import { problemAt, problemFrom } from './problem';

export const toolsFile = 'coworker/tools.json';

const example = '{ "version": 3, "tools": ["files.list"] }';
const maxTools = 1_000;

export interface ToolsRead {
  readonly tools: readonly QualifiedName[];
  readonly lines: ReadonlyMap<string, number>;
  /** Every text in the list, also those with problems. */
  readonly listed: readonly string[];
  readonly problems: readonly Problem[];
}

const syntaxWords: Readonly<Record<string, string>> = {
  InvalidCommentToken: 'comments are not allowed',
  PropertyNameExpected: 'a name in double quotes is expected, and no comma may stand before it',
  ValueExpected: 'a value is expected, and no comma may stand behind the last one',
  CommaExpected: 'a comma is missing',
  ColonExpected: 'a colon is missing',
  CloseBraceExpected: 'a "}" is missing',
  CloseBracketExpected: 'a "]" is missing',
  InvalidSymbol: 'there is a word that is no value; texts stand in double quotes',
  InvalidCharacter: 'there is a character that may not stand here',
  InvalidNumberFormat: 'a number is not well formed',
  InvalidEscapeCharacter: 'a backslash is followed by a character that it cannot escape',
  InvalidUnicode: 'a \\u escape is not well formed',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a closing double quote is missing',
  UnexpectedEndOfNumber: 'a number is not complete',
  EndOfFileExpected: 'there is text behind the end',
};

function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (const match of text.matchAll(/\n/g)) starts.push(match.index + 1);
  return (offset) => {
    const after = starts.findIndex((start) => start > offset);
    return after < 0 ? starts.length : after;
  };
}

function parse(text: string, errors: ParseError[]): Node | null | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return null;
  }
}

function duplicateKeys(node: Node, at: (offset: number) => number): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const child of node.children ?? []) {
    const [key] = child.children ?? [];
    if (child.type === 'property' && key !== undefined) {
      const name = String(key.value);
      if (seen.has(name)) {
        const place = { file: toolsFile, line: at(key.offset) };
        problems.push(
          problemAt(place, `"${name.slice(0, 60)}" stands here a second time. Remove one of the two.`),
        );
      }
      seen.add(name);
    }
    problems.push(...duplicateKeys(child, at));
  }
  return problems;
}

function valueOf(root: Node, name: string): Node | undefined {
  return root.children?.find((property) => property.children?.[0]?.value === name)?.children?.[1];
}

function versionProblem(root: Node, at: (offset: number) => number): Problem | null {
  const version = valueOf(root, 'version');
  if (version === undefined) {
    return problemAt({ file: toolsFile, line: 1 }, `"version" is missing. Write ${example}.`);
  }
  if (version.value === 3) return null;
  const place = { file: toolsFile, line: at(version.offset) };
  if (version.value === 1 || version.value === 2) {
    return problemAt(
      place,
      `"version" is ${String(version.value)}; this version of the app reads version 3. ` +
        `List the tools by their full names instead: ${example}.`,
    );
  }
  return problemAt(place, `"version" must be the number 3. Write ${example}.`);
}

function readList(root: Node, at: (offset: number) => number): ToolsRead {
  const none: ToolsRead = { tools: [], lines: new Map(), listed: [], problems: [] };
  const list = valueOf(root, 'tools');
  if (list?.type !== 'array') {
    const line = list === undefined ? 1 : at(list.offset);
    const text = `"tools" must be a list of qualified names. Write ${example}.`;
    return { ...none, problems: [problemAt({ file: toolsFile, line }, text)] };
  }
  const items = list.children ?? [];
  if (items.length > maxTools) {
    const text = `"tools" lists ${items.length} tools; at most ${maxTools} are allowed. Remove some.`;
    return { ...none, problems: [problemAt({ file: toolsFile, line: at(list.offset) }, text)] };
  }
  const problems: Problem[] = [];
  const names: string[] = [];
  const lines: number[] = [];
  for (const item of items) {
    const line = at(item.offset);
    if (typeof item.value !== 'string') {
      const text =
        'an entry of "tools" is not text. Write a qualified name in quotes, for example "files.list".';
      problems.push(problemAt({ file: toolsFile, line }, text));
      continue;
    }
    names.push(item.value);
    lines.push(line);
  }
  const checked = checkSelection(names);
  for (const failure of checked.problems) {
    const index = failure.data?.index;
    const line = typeof index === 'number' ? lines[index] : undefined;
    problems.push(problemFrom({ file: toolsFile, line }, failure));
  }
  const byName = new Map<string, number>();
  names.forEach((name, index) => {
    if (!byName.has(name)) byName.set(name, lines[index] ?? 1);
  });
  return { tools: checked.names, lines: byName, listed: names, problems };
}

/** Reads tools.json version 3: the whole selection, by qualified name (S0-16, S0-24). Finds all problems at once. */
export function readTools(text: string): ToolsRead {
  const none: ToolsRead = { tools: [], lines: new Map(), listed: [], problems: [] };
  const at = lineCounter(text);
  const errors: ParseError[] = [];
  const root = parse(text, errors);
  if (root === null) {
    return {
      ...none,
      problems: [problemAt({ file: toolsFile, line: 1 }, `it is nested too deeply. Write ${example}.`)],
    };
  }
  if (errors.length > 0) {
    const problems = errors.slice(0, 10).map((error) => {
      const word = printParseErrorCode(error.error);
      const reason = syntaxWords[word] ?? word;
      return problemAt(
        { file: toolsFile, line: at(error.offset) },
        `it is not valid JSON: ${reason}. Correct it.`,
      );
    });
    return { ...none, problems };
  }
  if (root?.type !== 'object') {
    return {
      ...none,
      problems: [problemAt({ file: toolsFile, line: 1 }, `it must be an object. Write ${example}.`)],
    };
  }
  const problems: Problem[] = duplicateKeys(root, at);
  const version = versionProblem(root, at);
  if (version !== null) return { ...none, problems: [...problems, version] };
  for (const property of root.children ?? []) {
    const [key] = property.children ?? [];
    const name = String(key?.value);
    if (name === 'version' || name === 'tools') continue;
    const place = { file: toolsFile, line: at(property.offset), severity: 'warning' as const };
    problems.push(problemAt(place, `"${name.slice(0, 60)}" is no known field and is ignored. Remove it.`));
  }
  const list = readList(root, at);
  return { ...list, problems: [...problems, ...list.problems] };
}
