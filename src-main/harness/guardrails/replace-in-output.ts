import { failure, type Failure, type Json, type JsonObject } from '../protocol';
import type { GuardedOutput } from './guardrail';

/** Replaces something in texts and in values, keys included. */
export interface Replacing {
  text(text: string): string;
  json(value: Json): Json;
}

function replaceInFailure({ code, message, data }: Failure, replacing: Replacing): Failure {
  const words = replacing.text(message);
  const name = replacing.text(code);
  return data === undefined ? failure(name, words) : failure(name, words, replacing.json(data) as JsonObject);
}

/** Everything of an output that is recorded or read: text, structured content, and code, words and data of a failure. */
export function replaceInOutput({ result, error }: GuardedOutput, replacing: Replacing): GuardedOutput {
  const text = result && replacing.text(result.text);
  const structured = result?.structured === undefined ? undefined : replacing.json(result.structured);
  return {
    result: text === null ? null : { text, ...(structured === undefined ? {} : { structured }) },
    error: error && replaceInFailure(error, replacing),
  };
}
