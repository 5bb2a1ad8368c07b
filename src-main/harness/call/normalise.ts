import { withoutImageData } from '../images';
import { cutText, failure, isJsonObject, type Failure, type Json } from '../protocol';
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

/** Bounds of a failure that a tool gives, in UTF-16 units of its message and of the JSON text of its data. */
const longestMessage = 16_384;
const longestData = 65_536;
/** A code is a short name for programs. */
const longestCode = 100;

/**
 * The recorded form of a failure that a tool gave: its words and data pass what results pass (S0-35, S0-77). Data that is
 * no plain JSON, or too large, is left out, in words. Never throws.
 */
export function normaliseFailure(error: Failure): Failure {
  const words = withoutImageData(String(error.message));
  const message = words.length > longestMessage ? `${cutText(words, longestMessage)}…` : words;
  const code = String(error.code).slice(0, longestCode);
  if (error.data === undefined) return failure(code, message);
  const data = plainJson(error.data, maxResultValues);
  if (data && isJsonObject(data.value) && data.text.length <= longestData) {
    return failure(code, message, data.value);
  }
  return failure(
    code,
    `${message}\n[The data of the failure was left out: it is no plain data, or too large.]`,
  );
}
