import type { Implementation } from '@modelcontextprotocol/client';
import { fail, failure, ok, type Failure, type Result, type ServerStatus } from '../protocol';
import type { Catalog } from '../tools/tool';
import type { SchemaCompiler } from '../validation/schema-compiler';
import { openConnection, type Connection } from './connection';
import { describeConnectError } from './connection-failure';
import { listTools } from './list-tools';
import { catalogOf } from './remote-catalog';
import { createReferenceReader, type ReferenceReader, type SecretResolver } from './config/secret-references';
import { targetOf, type ServerConfig } from './config/server-config';
import { usedFolders, type UsedFolders } from './used-folders';
import { abortable, pause } from './waiting';

export interface McpServerDeps {
  readonly config: ServerConfig;
  readonly resolveSecret: SecretResolver;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly clientInfo: Implementation;
  readonly compiler: SchemaCompiler;
  readonly startTimeoutMs: number;
  /** Milliseconds from any fixed point. */
  now(): number;
  log(line: string): void;
  /** Why it may not be started or used at this moment, or null: it is disabled, or nobody has accepted it. */
  refusal(): Failure | null;
  /** The status may have changed. */
  changed(): void;
}

/** One configured server: at most one process or connection, shared by every session, started when it is needed. */
export interface McpServer {
  readonly name: string;
  status(): ServerStatus;
  /** Starts the server where it does not run, and lists its tools afresh (S0-55), for a session with that folder. */
  discover(signal: AbortSignal, workspace?: string | null): Promise<Result<Catalog>>;
  /** Ends what runs, forgets earlier failures, and starts it. Calls that run end with an unknown outcome. */
  restart(signal: AbortSignal): Promise<Result<Catalog>>;
  close(): Promise<void>;
}

type State =
  | { readonly type: 'not_started' }
  | { readonly type: 'starting'; readonly started: Promise<Result<Catalog>> }
  | { readonly type: 'ready'; readonly connection: Connection }
  | { readonly type: 'failed'; readonly error: Failure; readonly at: number }
  | { readonly type: 'closed' };

const maxLogLines = 200;
const maxBackOffMs = 5_000;
/** Failed starts and crashes in a row after which only a person starts it again. */
const maxFailures = 6;

/** All that changes while a server is known. */
interface Server {
  readonly deps: McpServerDeps;
  readonly references: ReferenceReader;
  readonly closing: AbortController;
  readonly log: string[];
  state: State;
  /** The open connection, also while its first catalog is still awaited. */
  opened: Connection | null;
  /** Failed starts and crashes in a row; a start waits longer after each. */
  failures: number;
  starts: number;
  /** The server is known to speak the older handshake only. */
  legacy: boolean;
  skipped: number;
  /** Pins of the tools that the last catalog held; null where none was read since the start. */
  pins: ReadonlySet<string> | null;
  readonly folders: UsedFolders;
  facts: Pick<ServerStatus, 'tools' | 'protocol_version' | 'latency_ms'>;
}

export function createMcpServer(deps: McpServerDeps): McpServer {
  const server: Server = {
    deps,
    references: createReferenceReader(deps),
    closing: new AbortController(),
    log: [],
    state: { type: 'not_started' },
    opened: null,
    failures: 0,
    starts: 0,
    legacy: false,
    skipped: 0,
    pins: null,
    folders: usedFolders(async () => {
      const { opened } = server;
      if (opened?.legacy === true) await opened.client.sendRootsListChanged();
    }),
    facts: { tools: null, protocol_version: null, latency_ms: null },
  };
  let closed: Promise<void> | null = null;
  return {
    name: deps.config.name,
    async discover(signal, workspace = null) {
      const leave = await server.folders.use(workspace);
      return discover(server, signal).finally(leave);
    },
    restart: (signal) => restart(server, signal),
    status: () => statusOf(server),
    close: () => (closed ??= close(server)),
  };
}

function statusOf(server: Server): ServerStatus {
  const { deps, state, facts, skipped, log, starts } = server;
  const { config } = deps;
  const refused = deps.refusal();
  return {
    name: config.name,
    transport: config.transport,
    target: targetOf(config),
    placement: config.transport === 'stdio' ? config.placement : 'remote',
    state: stateOf(state, refused),
    trust: null,
    restarts: Math.max(0, starts - 1),
    ...facts,
    error: refused ?? (state.type === 'failed' ? state.error : null),
    skipped_lines: skipped,
    log: [...log],
  };
}

function stateOf(state: State, refused: Failure | null): ServerStatus['state'] {
  if (refused?.code === 'server_disabled') return 'disabled';
  if (refused?.code === 'server_untrusted') return 'untrusted';
  if (refused) return 'failed';
  return state.type === 'closed' ? 'not_started' : state.type;
}

async function discover(server: Server, signal: AbortSignal): Promise<Result<Catalog>> {
  const { state } = server;
  if (signal.aborted) return stopped(server);
  if (state.type === 'closed')
    return fail('server_unavailable', `Server "${server.deps.config.name}" is closed.`);
  const refused = server.deps.refusal();
  if (refused) return { ok: false, error: refused };
  if (state.type !== 'ready') return abortable(joinStart(server), signal, () => stopped(server));
  const again = await list(server, state.connection, signal);
  // A remote session may have ended while nobody looked: one fresh connection, since listing changes nothing.
  if (again.ok || signal.aborted || server.deps.config.transport === 'stdio') return again;
  return abortable(joinStart(server), signal, () => stopped(server));
}

async function restart(server: Server, signal: AbortSignal): Promise<Result<Catalog>> {
  const { state, opened } = server;
  if (state.type === 'starting') await state.started;
  server.failures = 0;
  server.opened = null;
  if (state.type !== 'closed') become(server, { type: 'not_started' });
  await opened?.close();
  return discover(server, signal);
}

/** The start that is under way, or a new one. */
function joinStart(server: Server): Promise<Result<Catalog>> {
  const { state } = server;
  if (state.type === 'starting') return state.started;
  if (state.type === 'failed' && server.failures >= maxFailures)
    return Promise.resolve({ ok: false, error: givenUp(server, state.error) });
  // The back-off is computed from the state before, which the new one replaces.
  const started = start(server, backOff(server));
  become(server, { type: 'starting', started });
  return started;
}

async function start(server: Server, wait: number): Promise<Result<Catalog>> {
  const { closing, deps } = server;
  const free = await pause(wait, closing.signal);
  if (!free) return stopped(server);
  server.starts += 1;
  server.pins = null;
  server.folders.forget();
  const result = await openConnection(deps.config, {
    ...deps,
    references: server.references,
    legacy: server.legacy,
    signal: closing.signal,
    logTail: () => server.log,
    onLog: (line) => note(server, line),
    onSkipped(line) {
      server.skipped += 1;
      note(server, `[skipped on stdout] ${line.slice(0, 300)}`);
    },
    messages: {
      onLog: (line) => note(server, line),
      onToolsChanged: () => void refresh(server),
      folders: () => server.folders.current(),
      onFoldersTold: () => server.folders.told(),
    },
    onEnd(error) {
      if (server.opened === null) return;
      server.opened = null;
      deps.log(error.message);
      failed(server, error);
    },
  });
  if (!result.ok) return closing.signal.aborted ? stopped(server) : failed(server, result.error);
  const connection = result.value;
  if (closing.signal.aborted) {
    await connection.close();
    return stopped(server);
  }
  server.opened = connection;
  server.legacy = deps.config.transport === 'stdio' && connection.legacy;
  connection.client.onerror = (error) =>
    deps.log(`Server "${deps.config.name}": ${server.references.mask(error.message)}`);
  return list(server, connection, closing.signal);
}

async function list(server: Server, connection: Connection, signal: AbortSignal): Promise<Result<Catalog>> {
  const { deps, references, log } = server;
  const from = deps.now();
  try {
    const listed = await listTools(connection.client, { signal, timeoutMs: deps.startTimeoutMs });
    for (const text of listed.notes) note(server, `[openworker] ${text}`);
    const catalog = await catalogOf(deps.config, listed.tools, connection.server_version, {
      compiler: deps.compiler,
      connection: (pin, caller) => connectionFor(server, pin, caller),
      useFolder: (folder) => server.folders.use(folder),
      lost: (dead) => void drop(server, dead, connectionLost(server)),
      mask: (text) => server.references.mask(text),
    });
    server.facts = {
      tools: catalog.tools.size,
      protocol_version: connection.protocol_version,
      latency_ms: Math.round(deps.now() - from),
    };
    server.failures = 0;
    server.pins = new Set([...catalog.tools.values()].map(({ pin }) => pin));
    if (server.opened === connection) become(server, { type: 'ready', connection });
    return ok(catalog);
  } catch (error) {
    if (signal.aborted) return stopped(server);
    const context = { startTimeoutMs: deps.startTimeoutMs, references, logTail: () => log };
    const said = connection.ended() ?? describeConnectError(deps.config, error, context);
    await drop(server, connection, said);
    return { ok: false, error: said };
  }
}

/** The server says that its tools are others now: what is known of them is read anew. */
async function refresh(server: Server): Promise<void> {
  const { state, deps, closing } = server;
  if (state.type !== 'ready' || deps.refusal()) return;
  await list(server, state.connection, closing.signal);
  deps.changed();
}

/** A connection on which a tool with this pin exists; starts the server again where it has ended. */
async function connectionFor(server: Server, pin: string, signal: AbortSignal): Promise<Result<Connection>> {
  const refused = server.deps.refusal();
  if (refused) return { ok: false, error: refused };
  if (server.state.type === 'ready' && server.pins?.has(pin)) return ok(server.state.connection);
  const catalog = await discover(server, signal);
  if (!catalog.ok) return catalog;
  if (server.opened === null) return { ok: false, error: connectionLost(server) };
  if (server.pins?.has(pin)) return ok(server.opened);
  return fail(
    'tool_missing',
    `The tool is not offered by server "${server.deps.config.name}" any more as it was when this turn began, so it was not called. Send the message again.`,
  );
}

/** Gives up a connection that no longer works. */
async function drop(server: Server, connection: Connection, error: Failure): Promise<void> {
  if (server.opened === connection) {
    server.opened = null;
    failed(server, error);
  }
  await connection.close();
}

async function close(server: Server): Promise<void> {
  const { state, opened } = server;
  server.opened = null;
  become(server, { type: 'closed' });
  server.closing.abort(new DOMException('Closed.', 'AbortError'));
  await opened?.close();
  if (state.type === 'starting') await state.started;
}

function become(server: Server, next: State): void {
  if (server.state.type === 'closed') return;
  server.state = next;
  server.deps.changed();
}

function failed(server: Server, error: Failure): { ok: false; error: Failure } {
  server.failures += 1;
  become(server, { type: 'failed', error, at: server.deps.now() });
  return { ok: false, error };
}

function note(server: Server, line: string): void {
  server.log.push(server.references.mask(line));
  if (server.log.length > maxLogLines) server.log.shift();
  server.deps.changed();
}

/** Milliseconds that the next start has to wait: none after the first failure, then doubling up to five seconds. */
function backOff({ state, failures, deps }: Server): number {
  if (state.type !== 'failed' || failures < 2) return 0;
  const wait = Math.min(250 * 2 ** (failures - 2), maxBackOffMs);
  return Math.max(0, wait - (deps.now() - state.at));
}

function givenUp({ deps: { config } }: Server, error: Failure): Failure {
  const words = `${error.message} It failed ${maxFailures} times in a row and is not started by itself any more: restart it on the page Servers.`;
  return { ...error, message: words, data: { ...error.data, server: config.name, given_up: true } };
}

function connectionLost({ deps: { config } }: Server): Failure {
  return failure('server_unavailable', `The connection to server "${config.name}" was lost.`, {
    server: config.name,
  });
}

function stopped({ deps: { config } }: Server): { ok: false; error: Failure } {
  return fail('cancelled', `The start of server "${config.name}" was stopped.`);
}
