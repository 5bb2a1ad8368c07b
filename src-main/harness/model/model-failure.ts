import type { FailureCode, JsonObject } from '../protocol';
import type { ModelFailure } from './port';
import type { Endpoint } from './provider-config';

/** Carries a failure through the libraries in between, which know only thrown errors. */
export class ModelFailureError extends Error {
  readonly failure: ModelFailure;
  constructor(failure: ModelFailure) {
    super(failure.message);
    this.name = 'ModelFailureError';
    this.failure = failure;
  }
}

export function modelFailure(
  code: FailureCode,
  message: string,
  more: { retryable: boolean; retry_after_ms?: number; data?: JsonObject },
): ModelFailure {
  return { code, message, ...more };
}

export function cancelled(): ModelFailure {
  return modelFailure('cancelled', 'The request to the model was stopped.', { retryable: false });
}

const longestWords = 600;

/** A provider's own words, made safe to show: no key, no control characters, bounded. */
export function quoteWords(words: string, key: string | null): string {
  let text = words.slice(0, 8_192);
  if (key !== null && key.length >= 4) text = text.replaceAll(key, '[key]');
  text = text
    .replace(/\b(sk|pk|key|gsk|xai|AIza)[-_A-Za-z0-9*]{12,}/g, '[key]')
    // Some providers show the ends of a key with stars between them.
    .replace(/[^\s"'(]*\*{3,}[^\s"')]*/g, '[key]')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  return text.length > longestWords ? `${text.slice(0, longestWords)}…` : text;
}

/** Where the request went, in a form that a person recognises. */
export function placeOf(endpoint: Endpoint): string {
  const host = URL.canParse(endpoint.base_url) ? new URL(endpoint.base_url).origin : endpoint.base_url;
  return endpoint.official ? endpoint.label : `${endpoint.label} at ${host}`;
}

/** Retry-After in milliseconds: seconds or a date, and the millisecond form that OpenAI sends. At most a day. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  const text = headers.get('retry-after');
  let value = exact;
  if (Number.isNaN(value) && text !== null) {
    value = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  }
  if (Number.isNaN(value)) return undefined;
  return Math.min(Math.max(0, Math.round(value)), 86_400_000);
}
