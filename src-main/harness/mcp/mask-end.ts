import { isJsonObject, type Failure, type Json } from '../protocol';
import type { ToolEnd, ToolOutput } from '../tools/tool';

type Mask = (text: string) => string;

/** Deeper content is left as it is: it is cut off where results are recorded. */
const maxDepth = 200;

function maskJson(value: Json, mask: Mask, depth = 0): Json {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => maskJson(item, mask, depth + 1));
  const entries = Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [[mask(key), maskJson(member as Json, mask, depth + 1)] as const],
  );
  return Object.fromEntries(entries);
}

function maskOutput(output: ToolOutput, mask: Mask): ToolOutput {
  return {
    ...output,
    ...(output.text === undefined ? {} : { text: mask(output.text) }),
    ...(output.structured === undefined ? {} : { structured: maskJson(output.structured, mask) }),
  };
}

function maskFailure(error: Failure, mask: Mask): Failure {
  const message = mask(error.message);
  const data = error.data && maskJson(error.data, mask);
  return isJsonObject(data) ? { ...error, message, data } : { ...error, message };
}

/**
 * What a server answers may repeat a secret that it was started with: it goes no further. An image is passed through
 * as it is; no bytes of it are text by then.
 */
export function maskEnd(end: ToolEnd, mask: Mask): ToolEnd {
  if (end.type === 'output') return { ...end, output: maskOutput(end.output, mask) };
  const error = maskFailure(end.error, mask);
  if (end.type === 'unknown' || !end.output) return { ...end, error };
  return { ...end, error, output: maskOutput(end.output, mask) };
}
