import { failure, type Failure, type ToolOrigin } from '../protocol';
import type { Bundle, ToolsVersion } from './bundle';

export function isMcpOnly(bundle: { readonly tools_version: ToolsVersion }): boolean {
  return bundle.tools_version !== 3;
}

/** What is wrong with a tool of the app that a version without such tools selects, and the remedy. */
export function notOfServer(version: ToolsVersion, name: string): string {
  return (
    `"${name}" has the namespace of tools that are built in, and version ${version} selects tools of servers only. ` +
    `Write the file as version 3, with the tools by their full names: { "version": 3, "tools": ["${name}"] }.`
  );
}

/**
 * For whoever resolved a bundle's selection: one failure for each tool that its version of tools.json cannot select,
 * because it belongs to the app and to no server (S0-60, C8). Empty for version 3.
 */
export function mcpOnlyProblems(
  bundle: Pick<Bundle, 'tools_version'>,
  resolved: readonly {
    readonly descriptor: { readonly qualified_name: string };
    readonly origin: ToolOrigin;
  }[],
): readonly Failure[] {
  if (!isMcpOnly(bundle)) return [];
  return resolved
    .filter((tool) => tool.origin.kind !== 'mcp')
    .map(({ descriptor: { qualified_name: name } }) =>
      failure('tool_missing', `coworker/tools.json: ${notOfServer(bundle.tools_version, name)}`, {
        tool: name,
      }),
    );
}
