import type { Node } from 'jsonc-parser';
import type { Problem } from '../protocol';
import { maxTools, readServerTools, tooMany, type ListedTool, type ListRead } from './listed-tools';
import { problemAt } from './problem';
import { toolsExamples, toolsFile, unknownFields, valueOf, type ToolsText } from './tools-json';

/** The list of servers of version 2 (C8), each with its tools by remote name. */
export function readServers(root: Node, at: ToolsText['at']): ListRead {
  const list = valueOf(root, 'servers');
  if (list?.type !== 'array') {
    const text =
      `"servers" must be a list of servers with their tools. Write ${toolsExamples[2]}, ` +
      `or list the tools by their full names, as version 3 does: ${toolsExamples[3]}.`;
    return { entries: [], problems: [problemAt({ file: toolsFile, line: at((list ?? root).offset) }, text)] };
  }
  const entries: ListedTool[] = [];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const item of list.children ?? []) {
    const place = { file: toolsFile, line: at(item.offset) };
    if (item.type !== 'object') {
      const text = `an entry of "servers" is no object with "name" and "tools". Write ${toolsExamples[2]}.`;
      problems.push(problemAt(place, text));
      continue;
    }
    const read = readServerTools(item, 'name', 2, at);
    problems.push(...unknownFields(item, ['name', 'tools'], at), ...read.problems);
    entries.push(...read.entries);
    if (read.server === null) continue;
    if (seen.has(read.server)) {
      const text = `server "${read.server}" stands here a second time. Put all its tools into one entry.`;
      problems.push(problemAt(place, text));
    }
    seen.add(read.server);
  }
  if (entries.length <= maxTools) return { entries, problems };
  return { entries: [], problems: [...problems, tooMany(entries.length, at(list.offset))] };
}
