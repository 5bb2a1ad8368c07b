import type { Json } from '../protocol';
import { sha256Hex } from './canonical-json';
import { replaceTexts, replaceTextsInJson, type TextReplacement } from './replace-texts';
import {
  detectorsFor,
  findSecretSpans,
  isSecretName,
  looksSecret,
  type SecretDetector,
  type SecretSpan,
} from './secret-spans';

/** What was replaced: how often, and SHA-256 of each distinct secret, of the first thousand. */
export interface RedactedKind {
  readonly kind: string;
  readonly count: number;
  readonly digests: readonly string[];
}

/** Replaces secrets in texts and values, and counts them. */
export interface Redaction {
  /** Only the secrets are replaced; a text that is JSON stays JSON, with its layout, and its keys stay distinct. */
  text(text: string): string;
  /** Every text and key inside; keys stay distinct. Shares what did not change. The value's depth must be bounded. */
  json(value: Json): Json;
  found(): readonly RedactedKind[];
}

const digestCharacters = 12;
const maxDigests = 1_000;

/** Remembers digests: the same secret often comes many times. */
function createDigests(): (secret: string) => string {
  const known = new Map<string, string>();
  return (secret) => {
    const digest = known.get(secret) ?? sha256Hex(secret);
    if (known.size < maxDigests) known.set(secret, digest);
    return digest;
  };
}

export function createRedaction(): Redaction {
  const kinds = new Map<string, { count: number; readonly digests: Set<string> }>();
  const digestOf = createDigests();
  const marker = (secret: string, kind: string): string => {
    const digest = digestOf(secret);
    const known = kinds.get(kind) ?? { count: 0, digests: new Set<string>() };
    known.count += 1;
    if (known.digests.size < maxDigests) known.digests.add(digest);
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
  const replacement = (detectors: readonly SecretDetector[]): TextReplacement => ({
    text: (text, name) => named(text, name, detectors),
    key: (key) => plain(key, detectors),
  });
  return {
    text(text) {
      const json = looksLikeJson(text) ? compactJson(text) : null;
      // Escapes may hide what a detector looks for, so the text as a parser reads it counts too.
      const detectors = detectorsFor(json === null ? text : `${text}\n${json}`);
      if (detectors.length === 0) return text;
      if (json === null) return plain(text, detectors);
      return replaceTextsInJson(text, replacement(detectors));
    },
    json(value) {
      const detectors = detectorsFor(JSON.stringify(value));
      return detectors.length === 0 ? value : replaceTexts(value, replacement(detectors));
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
