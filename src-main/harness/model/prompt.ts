import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import type { JsonSchema } from '../protocol';
import { filePart } from './message-files';
import type { ModelCall, ModelMessage, ModelRequest } from './port';
import type { Endpoint } from './provider-config';
import { assistantContent } from './replay';
import { objectText, resultText, userParts } from './replayed-text';
import type { Wire } from './provider-config';
import { projectSchema } from './schema-projection';
import type { WireNames } from './wire-names';
import { transientOf } from './transient';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;
type UserContent = Extract<LanguageModelV3Message, { role: 'user' }>['content'];

/** Arguments as the packages take them back: text where the wire has text, unless a package would refuse it. */
function replayedInput(arguments_text: string, wire: Endpoint['wire']): unknown {
  const text = objectText(arguments_text);
  // The packages refuse text with these words, and would send it quoted a second time.
  const textual = wire === 'openai-responses' && !/__proto__|constructor/.test(text);
  return textual ? text : (JSON.parse(text) as unknown);
}

function resultPart(message: ToolMessage, names: WireNames): LanguageModelV3ToolResultPart {
  const words = message.text === '' ? resultText.empty : message.text;
  const output = { type: 'text', value: message.is_error ? `${resultText.error}${words}` : words } as const;
  return { type: 'tool-result', toolCallId: message.call_id, toolName: names.toWire(message.name), output };
}

/** Results of one response together, in the order of its calls; an open call gets words in place of a result. */
function resultsOf(
  calls: readonly ModelCall[],
  results: ReadonlyMap<string, ToolMessage>,
  names: WireNames,
): LanguageModelV3ToolResultPart[] {
  return calls.map((call) =>
    resultPart(
      results.get(call.call_id) ?? {
        role: 'tool',
        call_id: call.call_id,
        name: call.name,
        text: resultText.missing,
        is_error: true,
      },
      names,
    ),
  );
}

/** What goes with this request only, as a message of its own behind all others. */
function transientContent(request: ModelRequest, sees: boolean): UserContent {
  const once = transientOf(request, sees);
  if (!once) return [];
  const { text, image } = once;
  return [
    ...(image === null
      ? []
      : [
          {
            type: 'file' as const,
            filename: image.name,
            mediaType: image.media_type,
            data: image.data,
          },
        ]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ];
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
      const content = userParts(message, (file) => filePart(file, endpoint, sees));
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
        prompt.push({ role: 'tool', content: resultsOf(message.calls, results, names) });
      }
    }
  });
  const once = transientContent(request, sees);
  if (once.length > 0) prompt.push({ role: 'user', content: once });
  return prompt;
}

export function toTools(request: ModelRequest, names: WireNames, wire: Wire): LanguageModelV3FunctionTool[] {
  return request.tools.map((tool) => ({
    type: 'function',
    name: names.toWire(tool.name),
    description: tool.description,
    inputSchema: projectSchema(
      tool.input_schema,
      wire,
    ) as JsonSchema as LanguageModelV3FunctionTool['inputSchema'],
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
