import { Client, type Implementation } from '@modelcontextprotocol/client';
import { accessSync, constants, statSync } from 'node:fs';
import { fail, ok, type Failure, type Result } from '../protocol';
import { childEnvironment } from './launch/child-environment';
import { describeConnectError, describeExit } from './connection-failure';
import { createHttpTransport } from './http-transport';
import { launchCommand, resolveProgram } from './launch/launch-command';
import { urlProblem } from './config/read-server';
import { answerServer, askForLog, listening, type ServerMessages } from './server-messages';
import type { ReferenceReader } from './config/secret-references';
import type { HttpServerConfig, ServerConfig, StdioServerConfig } from './config/server-config';
import { createStdioTransport, type ServerExit } from './launch/stdio-transport';

/** An open connection to one server. */
export interface Connection {
  readonly client: Client;
  readonly protocol_version: string;
  /** The server's own version, or `0` where it tells none. */
  readonly server_version: string;
  /** True for the handshake of before the 2026-07-28 revision. */
  readonly legacy: boolean;
  /** True where a call may have to repeat arguments in HTTP headers, which the client does. */
  readonly mirrors_arguments: boolean;
  /** How it ended; null while it is open. */
  ended(): Failure | null;
  /** Ends the connection and the server's processes. Safe to call twice. */
  close(): Promise<void>;
}

export interface ConnectionDeps {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clientInfo: Implementation;
  readonly references: ReferenceReader;
  /** Milliseconds until a start is given up. */
  readonly startTimeoutMs: number;
  /** True when this server is known to speak the older handshake only, so that nothing has to be asked first. */
  readonly legacy: boolean;
  readonly signal: AbortSignal;
  /** Last lines of the server's log, masked, newest last. */
  logTail(): readonly string[];
  onLog(line: string): void;
  onSkipped(line: string): void;
  readonly messages: ServerMessages;
  /** The connection ended by itself. */
  onEnd(error: Failure): void;
}

/** Milliseconds that a server may be silent on the newest handshake before the older one is tried. */
const probeShare = 3;

/** Starts or reaches the server and agrees on a protocol version. Whatever fails, nothing stays running. */
export function openConnection(config: ServerConfig, deps: ConnectionDeps): Promise<Result<Connection>> {
  return config.transport === 'stdio' ? openStdio(config, deps) : openHttp(config, deps);
}

async function openStdio(config: StdioServerConfig, deps: ConnectionDeps): Promise<Result<Connection>> {
  const launch = prepareLaunch(config, deps);
  if (!launch.ok) return launch;
  let exit: ServerExit | null = null;
  let open = false;
  const describe = (what: ServerExit) => describeExit(config, what, deps.logTail(), deps.references.mask);
  const transport = createStdioTransport({
    ...launch.value,
    platform: deps.platform,
    onLog: deps.onLog,
    onSkipped: deps.onSkipped,
    onExit(what) {
      exit = what;
      if (open) deps.onEnd(describe(what));
    },
  });
  const client = createClient(deps);
  const connected = await connect(client, transport, deps);
  if (connected !== null) {
    const exitBefore = exit as ServerExit | null;
    await transport.close();
    if (exitBefore?.started && exitBefore.because === null && !deps.legacy && !deps.signal.aborted) {
      // Some servers end at any request before the older handshake: once more without the question.
      return openStdio(config, { ...deps, legacy: true });
    }
    if (exitBefore) return { ok: false, error: describe(exitBefore) };
    return { ok: false, error: describeConnectError(config, connected.error, deps) };
  }
  open = true;
  await askForLog(client, deps.signal);
  return ok({
    ...facts(client),
    mirrors_arguments: false,
    client,
    ended: () => (exit ? describe(exit) : null),
    async close() {
      open = false;
      await transport.close();
    },
  });
}

async function openHttp(config: HttpServerConfig, deps: ConnectionDeps): Promise<Result<Connection>> {
  const url = deps.references.read(config.url, `"url" of server "${config.name}"`);
  if (!url.ok) return url;
  const problem = urlProblem(url.value);
  if (problem) return fail('server_unavailable', `Server "${config.name}": ${deps.references.mask(problem)}`);
  const headers = readAll(config.headers, 'headers', config.name, deps.references);
  if (!headers.ok) return headers;
  const transport = createHttpTransport(new URL(url.value), headers.value);
  const client = createClient(deps);
  const connected = await connect(client, transport, deps);
  if (connected !== null) {
    await client.close().catch(() => undefined);
    return { ok: false, error: describeConnectError(config, connected.error, deps) };
  }
  await askForLog(client, deps.signal);
  let closed = false;
  client.onclose = () => {
    closed = true;
  };
  return ok({
    ...facts(client),
    mirrors_arguments: client.getProtocolEra() === 'modern',
    client,
    ended: () =>
      closed
        ? { code: 'server_unavailable', message: `The connection to server "${config.name}" is closed.` }
        : null,
    async close() {
      if (closed) return;
      await transport.endSession(1_000);
      await client.close().catch(() => undefined);
    },
  });
}

function facts(client: Client): Pick<Connection, 'protocol_version' | 'server_version' | 'legacy'> {
  return {
    protocol_version: client.getNegotiatedProtocolVersion() ?? 'unknown',
    server_version: client.getServerVersion()?.version ?? '0',
    legacy: client.getProtocolEra() !== 'modern',
  };
}

function createClient(deps: ConnectionDeps): Client {
  const client = new Client(deps.clientInfo, {
    // Neither sampling nor forms are offered: what is not offered cannot be abused.
    capabilities: { roots: { listChanged: true } },
    inputRequired: { autoFulfill: false },
    ...listening(deps.messages),
    versionNegotiation: {
      mode: deps.legacy ? 'legacy' : 'auto',
      probe: { timeoutMs: Math.ceil(deps.startTimeoutMs / probeShare) },
    },
  });
  answerServer(client, deps.messages);
  return client;
}

/** Null when connected, otherwise the error. Bounded by the start's time limit and by `deps.signal`. */
async function connect(
  client: Client,
  transport: Parameters<Client['connect']>[0],
  deps: ConnectionDeps,
): Promise<{ error: unknown } | null> {
  const limit = AbortSignal.any([deps.signal, AbortSignal.timeout(deps.startTimeoutMs)]);
  const stopped = new Promise<{ error: unknown }>((resolve) => {
    const stop = () => resolve({ error: limit.reason });
    if (limit.aborted) stop();
    else limit.addEventListener('abort', stop, { once: true });
  });
  const connecting = client.connect(transport, { timeout: deps.startTimeoutMs }).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  return Promise.race([connecting, stopped]);
}

function prepareLaunch(config: StdioServerConfig, deps: ConnectionDeps) {
  const { platform, env, references } = deps;
  const args: string[] = [];
  for (const [index, arg] of config.args.entries()) {
    const read = references.read(arg, `"args[${index}]" of server "${config.name}"`);
    if (!read.ok) return read;
    args.push(read.value);
  }
  const declared = readAll(config.env, 'env', config.name, references);
  if (!declared.ok) return declared;
  const childEnv = childEnvironment(platform, env, declared.value);
  const search = { platform, env: childEnv, folder: config.folder, exists: isExecutable };
  const program = resolveProgram(config.program, search);
  if (!program.ok) return named(config, program.error);
  if (!isFolder(config.cwd)) {
    return named(config, {
      code: 'server_unavailable',
      message: `The folder ${config.cwd} does not exist. Correct "cwd".`,
    });
  }
  const command = launchCommand(program.value, args, { platform, env });
  return command.ok
    ? ok({ command: command.value, env: childEnv, cwd: config.cwd })
    : named(config, command.error);
}

function named(config: ServerConfig, error: Failure): { ok: false; error: Failure } {
  return {
    ok: false,
    error: { ...error, message: `Server "${config.name}" cannot be started. ${error.message}` },
  };
}

function readAll(
  map: Readonly<Record<string, string>>,
  what: string,
  server: string,
  references: ReferenceReader,
): Result<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, text] of Object.entries(map)) {
    const read = references.read(text, `"${what}.${name}" of server "${server}"`);
    if (!read.ok) return read;
    values[name] = read.value;
  }
  return ok(values);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
