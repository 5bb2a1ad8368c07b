import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import { isJsonObject, type Effort } from '../protocol';
import { filePart } from './message-files';
import type { ModelCall, ModelFile, ModelMessage, ModelRequest } from './port';
import type { Endpoint } from './provider-config';
import { assistantContent } from './replay';
import { objectText, resultText, userParts } from './replayed-text';
import { projectSchema } from './schema-projection';
import type { WireText } from './wire-log';
import { messageVariant, type WireContext, type WireForm } from './wire-request';

function dataUrl({ media_type, data }: Pick<ModelFile, 'media_type' | 'data'>): string {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return `data:${media_type};base64,${bytes.toString('base64')}`;
}

function userBlock(part: LanguageModelV3TextPart | LanguageModelV3FilePart): string {
  if (part.type === 'text') return JSON.stringify({ type: 'text', text: part.text });
  const url = dataUrl({ media_type: part.mediaType, data: part.data as Uint8Array });
  return JSON.stringify({ type: 'image_url', image_url: { url } });
}

/** Inside of a JSON string: what several messages can be joined in. */
function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Text alone is one string, since many servers of this protocol take nothing else. */
function userText(parts: readonly (LanguageModelV3TextPart | LanguageModelV3FilePart)[]): WireText {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length
    ? { form: 'string', text: inner(texts.join('\n\n')) }
    : { form: 'blocks', text: parts.map(userBlock).join(',') };
}

function signatureOf(options: unknown): string | null {
  const google = isJsonObject(options) && isJsonObject(options.google) ? options.google : {};
  return typeof google.thoughtSignature === 'string' ? google.thoughtSignature : null;
}

function assistantText(
  message: Extract<ModelMessage, { role: 'assistant' }>,
  context: WireContext,
): WireText | null {
  const { endpoint, model, names } = context;
  names.add(message.calls.map((call) => call.name));
  const content = assistantContent(message, { wire: endpoint.wire, model }, (call) => ({
    toolName: names.toWire(call.name),
    input: objectText(call.arguments_text),
  }));
  let text = '';
  const tool_calls: object[] = [];
  for (const part of content) {
    if (part.type === 'text') text += part.text;
    if (part.type !== 'tool-call') continue;
    const signature = signatureOf(part.providerOptions);
    tool_calls.push({
      id: part.toolCallId,
      type: 'function',
      function: { name: part.toolName, arguments: part.input },
      ...(signature === null ? {} : { extra_content: { google: { thought_signature: signature } } }),
    });
  }
  if (text === '' && tool_calls.length === 0) return null;
  const entry =
    tool_calls.length === 0
      ? { role: 'assistant', content: text }
      : { role: 'assistant', content: text === '' ? null : text, tool_calls };
  return { form: 'whole', text: JSON.stringify(entry) };
}

function toolText(call_id: string, text: string, is_error: boolean): WireText {
  const words = text === '' ? resultText.empty : text;
  const content = is_error ? `${resultText.error}${words}` : words;
  return { form: 'whole', text: JSON.stringify({ role: 'tool', tool_call_id: call_id, content }) };
}

function serialise(message: ModelMessage, context: WireContext): WireText | null {
  switch (message.role) {
    case 'tool':
      return toolText(message.call_id, message.text, message.is_error);
    case 'user':
      return userText(userParts(message, (file) => filePart(file, context.endpoint, context.sees)));
    case 'assistant':
      return assistantText(message, context);
  }
}

/** OpenAI's reasoning models take their instructions as the developer's. */
function systemRole({ endpoint, model }: WireContext): 'system' | 'developer' {
  const reasons = /^o\d+(-|$)/.test(model) || /^gpt-([5-9]|\d\d)(?!(\.\d+)?-chat)/.test(model);
  return endpoint.wire === 'openai-chat' && reasons ? 'developer' : 'system';
}

function transient(text: string, image: ModelFile | null): WireText {
  if (image === null) return { form: 'string', text: inner(text) };
  const blocks = [
    { type: 'image_url', image_url: { url: dataUrl(image) } },
    ...(text === '' ? [] : [{ type: 'text', text }]),
  ];
  return { form: 'blocks', text: blocks.map((block) => JSON.stringify(block)).join(',') };
}

/** Chat Completions, OpenAI's own and compatible. `takesEffort` says whether the model has the setting. */
export function chatForm(
  endpoint: Endpoint,
  takesEffort: (model: string, effort: Effort) => boolean,
): WireForm {
  const headers = {
    'content-type': 'application/json',
    ...(endpoint.key === null ? {} : { authorization: `Bearer ${endpoint.key}` }),
  };
  const effortOf = ({ model, effort }: ModelRequest) =>
    effort && takesEffort(model, effort) ? { reasoning_effort: effort } : {};
  return {
    path: '/chat/completions',
    headers: () => headers,
    head(request, context, tools) {
      const settings = JSON.stringify({
        model: request.model,
        stream: true,
        stream_options: { include_usage: true },
        ...effortOf(request),
      });
      const system = JSON.stringify({ role: systemRole(context), content: request.system });
      return [
        settings.slice(0, -1),
        tools === '' ? '' : `,"tools":[${tools}]`,
        `,"messages":[${request.system.trim() === '' ? '' : system}`,
      ].join('');
    },
    tool: ({ description, input_schema }, name) =>
      JSON.stringify({
        type: 'function',
        function: { name, description, parameters: projectSchema(input_schema, endpoint.wire) },
      }),
    dialect: (context) => ({
      serialise: (message) => serialise(message, context),
      missing: (call: ModelCall) => toolText(call.call_id, resultText.missing, true),
      variantOf: (message) => messageVariant(message, context),
    }),
    transient,
    cache_mark: null,
  };
}
