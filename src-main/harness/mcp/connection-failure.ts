import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { Failure, JsonObject } from '../protocol';
import { targetOf, type ServerConfig } from './config/server-config';
import type { ServerExit } from './launch/stdio-transport';

/** Puts the end of a server's process into words: server, command, exit code, last output and remedy. */
export function describeExit(
  config: ServerConfig,
  exit: ServerExit,
  log: readonly string[],
  mask: (text: string) => string,
): Failure {
  const how = howItEnded(exit);
  const last = log.at(-1);
  const said =
    last === undefined ? 'It wrote nothing to its log.' : `Its last log line: ${last.slice(0, 500)}`;
  return {
    code: 'server_failed',
    message: mask(
      `Server "${config.name}" ${how}. ${said} Its command: ${targetOf(config)}. Run the command in a terminal to see why, or correct servers.json.`,
    ),
    data: {
      server: config.name,
      command: targetOf(config),
      exit_code: exit.code,
      signal: exit.signal,
      log: log.slice(-10).map(mask),
    },
  };
}

function howItEnded(exit: ServerExit): string {
  if (!exit.started) return `could not be started: ${exit.because ?? 'the system refused it'}`;
  if (exit.because !== null) return `was ended: ${exit.because}`;
  return exit.signal !== null
    ? `ended by signal ${exit.signal}`
    : `ended with exit code ${exit.code ?? 'unknown'}`;
}

interface DescribeContext {
  readonly startTimeoutMs: number;
  readonly references: { mask(text: string): string };
  logTail(): readonly string[];
}

/** Puts a failed start, or a failed catalog call, into words. */
export function describeConnectError(
  config: ServerConfig,
  error: unknown,
  context: DescribeContext,
): Failure {
  const mask = context.references.mask;
  const { code, words } = reasonOf(config, error, context.startTimeoutMs);
  const last = context.logTail().at(-1);
  const said = last === undefined ? '' : ` Its last log line: ${last.slice(0, 500)}`;
  const data: JsonObject = {
    server: config.name,
    command: targetOf(config),
    log: context.logTail().slice(-10).map(mask),
  };
  const target = config.transport === 'stdio' ? 'Its command' : 'Its address';
  return {
    code,
    message: mask(`Server "${config.name}" ${words}${said} ${target}: ${targetOf(config)}.`),
    data,
  };
}

function reasonOf(config: ServerConfig, error: unknown, timeoutMs: number): { code: string; words: string } {
  const remote = config.transport === 'streamable_http';
  const status = httpStatus(error);
  if (status !== null) return httpReason(status);
  if (isTimeout(error)) {
    const seconds = timeoutMs / 1000;
    const hint = remote ? 'Check that it runs.' : 'Check that its command starts an MCP server on stdio.';
    return { code: 'server_unavailable', words: `did not answer within ${seconds} seconds. ${hint}` };
  }
  if (error instanceof DOMException && error.name === 'AbortError') {
    return { code: 'cancelled', words: 'was stopped while it started.' };
  }
  const network = networkCode(error);
  if (network !== null) {
    return {
      code: 'server_unavailable',
      words: `cannot be reached (${network}). Start it, or correct "url" in servers.json.`,
    };
  }
  const text = error instanceof Error ? error.message : String(error);
  const shown = text.replace(/\s+/g, ' ').slice(0, 300).replace(/\.$/, '');
  return { code: 'server_failed', words: `does not speak MCP as expected: ${shown}.` };
}

function httpReason(status: number): { code: string; words: string } {
  if (status === 401 || status === 403) {
    return {
      code: 'server_failed',
      words: `refused the connection (HTTP ${status}). Give it the authorization that it wants in "headers" of servers.json.`,
    };
  }
  if (status === 404 || status === 405) {
    return {
      code: 'server_failed',
      words: `has no MCP endpoint there (HTTP ${status}). Correct "url" in servers.json.`,
    };
  }
  return {
    code: 'server_failed',
    words: `answered with HTTP ${status}. Try again later, or look at its own log.`,
  };
}

/** HTTP status of an error of the client, or null. */
export function httpStatus(error: unknown): number | null {
  if (!(error instanceof SdkHttpError)) return null;
  const status: unknown = (error.data as { status?: unknown } | undefined)?.status;
  return typeof status === 'number' ? status : null;
}

/** True for every kind of run-out time. */
export function isTimeout(error: unknown): boolean {
  if (error instanceof DOMException && error.name === 'TimeoutError') return true;
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

/** Code of a failure to connect, which proves that nothing was sent; null for anything else. */
export function networkCode(error: unknown): string | null {
  const unsent = [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
  ];
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = causeOf(at), depth += 1) {
    const code: unknown = (at as { code?: unknown }).code;
    if (typeof code === 'string' && unsent.includes(code)) return code;
  }
  return null;
}

function causeOf(error: Error): unknown {
  if (error.cause !== undefined) return error.cause;
  const nested: unknown = (error as { data?: { cause?: unknown } }).data?.cause;
  if (nested !== undefined) return nested;
  return error instanceof AggregateError ? (error.errors[0] as unknown) : undefined;
}
