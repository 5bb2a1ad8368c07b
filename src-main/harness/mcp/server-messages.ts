import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { pathToFileURL } from 'node:url';
import { anyResult } from './raw-results';

/** What a server may say and ask between the calls. */
export interface ServerMessages {
  /** A line of the server's own log, over the protocol. */
  onLog(line: string): void;
  /** Its list of tools is another now; at most once in `settleMs`. */
  onToolsChanged(): void;
  /** Absolute folders that the server may be told of: those of the sessions that use it at this moment. */
  folders(): readonly string[];
  /** It has asked for the folders, and was told. */
  onFoldersTold(): void;
}

/** Milliseconds of quiet after a change of a list. */
const settleMs = 300;
const maxLogLine = 8 * 1024;

/** Options of a client that hears of changes, in both eras of the protocol. */
export function listening(messages: ServerMessages): Pick<ClientOptions, 'listChanged'> {
  const onChanged = (): void => messages.onToolsChanged();
  return { listChanged: { tools: { autoRefresh: false, debounceMs: settleMs, onChanged } } };
}

/** Answers what a server may ask; everything that is not here is refused. Call it before the connection opens. */
export function answerServer(client: Client, messages: ServerMessages): void {
  client.setRequestHandler('roots/list', () => {
    const roots = messages.folders().map((folder) => ({ uri: pathToFileURL(folder).href }));
    // After the answer has gone out, as far as that can be known here.
    setImmediate(messages.onFoldersTold);
    return { roots };
  });
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const { level, logger, data } = params;
    const words = typeof data === 'string' ? data : JSON.stringify(data);
    const line = `[${level}] ${logger === undefined ? '' : `${logger}: `}${words}`;
    messages.onLog(line.replace(/\s*\n\s*/g, ' ⏎ ').slice(0, maxLogLine));
  });
}

/** Asks an older server for its log from `info` on; a newer one is told with each request. */
export async function askForLog(client: Client, signal: AbortSignal): Promise<void> {
  if (client.getProtocolEra() === 'modern' || !client.getServerCapabilities()?.logging) return;
  const request = { method: 'logging/setLevel', params: { level: 'info' } } as const;
  await client.request(request, anyResult, { signal, timeout: 5_000 }).catch(() => undefined);
}
