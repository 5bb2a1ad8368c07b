import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isJsonObject, type Json } from '../protocol';

/** A result schema that takes any answer: what a server says is judged here, part by part, and not as a whole. */
export const anyResult = {
  '~standard': { version: 1 as const, vendor: 'openworker', validate: (value: unknown) => ({ value }) },
};

const wrapping = 'openworker/listed';

/**
 * Wraps each listed tool of an answer in a tool that is valid for certain. The client checks the catalogs of newer
 * servers itself and would refuse all of one for a single malformed tool.
 */
export function wrapListedTools(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message)) return message;
  const result: unknown = message.result;
  if (!isJsonObject(result) || !Array.isArray(result['tools']) || 'content' in result) return message;
  const tools = (result['tools'] as readonly Json[]).map((tool, index) => ({
    name: `tool-${index}`,
    inputSchema: { type: 'object' },
    _meta: { [wrapping]: tool },
  }));
  return { ...message, result: { ...result, tools } } as JSONRPCMessage;
}

/** The tool as the server listed it. */
export function unwrapListedTool(tool: unknown): unknown {
  const meta = isJsonObject(tool) ? tool['_meta'] : undefined;
  return isJsonObject(meta) && wrapping in meta ? meta[wrapping] : tool;
}

/** Makes a transport hand every message to its owner through `change`. */
export function changeMessages(
  transport: Transport,
  change: (message: JSONRPCMessage) => JSONRPCMessage,
): void {
  type Handler = NonNullable<Transport['onmessage']>;
  const changed = new WeakSet<Handler>();
  let current: Handler | undefined;
  Object.defineProperty(transport, 'onmessage', {
    get: () => current,
    set(handler: Handler | undefined) {
      // Version negotiation puts back what it has read.
      if (handler === undefined || changed.has(handler)) {
        current = handler;
        return;
      }
      current = (message, extra) => handler(change(message) as typeof message, extra);
      changed.add(current);
    },
  });
}
