import { createHash } from 'node:crypto';
import type { Json } from '../protocol';

/** A value that has no JSON text, such as NaN, a function or a cycle. A defect of the caller. */
export class NotJsonError extends Error {
  constructor(what: string) {
    super(`Canonical JSON cannot hold ${what}.`);
    this.name = 'NotJsonError';
  }
}

/** Deeper values are refused rather than walked; no definition of ours comes near it. */
const maxDepth = 500;

/**
 * The one JSON text of a value: members sorted by UTF-16 code unit, no white space, numbers and strings as
 * `JSON.stringify` writes them, `undefined` members left out. Two equal values have equal texts.
 * @throws NotJsonError
 */
export function canonicalJson(value: Json): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (depth > maxDepth) throw new NotJsonError(`a value nested deeper than ${maxDepth} levels`);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new NotJsonError(`the number ${value}`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  if (typeof value !== 'object') throw new NotJsonError(`a value of type ${typeof value}`);
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${write(member, depth + 1)}`);
  }
  return `{${members.join(',')}}`;
}

/** Lower-case hex SHA-256 of the text's UTF-8 bytes. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Lower-case hex SHA-256 of the value's canonical JSON. @throws NotJsonError */
export function canonicalDigest(value: Json): string {
  return sha256Hex(canonicalJson(value));
}
