import type { CallResult, Json } from '../protocol';
import type { ToolOutput } from '../tools';
import { isBoundedJson } from '../validation';

/** Most values that the structured content of one result may hold, all levels together. */
const maxResultValues = 200_000;

function structuredOf(output: ToolOutput): { readonly value?: Json; readonly words: string } {
  const { structured } = output;
  if (structured === undefined) return { words: '' };
  if (isBoundedJson(structured, maxResultValues)) return { value: structured, words: '' };
  return {
    words: '[The structured content of the result was left out: it is no plain data, or nested too deeply.]',
  };
}

/**
 * The recorded form of a tool's output: JSON and a text form for the model (S0-31, S0-33). Pixels never enter it
 * (S1-73); an image is spoken of in words. Never throws, whatever the tool returned.
 */
export function normaliseOutput(output: ToolOutput): CallResult {
  const structured = structuredOf(output);
  const words: string[] = [];
  if (output.text !== undefined) words.push(output.text);
  else if (structured.value !== undefined) words.push(JSON.stringify(structured.value));
  if (structured.words !== '') words.push(structured.words);
  if (output.image) {
    const { media_type: type, data } = output.image;
    words.push(`[The tool returned an image (${type}, ${data.byteLength} bytes). Images are not passed on.]`);
  }
  const text = words.join('\n');
  return structured.value === undefined ? { text } : { text, structured: structured.value };
}
