import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import { isJsonObject } from '../protocol';
import type { ModelFile, ModelMessage } from './port';

type UserMessage = Extract<ModelMessage, { role: 'user' }>;
type UserPart = LanguageModelV3TextPart | LanguageModelV3FilePart;

/** Words in place of what a message lacks. */
export const resultText = {
  missing: 'No result was recorded for this call.',
  empty: '(no output)',
  /** Where a wire has no mark for an error, the words carry it. */
  error: '[tool error] ',
} as const;

/** Arguments as every wire takes them back: the text of an object. Text that is none goes back inside one, unchanged. */
export function objectText(text: string): string {
  try {
    if (isJsonObject(JSON.parse(text) as unknown)) return text;
  } catch {
    // Kept as it came, below.
  }
  return JSON.stringify({ malformed_arguments: text });
}

/** What a person sent, files first; never nothing. */
export function userParts(message: UserMessage, partOf: (file: ModelFile) => UserPart): UserPart[] {
  const { text } = message;
  const parts = message.files.map(partOf);
  if (text.trim() !== '') parts.push({ type: 'text', text });
  return parts.length > 0 ? parts : [{ type: 'text', text: '(empty message)' }];
}
