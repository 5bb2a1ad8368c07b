import { withoutImageData } from '../images';
import type { Json } from '../protocol';
import type { ToolOutput } from '../tools';
import { plainJson } from './plain-json';

/** Most values that the structured content of one result may hold, all levels together. */
const maxResultValues = 200_000;

const leftOut =
  '[The structured content of the result was left out: it is no plain data, or nested too deeply.]';

/** The text and the structured value of a result, without any image. */
export interface NormalisedOutput {
  /** The text form that the model reads (S0-33). */
  readonly text: string;
  readonly structured?: Json;
}

/**
 * The recorded form of a tool's output: JSON, and a text form for the model (S0-31, S0-33). Base64 of images inside
 * either gives way to a marker (S0-35); the image of the output itself is not looked at. Never throws, whatever the tool
 * returned.
 */
export function normaliseOutput(output: ToolOutput): NormalisedOutput {
  const structured = plainJson(output.structured, maxResultValues);
  const words: string[] = [];
  if (typeof output.text === 'string') words.push(withoutImageData(output.text));
  else if (structured) words.push(structured.text);
  if (output.structured !== undefined && !structured) words.push(leftOut);
  const text = words.join('\n');
  return structured ? { text, structured: structured.value } : { text };
}
