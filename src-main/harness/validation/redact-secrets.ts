import type { Json, JsonObject } from '../protocol';
import { sha256Hex } from './canonical-json';
import {
  detectorsFor,
  findSecretSpans,
  isSecretName,
  looksSecret,
  type SecretDetector,
  type SecretSpan,
} from './secret-spans';

/** What was replaced: how often, and SHA-256 of each distinct secret. */
export interface RedactedKind {
  readonly kind: string;
  readonly count: number;
  readonly digests: readonly string[];
}

/** Replaces secrets in texts and values, and counts them. */
export interface Redaction {
  /** Only the secrets are replaced; a text that is JSON stays JSON, with its layout. */
  text(text: string): string;
  /** Every text inside; keys stay. Shares what did not change. The value's depth must be bounded. */
  json(value: Json): Json;
  found(): readonly RedactedKind[];
}

const digestCharacters = 12;

export function createRedaction(): Redaction {
  const kinds = new Map<string, { count: number; readonly digests: Set<string> }>();
  const marker = (secret: string, kind: string): string => {
    const digest = sha256Hex(secret);
    const known = kinds.get(kind) ?? { count: 0, digests: new Set<string>() };
    known.count += 1;
    known.digests.add(digest);
    kinds.set(kind, known);
    return `[redacted ${kind} sha256:${digest.slice(0, digestCharacters)}]`;
  };
  const plain = (text: string, detectors: readonly SecretDetector[]): string =>
    replaceSpans(text, findSecretSpans(text, detectors), marker);
  /** A text that stands under a name. */
  const named = (text: string, name: string | null, detectors: readonly SecretDetector[]): string => {
    const redacted = plain(text, detectors);
    if (redacted !== text || name === null || !looksSecret(text, name)) return redacted;
    return isSecretName(name) ? marker(text, 'secret_value') : text;
  };
  return {
    text(text) {
      const json = looksLikeJson(text) ? compactJson(text) : null;
      // Escapes may hide what a detector looks for, so the text as a parser reads it counts too.
      const detectors = detectorsFor(json === null ? text : `${text}\n${json}`);
      if (detectors.length === 0) return text;
      if (json === null) return plain(text, detectors);
      return replaceLiterals(text, (literal, name) => named(literal, name, detectors));
    },
    json(value) {
      const detectors = detectorsFor(JSON.stringify(value));
      return detectors.length === 0
        ? value
        : redactValue(value, null, (text, name) => named(text, name, detectors));
    },
    found: () => [...kinds].map(([kind, { count, digests }]) => ({ kind, count, digests: [...digests] })),
  };
}

/** The text with each secret replaced by its kind and digest. */
export function secretsRedacted(text: string): string {
  return createRedaction().text(text);
}

function replaceSpans(
  text: string,
  spans: readonly SecretSpan[],
  marker: (secret: string, kind: string) => string,
): string {
  if (spans.length === 0) return text;
  let result = '';
  let from = 0;
  for (const { start, end, kind } of spans) {
    result += text.slice(from, start) + marker(text.slice(start, end), kind);
    from = end;
  }
  return result + text.slice(from);
}

function looksLikeJson(text: string): boolean {
  return /^\s{0,100}[{["]/.test(text);
}

/** Null where the text is no JSON. Without escapes the text itself says everything, and the copy is empty. */
function compactJson(text: string): string | null {
  try {
    const value = JSON.parse(text) as Json;
    return text.includes('\\') ? JSON.stringify(value) : '';
  } catch {
    return null;
  }
}

function endOfLiteral(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 34) at += text.charCodeAt(at) === 92 ? 2 : 1;
  return at + 1;
}

const colon = /[ \t\r\n]*:/y;

/** Goes through the text literals of JSON text; keys stay, and name the literal that follows them. */
function replaceLiterals(text: string, replace: (literal: string, name: string | null) => string): string {
  let result = '';
  let from = 0;
  let name: string | null = null;
  for (let start = text.indexOf('"'); start !== -1;) {
    const end = endOfLiteral(text, start);
    const inside = text.slice(start + 1, end - 1);
    const literal = inside.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : inside;
    colon.lastIndex = end;
    if (colon.test(text)) {
      name = literal;
    } else {
      const replaced = replace(literal, name);
      if (replaced !== literal) {
        result += text.slice(from, start) + JSON.stringify(replaced);
        from = end;
      }
    }
    start = text.indexOf('"', end);
  }
  return result + text.slice(from);
}

function redactValue(
  value: Json,
  name: string | null,
  replace: (text: string, name: string | null) => string,
): Json {
  if (typeof value === 'string') return replace(value, name);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item) => redactValue(item, name, replace));
    return items.some((item, index) => item !== (value as readonly Json[])[index]) ? items : value;
  }
  let changed = false;
  const entries = Object.entries(value as JsonObject).map(([key, member]) => {
    const redacted = member === undefined ? undefined : redactValue(member, key, replace);
    changed ||= redacted !== member;
    return [key, redacted] as const;
  });
  return changed ? (Object.fromEntries(entries) as JsonObject) : value;
}
