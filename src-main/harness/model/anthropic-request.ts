import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import { isJsonObject, type Effort, type JsonObject } from '../protocol';
import { filePart } from './message-files';
import { catalogEntry, type ClaudeThinking } from './model-catalog';
import type { ModelCall, ModelFile, ModelMessage, ModelRequest } from './port';
import type { Endpoint } from './provider-config';
import { assistantContent, type AssistantContent } from './replay';
import { objectText, resultText, userParts } from './replayed-text';
import { projectSchema } from './schema-projection';
import type { WireText } from './wire-log';
import { messageVariant, type WireContext, type WireForm } from './wire-request';

/** Room for an answer of a model that is not known; too little cuts files in half. */
const unknownModelTokens = 32_000;

/** Tokens of thinking for the models that take a number; all are below the room for an answer. */
const budgets: Readonly<Record<Effort, number>> = { low: 4_096, medium: 12_288, high: 24_576 };

const bindingBeta = 'thinking-binding-controls-2026-08-01';

const mark = ',"cache_control":{"type":"ephemeral"}';

/** Ids that other providers made may have characters that this wire refuses. */
function wireId(call_id: string): string {
  return call_id.replace(/[^A-Za-z0-9_-]/g, '_');
}

function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

function userBlock(part: LanguageModelV3TextPart | LanguageModelV3FilePart): string {
  if (part.type === 'text') return JSON.stringify({ type: 'text', text: part.text });
  const source = { type: 'base64', media_type: part.mediaType, data: base64(part.data as Uint8Array) };
  return part.mediaType === 'application/pdf'
    ? JSON.stringify({ type: 'document', source, title: part.filename })
    : JSON.stringify({ type: 'image', source });
}

function reasoningBlock(text: string, options: unknown): string | null {
  const signed = isJsonObject(options) && isJsonObject(options.anthropic) ? options.anthropic : {};
  if (typeof signed.signature === 'string') {
    return JSON.stringify({ type: 'thinking', thinking: text, signature: signed.signature });
  }
  return typeof signed.redactedData === 'string'
    ? JSON.stringify({ type: 'redacted_thinking', data: signed.redactedData })
    : null;
}

function assistantBlock(part: AssistantContent[number], names: WireContext['names']): string | null {
  switch (part.type) {
    case 'text':
      return JSON.stringify({ type: 'text', text: part.text });
    case 'reasoning':
      return reasoningBlock(part.text, part.providerOptions);
    case 'tool-call': {
      const start = JSON.stringify({
        type: 'tool_use',
        id: wireId(part.toolCallId),
        name: names.toWire(part.toolName),
      });
      // The arguments go back as the very text that the model wrote.
      return `${start.slice(0, -1)},"input":${String(part.input)}}`;
    }
    default:
      return null;
  }
}

function resultBlock(call_id: string, text: string, is_error: boolean): WireText {
  const content = text === '' ? resultText.empty : text;
  const block = { type: 'tool_result', tool_use_id: wireId(call_id), content };
  return { form: 'blocks', text: JSON.stringify(is_error ? { ...block, is_error } : block) };
}

function serialise(message: ModelMessage, context: WireContext): WireText | null {
  const { endpoint, model, names, sees } = context;
  if (message.role === 'tool') return resultBlock(message.call_id, message.text, message.is_error);
  if (message.role === 'user') {
    const parts = userParts(message, (file) => filePart(file, endpoint, sees));
    return { form: 'blocks', text: parts.map(userBlock).join(',') };
  }
  const content = assistantContent(message, { wire: endpoint.wire, model }, (call) => ({
    toolName: call.name,
    input: objectText(call.arguments_text),
  }));
  names.add(message.calls.map((call) => call.name));
  const blocks = content.map((part) => assistantBlock(part, names)).filter((block) => block !== null);
  return blocks.length === 0
    ? null
    : { form: 'whole', text: `{"role":"assistant","content":[${blocks.join(',')}]}` };
}

function thinkingOf(endpoint: Endpoint, model: string): ClaudeThinking {
  return catalogEntry(endpoint.kind, model)?.thinking ?? 'none';
}

/** How the model is to think: nothing is said where its own default is wanted. */
function thinkingSettings(request: ModelRequest, endpoint: Endpoint): JsonObject {
  const effort = request.effort ?? null;
  const mode = thinkingOf(endpoint, request.model);
  if (mode === 'none') return {};
  if (mode === 'budget') {
    return effort === null ? {} : { thinking: { type: 'enabled', budget_tokens: budgets[effort] } };
  }
  const output = effort === null ? {} : { output_config: { effort } };
  const always = mode === 'always' || mode === 'bound';
  // The newer models think without being asked, and say what they thought only when asked.
  if (always && endpoint.official) {
    const binding = { block_binding: { prefix_mismatch_behavior: 'drop_block' } };
    const thinking = { type: 'adaptive', display: 'summarized', ...(mode === 'bound' ? binding : {}) };
    return { thinking, ...output };
  }
  return effort === null || always ? output : { thinking: { type: 'adaptive' }, ...output };
}

function head(request: ModelRequest, { endpoint }: WireContext, tools: string): string {
  const settings = JSON.stringify({
    model: request.model,
    max_tokens: catalogEntry(endpoint.kind, request.model)?.max_output ?? unknownModelTokens,
    stream: true,
    ...thinkingSettings(request, endpoint),
  });
  const system = JSON.stringify({ type: 'text', text: request.system });
  return [
    settings.slice(0, -1),
    tools === '' ? '' : `,"tools":[${tools.slice(0, -1)}${mark}}]`,
    request.system.trim() === '' ? '' : `,"system":[${system.slice(0, -1)}${mark}}]`,
    ',"messages":[',
  ].join('');
}

function transient(text: string, image: ModelFile | null): WireText {
  const blocks = [
    ...(image === null
      ? []
      : [
          {
            type: 'image',
            source: { type: 'base64', media_type: image.media_type, data: base64(image.data) },
          },
        ]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
  ];
  return { form: 'blocks', text: blocks.map((block) => JSON.stringify(block)).join(',') };
}

/**
 * Anthropic Messages. Results and what the person said after them are one message, as the wire wants it. Marks for the
 * provider's cache stand at the tools, the system text, and the last two places where a request ended; what goes with
 * one request only stands behind them. Thinking that is bound to the conversation before it is dropped by the provider
 * where that has changed, since such a part, or a summary, would otherwise make it refuse the whole request.
 */
export function anthropicForm(endpoint: Endpoint): WireForm {
  const headers = {
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    ...(endpoint.key === null ? {} : { 'x-api-key': endpoint.key }),
  };
  return {
    path: '/messages',
    headers: ({ model }) =>
      endpoint.official && thinkingOf(endpoint, model) === 'bound'
        ? { ...headers, 'anthropic-beta': bindingBeta }
        : headers,
    head,
    tool: (tool, name) =>
      JSON.stringify({
        name,
        description: tool.description,
        input_schema: projectSchema(tool.input_schema, 'anthropic'),
      }),
    dialect: (context) => ({
      serialise: (message) => serialise(message, context),
      missing: (call: ModelCall) => resultBlock(call.call_id, resultText.missing, true),
      variantOf: (message) => messageVariant(message, context),
    }),
    transient,
    cache_mark: mark,
  };
}
