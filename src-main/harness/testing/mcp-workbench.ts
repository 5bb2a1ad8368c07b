import { createMcpServers, type McpServers } from '../mcp/mcp-servers';
import type { ServerConfig } from '../mcp/config/server-config';
import type { JsonObject, Result } from '../protocol';
import type { Catalog, ToolEnd, ToolProgress } from '../tools/tool';

/** Servers as a session uses them, for tests: discover, then run. */
export interface McpWorkbench {
  readonly servers: McpServers;
  /** Every progress report of every call, in order. */
  readonly progress: ToolProgress[];
  /** Lines for the app's log. */
  readonly log: string[];
  discover(name: string, signal?: AbortSignal): Promise<Result<Catalog>>;
  /** @throws when there is no catalog */
  catalog(name: string): Promise<Catalog>;
  /** Discovers and runs one tool, for a session with that folder. @throws when there is no such tool */
  run(
    name: string,
    tool: string,
    args: JsonObject,
    options?: { readonly signal?: AbortSignal; readonly workspace?: string },
  ): Promise<ToolEnd>;
  close(): Promise<void>;
}

export function createMcpWorkbench(
  config: readonly ServerConfig[],
  options: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly secrets?: Readonly<Record<string, string>>;
    readonly startTimeoutMs?: number;
  } = {},
): McpWorkbench {
  const progress: ToolProgress[] = [];
  const log: string[] = [];
  const servers = createMcpServers({
    config,
    env: options.env ?? process.env,
    resolveSecret: (name) => options.secrets?.[name] ?? null,
    platform: process.platform,
    clientInfo: { name: 'openworker-test', version: '0.0.0' },
    now: () => performance.now(),
    log: (line) => log.push(line),
    ...(options.startTimeoutMs === undefined ? {} : { startTimeoutMs: options.startTimeoutMs }),
  });
  const never = new AbortController().signal;
  const bench: McpWorkbench = {
    servers,
    progress,
    log,
    async discover(name, signal = never) {
      const source = servers.sources().find((one) => one.namespace === name);
      if (!source) throw new Error(`No server "${name}".`);
      return source.discover({ session_id: 's', workspace: null }, signal);
    },
    async catalog(name) {
      const result = await bench.discover(name);
      if (!result.ok) throw new Error(result.error.message);
      return result.value;
    },
    async run(name, toolName, args, { signal = never, workspace = null } = {}) {
      const tool = (await bench.catalog(name)).tools.get(toolName);
      if (!tool) throw new Error(`Server "${name}" has no tool "${toolName}".`);
      const context = {
        session_id: 's',
        turn_id: 't',
        call_id: 'c',
        qualified_name: tool.descriptor.qualified_name,
        model_alias: tool.model_alias,
        workspace,
        signal,
        progress: (one: ToolProgress) => progress.push(one),
      };
      return tool.run(context, args);
    },
    close: () => servers.close(),
  };
  return bench;
}
