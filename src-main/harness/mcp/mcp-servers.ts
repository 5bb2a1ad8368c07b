import type { Implementation } from '@modelcontextprotocol/client';
import type { ServerStatus } from '../protocol';
import type { CatalogSource } from '../tools/tool';
import { createSchemaCompiler, type SchemaCompiler } from '../validation/schema-compiler';
import { createMcpServer } from './mcp-server';
import { originOf } from './remote-catalog';
import type { SecretResolver } from './config/secret-references';
import type { ServerConfig } from './config/server-config';

export interface McpServersDeps {
  /** Configured servers; their names are distinct. */
  readonly config: readonly ServerConfig[];
  readonly resolveSecret: SecretResolver;
  /** The app's own environment. Of it a server sees a short list of names only. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** How the app introduces itself to servers. */
  readonly clientInfo: Implementation;
  readonly compiler?: SchemaCompiler;
  /** Milliseconds until the start of a server, or one catalog call, is given up; 30,000 unless given. */
  readonly startTimeoutMs?: number;
  /** Milliseconds from any fixed point. */
  now(): number;
  /** A line for the app's own log; holds no secret. */
  log(line: string): void;
}

/** The configured MCP servers of the app (S0-20..S0-23). Nothing is started before a catalog is asked for. */
export interface McpServers {
  /** One source for each server, in the configured order. */
  sources(): readonly CatalogSource[];
  statuses(): readonly ServerStatus[];
  /** Called, at most ten times a second, after a status may have changed. Answers how to stop it. */
  onChanged(listener: () => void): () => void;
  /** Ends every connection and process, all at once, within about three seconds. Safe to call twice. */
  close(): Promise<void>;
}

const noticeMs = 100;

export function createMcpServers(deps: McpServersDeps): McpServers {
  const listeners = new Set<() => void>();
  let notice: NodeJS.Timeout | null = null;
  function changed(): void {
    if (listeners.size === 0) return;
    notice ??= setTimeout(() => {
      notice = null;
      for (const listener of listeners) listener();
    }, noticeMs).unref();
  }
  const compiler = deps.compiler ?? createSchemaCompiler();
  const { config, startTimeoutMs = 30_000, ...shared } = deps;
  const hosted = config.map((one) => ({
    server: createMcpServer({ ...shared, config: one, compiler, startTimeoutMs, changed }),
    origin: originOf(one),
  }));
  const servers = hosted.map(({ server }) => server);
  const sources = hosted.map(({ server, origin }): CatalogSource => ({
    namespace: server.name,
    origin,
    // One process serves every session, so the session does not matter.
    discover: (_scope, signal) => server.discover(signal),
  }));
  return {
    sources: () => sources,
    statuses: () => servers.map((server) => server.status()),
    onChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      if (notice) clearTimeout(notice);
      notice = null;
    },
  };
}
