import type { Node } from 'jsonc-parser';
import { checkNamespace, checkSelection, type Problem } from '../protocol';
import type { ToolsVersion } from './bundle';
import { problemAt, problemFrom } from './problem';
import { toolsExamples, toolsFile, valueOf, type ToolsRead, type ToolsText } from './tools-json';

export const maxTools = 1_000;

export interface ListedTool {
  readonly name: string;
  readonly line: number;
}

/** The texts of a list of tools, and what is wrong with it as a list. */
export interface ListRead {
  readonly entries: readonly ListedTool[];
  readonly problems: readonly Problem[];
}

interface ListWords {
  /** What stands in the list. */
  readonly of: string;
  readonly example: string;
  /** What an entry that is no text, or none that can be used, has to be. */
  readonly entry: string;
}

/** Reads `tools` of `object`; `object` is the whole file or one server of it. */
export function readList(object: Node, at: ToolsText['at'], words: ListWords): ListRead {
  const list = valueOf(object, 'tools');
  if (list?.type !== 'array') {
    const place = { file: toolsFile, line: at((list ?? object).offset) };
    return {
      entries: [],
      problems: [problemAt(place, `"tools" must be a list of ${words.of}. Write ${words.example}.`)],
    };
  }
  const items = list.children ?? [];
  if (items.length > maxTools) return { entries: [], problems: [tooMany(items.length, at(list.offset))] };
  const entries: ListedTool[] = [];
  const problems: Problem[] = [];
  for (const item of items) {
    const line = at(item.offset);
    if (typeof item.value === 'string') entries.push({ name: item.value, line });
    else
      problems.push(problemAt({ file: toolsFile, line }, `an entry of "tools" is not text. ${words.entry}`));
  }
  return { entries, problems };
}

export function tooMany(count: number, line: number): Problem {
  const text = `"tools" lists ${count} tools; at most ${maxTools} are allowed. Remove some.`;
  return problemAt({ file: toolsFile, line }, text);
}

/**
 * Tools of one server by their remote names, as versions 1 and 2 list them: `holder` has the server's name in the field
 * `field`, and its tools. The entries come back as qualified names (C8).
 */
export function readServerTools(
  holder: Node,
  field: 'server' | 'name',
  version: 1 | 2,
  at: ToolsText['at'],
): ListRead & { readonly server: string | null } {
  const example = toolsExamples[version];
  const list = readList(holder, at, {
    of: 'names that its server gives its tools',
    example,
    entry: `Write the name that the server gives a tool, in quotes: ${example}.`,
  });
  const node = valueOf(holder, field);
  if (typeof node?.value !== 'string') {
    const place = { file: toolsFile, line: at((node ?? holder).offset) };
    const text = `"${field}" must be the name of a server, as in servers.json. Write ${example}.`;
    return { server: null, entries: [], problems: [problemAt(place, text), ...list.problems] };
  }
  const server = node.value;
  const refused = checkNamespace(server);
  if (refused !== null) {
    const problem = problemFrom({ file: toolsFile, line: at(node.offset) }, refused);
    return { server: null, entries: [], problems: [problem, ...list.problems] };
  }
  const named = list.entries.filter((entry) => entry.name !== '');
  const empty = list.entries
    .filter((entry) => entry.name === '')
    .map(({ line }) =>
      problemAt(
        { file: toolsFile, line },
        'an entry of "tools" is empty. Write the name that the server gives a tool, or remove the entry.',
      ),
    );
  return {
    server,
    entries: named.map(({ name, line }) => ({ name: `${server}.${name}`, line })),
    problems: [...list.problems, ...empty],
  };
}

/** Checks all names of a file together (S0-46, S0-50..S0-52, C6) and gives each problem its line. */
export function selectionOf(version: ToolsVersion, list: ListRead): ToolsRead {
  const names = list.entries.map((entry) => entry.name);
  const checked = checkSelection(names);
  const problems = checked.problems.map((failure) => {
    const index = failure.data?.['index'];
    const line = typeof index === 'number' ? list.entries[index]?.line : undefined;
    return problemFrom({ file: toolsFile, line }, failure);
  });
  const lines = new Map<string, number>();
  for (const { name, line } of list.entries) if (!lines.has(name)) lines.set(name, line);
  return { version, tools: checked.names, lines, listed: names, problems: [...list.problems, ...problems] };
}
