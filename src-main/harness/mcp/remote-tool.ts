import { ProtocolError, SdkError, SdkErrorCode, type RequestOptions } from '@modelcontextprotocol/client';
import { failure, type Failure, type JsonObject, type Result } from '../protocol';
import { linkedAbort } from '../tools/linked-abort';
import type { Tool, ToolContext, ToolEnd } from '../tools/tool';
import type { Validator } from '../validation/schema-compiler';
import { endOfResult, readResult } from './call-result';
import { httpStatus, networkCode } from './connection-failure';
import type { Connection } from './connection';
import { lostAnswer } from './http-transport';
import { maskEnd } from './mask-end';
import { anyResult } from './raw-results';

/** What a remote tool needs of its server while a call runs. */
export interface RemoteToolDeps {
  /** The exact remote name (S0-44). */
  readonly remote_name: string;
  readonly server: string;
  readonly output: Validator | null;
  readonly call_timeout_ms: number;
  readonly call_ceiling_ms: number;
  /**
   * A connection on which the tool still has this pin; starts the server again where it has ended. Nothing was sent
   * when it fails.
   */
  connection(pin: string, signal: AbortSignal): Promise<Result<Connection>>;
  /** The server may know of this folder until the answer is called; null for none. */
  useFolder(folder: string | null): Promise<() => void>;
  /** The connection turned out to be dead. */
  lost(connection: Connection): void;
  /** Puts references in the place of the secrets that the server was given. */
  mask(text: string): string;
}

/** Milliseconds between two progress reports of one call that are passed on. */
const progressGapMs = 100;

/**
 * Presents a tool of a server as a Tool (S0-27, S0-44). Its ends: the server's answer as output or error; `error` with
 * code `cancelled` or `server_unavailable` when nothing was sent; `unknown` with code `cancelled` (stopped after it was
 * sent), `tool_timed_out` or `outcome_unknown` when it was sent and no answer came. A call is sent once, never again.
 */
export function createRemoteTool(facts: Omit<Tool, 'run'>, deps: RemoteToolDeps): Tool {
  const name = facts.descriptor.qualified_name;
  return {
    ...facts,
    async run(context, args) {
      try {
        if (context.signal.aborted)
          return notSent('cancelled', `Tool "${name}" was stopped before it was called.`);
        const connection = await deps.connection(facts.pin, context.signal);
        if (!connection.ok) return { type: 'error', error: connection.error };
        const leave = await deps.useFolder(context.workspace);
        try {
          if (context.signal.aborted)
            return notSent('cancelled', `Tool "${name}" was stopped before it was called.`);
          return maskEnd(await callOnce(facts, deps, connection.value, context, args), deps.mask);
        } finally {
          leave();
        }
      } catch (error) {
        return maskEnd(endOfError(name, deps.server, error), deps.mask);
      }
    },
  };
}

async function callOnce(
  facts: Omit<Tool, 'run'>,
  deps: RemoteToolDeps,
  connection: Connection,
  context: ToolContext,
  args: JsonObject,
): Promise<ToolEnd> {
  const name = facts.descriptor.qualified_name;
  const limit = createCallLimit(context.signal, deps.call_timeout_ms, deps.call_ceiling_ms);
  const progress = createProgress(context, limit.restart, deps.mask);
  try {
    const result = await sendCall(facts, deps, connection, args, {
      signal: limit.signal,
      onprogress: progress,
      // The limits are ours; the client's own must not strike first.
      timeout: deps.call_ceiling_ms + 60_000,
    });
    const read = readResult(result);
    if (read === null) return failed(invalidResult(name, deps.server));
    return endOfResult(name, read, deps.output);
  } catch (error) {
    if (context.signal.aborted) {
      return unknown(
        'cancelled',
        `Tool "${name}" was stopped while it ran. It may have done its work, or a part of it.`,
      );
    }
    const expired = limit.expired();
    if (expired !== null) {
      return unknown(
        'tool_timed_out',
        `Tool "${name}" ${expired} It may have done its work, or a part of it.`,
      );
    }
    const end = endOfError(name, deps.server, error, connection.ended());
    if (httpStatus(error) !== null || networkCode(error) !== null) deps.lost(connection);
    return end;
  } finally {
    limit.stop();
  }
}

/** Answers whatever the server answered. */
function sendCall(
  { descriptor }: Omit<Tool, 'run'>,
  deps: RemoteToolDeps,
  { client, mirrors_arguments: mirrors }: Connection,
  args: JsonObject,
  options: RequestOptions,
): Promise<unknown> {
  const params = { name: deps.remote_name, arguments: args as Record<string, unknown> };
  if (!mirrors) return client.request({ method: 'tools/call', params }, anyResult, options);
  // Given the definition, the client neither checks the result nor sends the call a second time.
  const inputSchema = { ...descriptor.input_schema, type: 'object' as const };
  return client.callTool(params, { ...options, toolDefinition: { name: deps.remote_name, inputSchema } });
}

/** Silence and total time of one call (C9); its signal is aborted by them and by `stop`. */
function createCallLimit(stop: AbortSignal, idleMs: number, ceilingMs: number) {
  const limit = linkedAbort(stop);
  let words: string | null = null;
  const expire = (text: string) => {
    words ??= text;
    limit.abort(new DOMException('The call took too long.', 'TimeoutError'));
  };
  const idle = () => setTimeout(expire, idleMs, `gave no sign of life for ${idleMs / 1000} seconds.`);
  const ceiling = setTimeout(expire, ceilingMs, `was not done after ${ceilingMs / 1000} seconds.`);
  let timer = idle();
  return {
    signal: limit.signal,
    expired: () => words,
    restart() {
      clearTimeout(timer);
      if (!limit.signal.aborted) timer = idle();
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(ceiling);
      limit.release();
    },
  };
}

function createProgress(context: ToolContext, restart: () => void, mask: (text: string) => string) {
  let last = Number.NEGATIVE_INFINITY;
  return (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => {
    restart();
    const { progress: done, total, message } = progress;
    const known = typeof total === 'number' && total > 0 && Number.isFinite(done / total);
    const fraction = known ? Math.min(1, Math.max(0, done / total)) : null;
    const now = performance.now();
    if (now - last < progressGapMs && fraction !== 1) return;
    last = now;
    const words = message ?? (known ? `${done} of ${total}` : String(done));
    context.progress({ message: mask(words).slice(0, 500), ...(fraction === null ? {} : { fraction }) });
  };
}

/** What an error of the client says of a call that was handed to it. */
function endOfError(name: string, server: string, error: unknown, ended: Failure | null = null): ToolEnd {
  if (error instanceof ProtocolError) {
    if (error.data === lostAnswer) {
      return unknown(
        'outcome_unknown',
        `The connection to server "${server}" broke while tool "${name}" ran.`,
      );
    }
    return failed(`Server "${server}" refused the call of "${name}": ${error.message.slice(0, 2_000)}`);
  }
  const unsent = `Server "${server}" is not connected, so tool "${name}" was not called. Send the message again.`;
  const status = httpStatus(error);
  if (status !== null && status < 500) {
    return notSent('server_unavailable', `${unsent} (HTTP ${status})`);
  }
  if (networkCode(error) !== null) return notSent('server_unavailable', unsent);
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.NotConnected) return notSent('server_unavailable', unsent);
    if (error.code === SdkErrorCode.InvalidResult) {
      return failed(
        `Tool "${name}" ran, but server "${server}" answered with a result that is not valid MCP.`,
      );
    }
    if (error.code === SdkErrorCode.UnsupportedResultType) {
      return failed(`Tool "${name}" asks for more input in a way that is not offered to servers here.`);
    }
  }
  if (error instanceof Error && error.message === 'Not connected')
    return notSent('server_unavailable', unsent);
  const why = ended?.message ?? 'The connection broke.';
  const words = `Nobody knows what tool "${name}" did: it was called and no answer came. ${why}`;
  return { type: 'unknown', error: failure('outcome_unknown', words, ended?.data) };
}

function invalidResult(name: string, server: string): string {
  return `Tool "${name}" ran, but server "${server}" answered with a result that is not valid MCP.`;
}

function failed(message: string): ToolEnd {
  return { type: 'error', error: failure('tool_failed', message) };
}

function notSent(code: string, message: string): ToolEnd {
  return { type: 'error', error: failure(code, message, { may_have_run: false }) };
}

function unknown(code: string, message: string): ToolEnd {
  return { type: 'unknown', error: failure(code, message, { may_have_run: true }) };
}
