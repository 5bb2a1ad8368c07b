import { failure, isJsonObject, type Json } from '../protocol';
import type { ToolEnd, ToolImage, ToolOutput } from '../tools/tool';
import type { Validator } from '../validation/schema-compiler';

/** Bytes of a result's text, and of its structured value's JSON text. 1 KB is 1,024 bytes (C5). */
export const maxTextBytes = 256 * 1024;
const headBytes = 192 * 1024;
/** Bytes of the text of an error, which becomes its message. */
const maxErrorBytes = 16 * 1024;
/** Bytes of an image; more than any provider takes. */
const maxImageBytes = 4 * 1024 * 1024;

/** One piece of content, checked; `unknown` stands for every kind that is not known here or is malformed. */
type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
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
      return {
        type: 'blob',
        uri: place,
        mimeType: wordOf(resource['mimeType'], 'bytes'),
        data: resource['blob'],
      };
    }
  }
  return { type: 'unknown' };
}

function wordOf(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value.slice(0, 500) : otherwise;
}

/**
 * Turns a server's answer into the end of the call. Pixels and sound appear in no text and in no structured value; the
 * first PNG or JPEG goes with the output. A result that breaks its own output schema is an error that keeps the text.
 * @param name qualified name, for messages
 */
export function endOfResult(name: string, result: CallResult, output: Validator | null): ToolEnd {
  const media = dataOf(result.content);
  const image = firstImage(result.content);
  const text = withoutData(result.content.map((item) => wordsOf(item, image)).join('\n'), media);
  const structured = structuredOf(result, media);
  if (result.isError) {
    const words =
      text.trim() === '' ? `Tool "${name}" failed and gave no reason.` : headAndTail(text, maxErrorBytes);
    const rest = outputOf('', structured, image);
    const error = failure('tool_failed', words);
    return rest.structured === undefined && !rest.image
      ? { type: 'error', error }
      : { type: 'error', error, output: rest };
  }
  const problem = output ? schemaProblem(name, result, output) : null;
  if (problem !== null) {
    const words =
      text.trim() === '' ? problem : `${problem} Its text was:\n${headAndTail(text, maxErrorBytes)}`;
    return { type: 'error', error: failure('tool_failed', words) };
  }
  return { type: 'output', output: outputOf(text, structured, image) };
}

function outputOf(text: string, structured: Json | undefined, image: FoundImage | null): ToolOutput {
  const attached = image ? { image: image.image } : {};
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

interface FoundImage {
  readonly item: Content;
  readonly image: ToolImage;
}

function firstImage(content: readonly Content[]): FoundImage | null {
  for (const item of content) {
    if (item.type !== 'image') continue;
    const data = Buffer.from(item.data, 'base64');
    const type = imageType(data);
    if (type && data.length <= maxImageBytes)
      return { item, image: { media_type: type, data: new Uint8Array(data) } };
  }
  return null;
}

/** By signature: what a server calls an image is not believed (S1-71). */
function imageType(data: Buffer): ToolImage['media_type'] | null {
  if (data.length > 8 && data.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')))
    return 'image/png';
  if (data.length > 3 && data[0] === 0xff && data[1] === 0xd8 && data[2] === 0xff) return 'image/jpeg';
  return null;
}

function wordsOf(item: Content, image: FoundImage | null): string {
  switch (item.type) {
    case 'text':
      return item.text;
    case 'image':
      if (item === image?.item) return `[Image: ${item.mimeType}, ${sizeOf(item.data)}]`;
      return `[Image left out: ${item.mimeType}, ${sizeOf(item.data)}]`;
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

function sizeOf(base64: string): string {
  const bytes = Buffer.byteLength(base64, 'base64');
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}

/** Every base64 text of the content. Some servers say it once more in the text or in the structured value. */
function dataOf(content: readonly Content[]): string[] {
  const found = content.flatMap((item) => ('data' in item ? [item.data] : []));
  return found.filter((data) => data.length >= 64);
}

const leftOut = '[data left out]';

function withoutData(text: string, media: readonly string[]): string {
  return media.reduce((rest, data) => rest.replaceAll(data, leftOut), text);
}

function structuredOf(result: CallResult, media: readonly string[]): Json | undefined {
  const value = result.structured;
  if (value === undefined || media.length === 0) return value;
  return JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'string' ? withoutData(member, media) : member,
    ),
  ) as Json;
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
