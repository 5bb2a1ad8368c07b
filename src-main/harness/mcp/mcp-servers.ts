import type { Implementation } from '@modelcontextprotocol/client';
import { fail, failure, ok, type Failure, type Result, type ServerStatus } from '../protocol';
import type { CatalogSource } from '../tools/tool';
import { createSchemaCompiler, type SchemaCompiler } from '../validation/schema-compiler';
import { createMcpServer, type McpServer } from './mcp-server';
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
  /** Why a server may not be started or used at this moment, or null; asked each time, never remembered. */
  refusal?(config: ServerConfig): Failure | null;
  /** Milliseconds until the start of a server, or one catalog call, is given up; 30,000 unless given. */
  readonly startTimeoutMs?: number;
  /** Milliseconds from any fixed point. */
  now(): number;
  /** A line for the app's own log; holds no secret. */
  log(line: string): void;
}

/** The configured MCP servers of the app (S0-20..S0-23). Nothing is started before a catalog is asked for. */
export interface McpServers {
  /** The server of that name as a source of tools. */
  source(namespace: string): CatalogSource | undefined;
  /** In the configured order. */
  sources(): readonly CatalogSource[];
  statuses(): readonly ServerStatus[];
  /**
   * Takes another configuration: a server whose configuration is the same goes on untouched, every other one ends and is
   * started anew when it is needed. Answers once what ends has ended.
   */
  apply(config: readonly ServerConfig[]): Promise<void>;
  /** Ends the server and lists its tools afresh, also where its failed starts were too many. */
  restart(name: string, signal: AbortSignal): Promise<Result<null>>;
  /** Called, at most ten times a second, after a status may have changed. Answers how to stop it. */
  onChanged(listener: () => void): () => void;
  /** Ends every connection and process, all at once, within about three seconds. Safe to call twice. */
  close(): Promise<void>;
}

const noticeMs = 100;

interface Hosted {
  readonly server: McpServer;
  readonly source: CatalogSource;
  /** Equal texts, equal configurations. */
  readonly key: string;
}

/** Configurations are read from text, so members come in one order. */
const keyOf = (config: ServerConfig): string => JSON.stringify(config);

/** Tells its listeners, at most once in `noticeMs`. */
function createNotice() {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;
  return {
    changed(): void {
      if (listeners.size === 0) return;
      timer ??= setTimeout(() => {
        timer = null;
        for (const listener of listeners) listener();
      }, noticeMs).unref();
    },
    listen(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop(): void {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}

function refusalOf(config: ServerConfig, refusal: McpServersDeps['refusal']): Failure | null {
  if (config.enabled) return refusal?.(config) ?? null;
  const words = `Server "${config.name}" is disabled. Enable it on the page Servers, or in servers.json.`;
  return failure('server_disabled', words, { server: config.name });
}

export function createMcpServers(deps: McpServersDeps): McpServers {
  const notice = createNotice();
  const compiler = deps.compiler ?? createSchemaCompiler();
  const { config: configured, startTimeoutMs = 30_000, refusal, ...shared } = deps;
  let closed = false;
  const host = (config: ServerConfig): Hosted => {
    const server = createMcpServer({
      ...shared,
      config,
      compiler,
      startTimeoutMs,
      refusal: () => refusalOf(config, refusal),
      changed: notice.changed,
    });
    const source: CatalogSource = {
      namespace: config.name,
      origin: originOf(config),
      // One process serves every session; of them it hears the folders only.
      discover: ({ workspace }, signal) => server.discover(signal, workspace),
    };
    return { server, source, key: keyOf(config) };
  };
  let hosted = new Map(configured.map((config) => [config.name, host(config)]));
  return {
    source: (namespace) => hosted.get(namespace)?.source,
    sources: () => [...hosted.values()].map(({ source }) => source),
    statuses: () => [...hosted.values()].map(({ server }) => server.status()),
    async apply(config) {
      if (closed) return;
      const before = hosted;
      const kept = (one: ServerConfig): Hosted | undefined => {
        const known = before.get(one.name);
        return known?.key === keyOf(one) ? known : undefined;
      };
      hosted = new Map(config.map((one) => [one.name, kept(one) ?? host(one)]));
      notice.changed();
      const ended = [...before].filter(([name, one]) => hosted.get(name) !== one);
      await Promise.all(ended.map(([, { server }]) => server.close()));
    },
    async restart(name, signal) {
      const found = hosted.get(name);
      if (!found) return fail('not_found', `There is no server "${name}" in servers.json.`);
      const started = await found.server.restart(signal);
      return started.ok ? ok(null) : started;
    },
    onChanged: notice.listen,
    async close() {
      closed = true;
      await Promise.all([...hosted.values()].map(({ server }) => server.close()));
      notice.stop();
    },
  };
}
