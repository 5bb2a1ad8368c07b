import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { Problem, QualifiedName } from '../protocol';
import { jsonSyntaxWords, textPlaces } from '../validation';
import type { ToolsVersion } from './bundle';
import { problemAt } from './problem';

export const toolsFile = 'coworker/tools.json';

/** What a file of each version looks like, for remedies. */
export const toolsExamples: Readonly<Record<ToolsVersion, string>> = {
  1: '{ "version": 1, "server": "acer", "tools": ["fan_speed"] }',
  2: '{ "version": 2, "servers": [{ "name": "acer", "tools": ["fan_speed"] }] }',
  3: '{ "version": 3, "tools": ["files.list"] }',
};

export interface ToolsRead {
  /** 3 where the file does not say. */
  readonly version: ToolsVersion;
  readonly tools: readonly QualifiedName[];
  readonly lines: ReadonlyMap<string, number>;
  /** Every tool that the file lists, also those with problems. */
  readonly listed: readonly string[];
  readonly problems: readonly Problem[];
}

export function noTools(version: ToolsVersion, problems: readonly Problem[]): ToolsRead {
  return { version, tools: [], lines: new Map(), listed: [], problems };
}

/** The text of tools.json as an object of any version. */
export interface ToolsText {
  readonly root: Node;
  /** Line of an offset, from 1. */
  readonly at: (offset: number) => number;
}

function parse(text: string, errors: ParseError[]): Node | null | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return null;
  }
}

/** Parses the text; null where it is no JSON object, with the problems that say why. */
export function readToolsText(text: string): {
  readonly file: ToolsText | null;
  readonly problems: readonly Problem[];
} {
  const placeAt = textPlaces(text);
  const at = (offset: number): number => placeAt(offset).line;
  const errors: ParseError[] = [];
  const root = parse(text, errors);
  const refused = (problems: readonly Problem[]) => ({ file: null, problems });
  if (root === null) {
    const words = `it is nested too deeply. Write ${toolsExamples[3]}.`;
    return refused([problemAt({ file: toolsFile, line: 1 }, words)]);
  }
  if (errors.length > 0) {
    const problems = errors.slice(0, 10).map((error) => {
      const word = printParseErrorCode(error.error);
      const reason = jsonSyntaxWords[word] ?? word;
      return problemAt(
        { file: toolsFile, line: at(error.offset) },
        `it is not valid JSON: ${reason}. Correct it.`,
      );
    });
    return refused(problems);
  }
  if (root?.type !== 'object') {
    const words = `it must be an object. Write ${toolsExamples[3]}.`;
    return refused([problemAt({ file: toolsFile, line: 1 }, words)]);
  }
  return { file: { root, at }, problems: duplicateKeys(root, at) };
}

function duplicateKeys(node: Node, at: ToolsText['at']): Problem[] {
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

export function valueOf(object: Node, name: string): Node | undefined {
  return object.children?.find((property) => property.children?.[0]?.value === name)?.children?.[1];
}

/** A warning for each field of `object` that is not one of `known`. */
export function unknownFields(object: Node, known: readonly string[], at: ToolsText['at']): Problem[] {
  return (object.children ?? []).flatMap((property) => {
    const name = String(property.children?.[0]?.value);
    if (known.includes(name)) return [];
    const place = { file: toolsFile, line: at(property.offset), severity: 'warning' as const };
    return [problemAt(place, `"${name.slice(0, 60)}" is no known field and is ignored. Remove it.`)];
  });
}
