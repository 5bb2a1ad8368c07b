import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import type { ModelFile } from './port';
import type { Endpoint } from './provider-config';

type UserPart = LanguageModelV3TextPart | LanguageModelV3FilePart;

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function text(value: string): UserPart {
  return { type: 'text', text: value };
}

/** The text of a file, or null when the bytes are not text. */
function asText(data: Uint8Array): string | null {
  if (data.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch {
    return null;
  }
}

function takesPdf(endpoint: Endpoint, seesImages: boolean): boolean {
  if (endpoint.wire === 'anthropic' || endpoint.wire === 'google') return true;
  return endpoint.wire === 'openai-responses' && seesImages;
}

/**
 * One attached file as the provider takes it. What it cannot take is said in words in its place, so that the model
 * knows that there was a file and the person reads no answer to a file that nobody saw.
 */
export function filePart(file: ModelFile, endpoint: Endpoint, seesImages: boolean): UserPart {
  const type = file.media_type.split(';')[0]?.trim().toLowerCase() ?? '';
  const size = `${file.data.byteLength} bytes`;
  if (imageTypes.has(type)) {
    return seesImages
      ? { type: 'file', filename: file.name, mediaType: type, data: file.data }
      : text(
          `[Attached image "${file.name}" (${type}, ${size}) was left out: this model does not see images.]`,
        );
  }
  if (type === 'application/pdf') {
    return takesPdf(endpoint, seesImages)
      ? { type: 'file', filename: file.name, mediaType: type, data: file.data }
      : text(
          `[Attached file "${file.name}" (PDF, ${size}) was left out: this model does not read PDF files.]`,
        );
  }
  const content = asText(file.data);
  if (content === null) {
    return text(
      `[Attached file "${file.name}" (${type || 'unknown type'}, ${size}) was left out: it is not text.]`,
    );
  }
  return text(
    `[Attached file "${file.name}" (${type || 'text'}, ${size})]\n${content}\n[End of "${file.name}"]`,
  );
}
