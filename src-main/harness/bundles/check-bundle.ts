import { maxNameBytes, type Problem, type QualifiedName } from '../protocol';
import type { CheckedParts } from './bundle';
import { isMcpOnly, notOfServer } from './mcp-only';
import { problemAt } from './problem';
import { manifestFile } from './read-manifest';
import { skillFile } from './read-skills';
import { toolsFile } from './tools-json';

/** What is here to be selected from. */
export interface AvailableTools {
  /** Qualified names of native tools and callbacks. */
  readonly registered: ReadonlySet<string>;
  /**
   * Exact tool names of each configured server; null for a server whose catalog is not known. Absent: nothing is known
   * of servers, and names outside the registered namespaces are not judged.
   */
  readonly catalogs?: ReadonlyMap<string, ReadonlySet<string> | null>;
}

/** The longest tool name on OpenAI's wire (C4). */
const shortWireName = 64;

function missing(tool: QualifiedName, bundle: CheckedParts, available: AvailableTools): string | null {
  const { namespace, local_name: local, qualified_name: name } = tool;
  const registered = [...available.registered].some((other) => other.startsWith(`${namespace}.`));
  if (registered && isMcpOnly(bundle)) return notOfServer(bundle.tools_version, name);
  if (available.registered.has(name)) return null;
  if (registered) return `there is no tool "${name}". Correct the name (case counts), or remove the entry.`;
  if (available.catalogs === undefined) return null;
  const catalog = available.catalogs.get(namespace);
  if (catalog === undefined) {
    return `nothing here offers "${name}". Add a server "${namespace}" to servers.json, or remove the entry.`;
  }
  if (catalog === null || catalog.has(local)) return null;
  return `server "${namespace}" offers no tool "${local}". Correct the name (case counts), or remove the entry.`;
}

function toolProblems(bundle: CheckedParts, available: AvailableTools): Problem[] {
  return bundle.tools.flatMap((tool) => {
    const place = { file: toolsFile, line: bundle.tool_lines.get(tool.qualified_name) };
    const problems: Problem[] = [];
    const absent = missing(tool, bundle, available);
    if (absent !== null) problems.push(problemAt(place, absent, 'tool_missing'));
    if (tool.model_alias.length > shortWireName) {
      const text =
        `the model alias "${tool.model_alias}" has ${tool.model_alias.length} of ${maxNameBytes} bytes. OpenAI takes ` +
        `${shortWireName}: there the name is shortened. Shorten the tool's name if its model should read it whole.`;
      problems.push(problemAt({ ...place, severity: 'warning' }, text, 'name_too_long'));
    }
    return problems;
  });
}

const aliasWord =
  /(?<![A-Za-z0-9_.-])[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*__[A-Za-z0-9_-]*[A-Za-z0-9](?![A-Za-z0-9_])/g;
const dottedWord = /(?<![A-Za-z0-9_./@-])[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+(?![A-Za-z0-9_/@-])/g;

function instructionProblems(file: string, text: string, firstLine: number, bundle: CheckedParts): Problem[] {
  const aliases = new Set(bundle.tools.map((tool) => tool.model_alias));
  const names = new Map(bundle.tools.map((tool) => [tool.qualified_name, tool.model_alias]));
  const problems: Problem[] = [];
  const said = new Set<string>();
  text.split('\n').forEach((content, index) => {
    const place = { file, line: firstLine + index, severity: 'warning' as const };
    for (const [word] of content.matchAll(aliasWord)) {
      if (aliases.has(word) || said.has(word)) continue;
      said.add(word);
      const remedy = 'Add the tool to tools.json, or take the name out of the text.';
      problems.push(
        problemAt(place, `"${word}" is not the alias of a selected tool. ${remedy}`, 'tool_missing'),
      );
    }
    for (const [word] of content.matchAll(dottedWord)) {
      const alias = names.get(word);
      if (alias === undefined || said.has(word)) continue;
      said.add(word);
      problems.push(problemAt(place, `the model knows "${word}" by its alias. Write "${alias}" instead.`));
    }
  });
  return problems;
}

/**
 * Checks a bundle against what is here: selected tools that are missing (errors, S0-46), aliases that one provider has
 * to shorten (C4), and texts that name tools which are not selected or by the wrong name (S0-48).
 */
export function checkBundle(bundle: CheckedParts, available: AvailableTools): Problem[] {
  return [
    ...toolProblems(bundle, available),
    ...instructionProblems(manifestFile, bundle.instructions, bundle.instructions_line, bundle),
    ...bundle.skills.flatMap((skill) =>
      instructionProblems(skillFile(skill.name), skill.body, skill.body_line, bundle),
    ),
  ];
}
