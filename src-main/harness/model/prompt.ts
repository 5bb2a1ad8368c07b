import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import { isJsonObject, type JsonSchema } from '../protocol';
import { filePart } from './message-files';
import type { ModelCall, ModelMessage, ModelRequest } from './port';
import type { Endpoint } from './provider-config';
import { assistantContent } from './replay';
import { projectSchema } from './schema-projection';
import type { WireNames } from './wire-names';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;
type UserContent = Extract<LanguageModelV3Message, { role: 'user' }>['content'];

/** Arguments as every wire takes them back: an object. Text that is none goes back inside one, unchanged. */
function replayedInput(text: string, wire: Endpoint['wire']): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { malformed_arguments: text };
  }
  if (!isJsonObject(parsed)) return { malformed_arguments: text };
  const textual = wire === 'openai-chat' || wire === 'openai-responses' || wire === 'compatible';
  // The libraries refuse text with these words, and would send it quoted a second time.
  return textual && !/__proto__|constructor/.test(text) ? text : parsed;
}

function resultPart(
  message: ToolMessage,
  names: WireNames,
  endpoint: Endpoint,
): LanguageModelV3ToolResultPart {
  const value = message.text === '' ? '(no output)' : message.text;
  // Only Anthropic's wire has a mark for an error; elsewhere the words carry it.
  const output =
    message.is_error && endpoint.wire === 'anthropic'
      ? ({ type: 'error-text', value } as const)
      : ({ type: 'text', value: message.is_error ? `[tool error] ${value}` : value } as const);
  return { type: 'tool-result', toolCallId: message.call_id, toolName: names.toWire(message.name), output };
}

/** Results of one response together, in the order of its calls; an open call gets words in place of a result. */
function resultsOf(
  calls: readonly ModelCall[],
  results: ReadonlyMap<string, ToolMessage>,
  names: WireNames,
  endpoint: Endpoint,
): LanguageModelV3ToolResultPart[] {
  return calls.map((call) =>
    resultPart(
      results.get(call.call_id) ?? {
        role: 'tool',
        call_id: call.call_id,
        name: call.name,
        text: 'No result was recorded for this call.',
        is_error: true,
      },
      names,
      endpoint,
    ),
  );
}

function userContent(
  message: Extract<ModelMessage, { role: 'user' }>,
  endpoint: Endpoint,
  sees: boolean,
): UserContent {
  const content: UserContent = message.files.map((file) => filePart(file, endpoint, sees));
  if (message.text.trim() !== '') content.push({ type: 'text', text: message.text });
  return content.length > 0 ? content : [{ type: 'text', text: '(empty message)' }];
}

/** Results of the calls of the message at `index`: those before the next assistant message. */
function resultsAfter(messages: readonly ModelMessage[], index: number): Map<string, ToolMessage> {
  const results = new Map<string, ToolMessage>();
  for (const message of messages.slice(index + 1)) {
    if (message.role === 'assistant') break;
    if (message.role === 'tool' && !results.has(message.call_id)) results.set(message.call_id, message);
  }
  return results;
}

/**
 * The context on the wire. Every call is followed at once by exactly one result, all results of one response stand in
 * one message, and user messages that follow one another are one: what the strictest provider asks for.
 */
export function toPrompt(
  request: ModelRequest,
  endpoint: Endpoint,
  names: WireNames,
  sees: boolean,
): LanguageModelV3Prompt {
  const origin = { wire: endpoint.wire, model: request.model };
  const prompt: LanguageModelV3Prompt = [];
  if (request.system.trim() !== '') prompt.push({ role: 'system', content: request.system });
  request.messages.forEach((message, index) => {
    if (message.role === 'user') {
      const last = prompt.at(-1);
      const content = userContent(message, endpoint, sees);
      if (last?.role === 'user') last.content.push(...content);
      else prompt.push({ role: 'user', content });
    } else if (message.role === 'assistant') {
      const content = assistantContent(message, origin, (call) => ({
        toolName: names.toWire(call.name),
        input: replayedInput(call.arguments_text, endpoint.wire),
      }));
      if (content.length === 0) return;
      prompt.push({ role: 'assistant', content });
      if (message.calls.length > 0) {
        const results = resultsAfter(request.messages, index);
        prompt.push({ role: 'tool', content: resultsOf(message.calls, results, names, endpoint) });
      }
    }
  });
  return prompt;
}

export function toTools(request: ModelRequest, names: WireNames): LanguageModelV3FunctionTool[] {
  return request.tools.map((tool) => ({
    type: 'function',
    name: names.toWire(tool.name),
    description: tool.description,
    inputSchema: projectSchema(tool.input_schema) as JsonSchema as LanguageModelV3FunctionTool['inputSchema'],
  }));
}

/** Every alias that the request mentions, also of tools that are no longer offered. */
export function* aliasesOf(request: ModelRequest): Generator<string> {
  for (const tool of request.tools) yield tool.name;
  for (const message of request.messages) {
    if (message.role === 'tool') yield message.name;
    if (message.role === 'assistant') for (const call of message.calls) yield call.name;
  }
}
