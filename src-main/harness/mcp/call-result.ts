import { failure, isJsonObject, type Json } from '../protocol';
import type { ToolEnd, ToolImage, ToolOutput } from '../tools/tool';
import { isBoundedJson } from '../validation/bounded-json';
import type { Validator } from '../validation/schema-compiler';
import { createMediaCleaner, isImageType, readImages, sizeOf, type MediaCleaner } from './result-media';

/** Bytes of a result's text, and of its structured value's JSON text. 1 KB is 1,024 bytes (C5). */
export const maxTextBytes = 256 * 1024;
const headBytes = 192 * 1024;
/** Bytes of the text of an error, which becomes its message. */
const maxErrorBytes = 16 * 1024;
/** Most values in the structured content of one result. */
const maxStructuredValues = 200_000;

/** One piece of content, checked; `unknown` stands for every kind that is not known here or is malformed. */
type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string; readonly uri?: string }
  | { readonly type: 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly label: string }
  | { readonly type: 'resource'; readonly uri: string; readonly text: string }
  | { readonly type: 'blob'; readonly uri: string; readonly mimeType: string; readonly data: string }
  | { readonly type: 'unknown' };

/** A server's answer to a call, checked piece by piece. */
export interface CallResult {
  readonly content: readonly Content[];
  readonly structured: Json | undefined;
  readonly isError: boolean;
}

/** Reads any answer; null when it is no result of a call at all. */
export function readResult(raw: unknown): CallResult | null {
  if (!isJsonObject(raw)) return null;
  const { content = [], structuredContent, isError } = raw;
  if (!Array.isArray(content)) return null;
  return {
    content: (content as readonly Json[]).map(readContent),
    structured: structuredContent,
    isError: isError === true,
  };
}

function readContent(item: Json): Content {
  if (!isJsonObject(item)) return { type: 'unknown' };
  const { type, text, data, uri, name, title, resource } = item;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    return { type, data, mimeType: wordOf(item['mimeType'], 'no type') };
  }
  if (type === 'resource_link' && typeof uri === 'string') {
    return { type, uri, label: wordOf(title, wordOf(name, 'unnamed')) };
  }
  if (type === 'resource' && isJsonObject(resource)) {
    const place = wordOf(resource['uri'], 'no address');
    if (typeof resource['text'] === 'string') return { type, uri: place, text: resource['text'] };
    if (typeof resource['blob'] === 'string') {
      const mimeType = wordOf(resource['mimeType'], 'bytes');
      return { type: isImageType(mimeType) ? 'image' : 'blob', uri: place, mimeType, data: resource['blob'] };
    }
  }
  return { type: 'unknown' };
}

function wordOf(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value.slice(0, 500) : otherwise;
}

/**
 * Turns a server's answer into the end of the call. Pixels and sound appear in no text and in no structured value; the
 * first usable PNG or JPEG goes with the output. A result that breaks its own output schema is an error that keeps the
 * text.
 * @param name qualified name, for messages
 */
export function endOfResult(name: string, result: CallResult, output: Validator | null): ToolEnd {
  const { content } = result;
  const images = readImages(content.filter((item) => item.type === 'image'));
  const cleaner = createMediaCleaner(content.filter((item) => 'data' in item));
  const { structured, words: without } = structuredOf(result, cleaner);
  const words = content.map((item) => (item.type === 'image' ? images.words.get(item) : wordsOf(item)));
  const text = [cleaner.text(words.join('\n')), ...without].filter((part) => part !== '').join('\n');
  if (result.isError) return endOfError(name, text, outputOf('', structured, images.image));
  const problem = output ? schemaProblem(name, result, output) : null;
  if (problem !== null) {
    const message =
      text.trim() === '' ? problem : `${problem} Its text was:\n${headAndTail(text, maxErrorBytes)}`;
    return { type: 'error', error: failure('tool_failed', message) };
  }
  return { type: 'output', output: outputOf(text, structured, images.image) };
}

function endOfError(name: string, text: string, output: ToolOutput): ToolEnd {
  const words =
    text.trim() === '' ? `Tool "${name}" failed and gave no reason.` : headAndTail(text, maxErrorBytes);
  const error = failure('tool_failed', words);
  return output.structured === undefined && !output.image
    ? { type: 'error', error }
    : { type: 'error', error, output };
}

function outputOf(text: string, structured: Json | undefined, image: ToolImage | null): ToolOutput {
  const attached = image ? { image } : {};
  if (structured === undefined) {
    return { text: text === '' ? 'The tool finished and returned nothing.' : headAndTail(text), ...attached };
  }
  const json = JSON.stringify(structured);
  if (Buffer.byteLength(json, 'utf8') <= maxTextBytes) {
    return { structured, ...(text === '' ? {} : { text: headAndTail(text) }), ...attached };
  }
  return { text: headAndTail(text === '' ? json : text), ...attached };
}

function schemaProblem(name: string, result: CallResult, output: Validator): string | null {
  if (result.structured === undefined) {
    return `Tool "${name}" ran, but its result lacks the structured value that its output schema promises.`;
  }
  const checked = output.check(result.structured);
  if (checked.ok) return null;
  return `Tool "${name}" ran, but its result does not fit its own output schema. ${checked.error.message}`;
}

function wordsOf(item: Exclude<Content, { type: 'image' }>): string {
  switch (item.type) {
    case 'text':
      return item.text;
    case 'audio':
      return `[Sound left out: ${item.mimeType}, ${sizeOf(item.data)}]`;
    case 'resource_link':
      return `[Resource: ${item.label}, ${item.uri}]`;
    case 'resource':
      return `[Resource: ${item.uri}]\n${item.text}`;
    case 'blob':
      return `[Resource left out: ${item.uri}, ${item.mimeType}, ${sizeOf(item.data)}]`;
    case 'unknown':
      return '[Content of a kind that is not known here was left out]';
  }
}

function structuredOf(
  { structured }: CallResult,
  cleaner: MediaCleaner,
): { readonly structured?: Json; readonly words: readonly string[] } {
  if (structured === undefined) return { words: [] };
  if (isBoundedJson(structured, maxStructuredValues)) {
    return { structured: cleaner.json(structured), words: [] };
  }
  return {
    words: ['[The structured content of the result was left out: it is too large or nested too deeply.]'],
  };
}

/** Keeps the beginning and the end of a text that is too long, with a marker between them. */
export function headAndTail(text: string, limit = maxTextBytes): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= limit) return text;
  const head = Math.min(headBytes, Math.floor(limit * 0.75));
  let headEnd = head;
  while (headEnd > 0 && isContinuation(bytes[headEnd])) headEnd -= 1;
  let tailStart = bytes.length - (limit - head);
  while (tailStart < bytes.length && isContinuation(bytes[tailStart])) tailStart += 1;
  const marker = `\n[… ${tailStart - headEnd} bytes left out …]\n`;
  return `${bytes.toString('utf8', 0, headEnd)}${marker}${bytes.toString('utf8', tailStart)}`;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
