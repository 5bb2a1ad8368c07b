import type { Node } from 'jsonc-parser';
import type { Problem } from '../protocol';
import type { ToolsVersion } from './bundle';
import { readList, readServerTools, selectionOf } from './listed-tools';
import { problemAt } from './problem';
import { readServers } from './read-servers';
import {
  noTools,
  readToolsText,
  toolsExamples,
  toolsFile,
  unknownFields,
  valueOf,
  type ToolsRead,
  type ToolsText,
} from './tools-json';

const fields: Readonly<Record<ToolsVersion, readonly string[]>> = {
  1: ['version', 'server', 'tools'],
  2: ['version', 'servers'],
  3: ['version', 'tools'],
};

function versionOf(root: Node, at: ToolsText['at']): ToolsVersion | Problem {
  const version = valueOf(root, 'version');
  if (version === undefined) {
    const text = `"version" is missing. Write ${toolsExamples[3]}.`;
    return problemAt({ file: toolsFile, line: 1 }, text);
  }
  const value: unknown = version.value;
  if (value === 1 || value === 2 || value === 3) return value;
  const text = `"version" must be the number 3; of older files, 1 and 2 are read too. Write ${toolsExamples[3]}.`;
  return problemAt({ file: toolsFile, line: at(version.offset) }, text);
}

function readVersion(version: ToolsVersion, { root, at }: ToolsText): ToolsRead {
  switch (version) {
    case 1:
      return selectionOf(1, readServerTools(root, 'server', 1, at));
    case 2:
      return selectionOf(2, readServers(root, at));
    case 3:
      return selectionOf(
        3,
        readList(root, at, {
          of: 'qualified names',
          example: toolsExamples[3],
          entry: 'Write a qualified name in quotes, for example "files.list".',
        }),
      );
  }
}

/**
 * Reads tools.json: the whole selection (S0-16, S0-18), in version 3 by qualified name (S0-24), in versions 1 and 2 by
 * server and remote name, which is the same selection with the server as namespace (S0-60, C8). Finds all problems at
 * once.
 */
export function readTools(text: string): ToolsRead {
  const { file, problems } = readToolsText(text);
  if (file === null) return noTools(3, problems);
  const version = versionOf(file.root, file.at);
  if (typeof version !== 'number') return noTools(3, [...problems, version]);
  const read = readVersion(version, file);
  const unknown = unknownFields(file.root, fields[version], file.at);
  return { ...read, problems: [...problems, ...unknown, ...read.problems] };
}
