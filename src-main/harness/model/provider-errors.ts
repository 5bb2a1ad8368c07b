import { isJsonObject } from '../protocol';
import { contextOverflow, isContextOverflow } from './context-overflow';
import { modelFailure, placeOf, quoteWords, retryAfterMs } from './model-failure';
import type { ModelFailure } from './port';
import { kindFacts, type Endpoint } from './provider-config';

/** What a provider's error says, wherever its format puts it. */
export interface ProviderWords {
  readonly message: string;
  /** Type, code and status words together, for telling kinds of errors apart. */
  readonly kind: string;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Finds message and kind in an error body of any of the wires. */
export function wordsOf(value: unknown): ProviderWords {
  const outer = Array.isArray(value) ? (value[0] as unknown) : value;
  if (typeof outer === 'string') return { message: outer, kind: '' };
  if (!isJsonObject(outer)) return { message: '', kind: '' };
  const inner = isJsonObject(outer.error) ? outer.error : outer;
  const raw = isJsonObject(inner.metadata) ? textOf(inner.metadata.raw) : '';
  const message =
    textOf(inner.message) || textOf(outer.error) || textOf(outer.message) || textOf(outer.detail) || '';
  return {
    message: raw === '' ? message : `${message} ${raw}`,
    kind: [inner.type, inner.code, inner.status, inner.statusCode].map(textOf).join(' '),
  };
}

/** Reads an error body; a page is no message. */
export function wordsOfBody(body: string): ProviderWords {
  const text = body.trim();
  if (text === '' || text.startsWith('<')) return { message: '', kind: '' };
  try {
    return wordsOf(JSON.parse(text) as unknown);
  } catch {
    return { message: text, kind: '' };
  }
}

interface Answer {
  readonly status: number;
  readonly words: ProviderWords;
  readonly model: string | null;
  readonly retry_after_ms?: number | undefined;
}

function unauthorized(endpoint: Endpoint, said: string): ModelFailure {
  const place = placeOf(endpoint);
  const message =
    endpoint.key === null
      ? `${place} needs a key. Enter one ${endpoint.where}.`
      : `${place} refused the key${said}. Check it or enter a new one ${endpoint.where}.`;
  return modelFailure('model_unauthorized', message, { retryable: false });
}

function unknownModel(endpoint: Endpoint, model: string | null, said: string): ModelFailure {
  const what = model === null ? 'that request' : `the model "${model}"`;
  const remedy = endpoint.official
    ? 'Choose another model.'
    : `Choose another model, or check the address ${endpoint.where}.`;
  return modelFailure('model_unknown', `${placeOf(endpoint)} does not know ${what}${said}. ${remedy}`, {
    retryable: false,
  });
}

function slowDown(endpoint: Endpoint, words: ProviderWords, said: string): ModelFailure {
  const place = placeOf(endpoint);
  const used = /insufficient_quota|exceeded your current quota|billing/i.test(
    `${words.kind} ${words.message}`,
  );
  const message = used
    ? `The quota at ${place} is used up${said}. Check plan and billing there.`
    : `${place} asks to slow down${said}. Wait a moment and send again.`;
  return modelFailure('model_rate_limited', message, { retryable: !used });
}

function isRefusedKey(status: number, words: ProviderWords): boolean {
  // Google answers 400 for a key that it does not know.
  const named = /api.?key not valid|API_KEY_INVALID/i.test(words.message);
  return status === 401 || status === 403 || (status === 400 && named);
}

/** The failure for a status and the provider's words; also for errors inside a stream, with the status they imply. */
export function failureOfAnswer(endpoint: Endpoint, answer: Answer): ModelFailure {
  const { status, words, model } = answer;
  const quoted = quoteWords(words.message, endpoint.key);
  const said = quoted === '' ? '' : `: "${quoted}"`;
  const data = { status };
  const later = answer.retry_after_ms === undefined ? {} : { retry_after_ms: answer.retry_after_ms };
  if (isRefusedKey(status, words)) return { ...unauthorized(endpoint, said), data };
  if (status === 429) return { ...slowDown(endpoint, words, said), data, ...later };
  if (isContextOverflow(words)) return contextOverflow(endpoint, words, model, status);
  if (status === 404) return { ...unknownModel(endpoint, model, said), data };
  if (status >= 500 || status === 408 || status === 409) {
    const message = `${placeOf(endpoint)} cannot answer now (status ${status})${said}. Send again later.`;
    return modelFailure('model_overloaded', message, { retryable: true, data, ...later });
  }
  return modelFailure(
    'model_refused_request',
    `${placeOf(endpoint)} refused the request (status ${status})${said}. Change the message or the tools, or choose another model.`,
    { retryable: false, data },
  );
}

export function failureOfResponse(
  endpoint: Endpoint,
  response: { readonly status: number; readonly headers: Headers },
  body: string,
  model: string | null,
): ModelFailure {
  return failureOfAnswer(endpoint, {
    status: response.status,
    words: wordsOfBody(body),
    model,
    retry_after_ms: retryAfterMs(response.headers, Date.now()),
  });
}

const statusOfKind: readonly (readonly [RegExp, number])[] = [
  [/overloaded|\b529\b|UNAVAILABLE|\b503\b/i, 529],
  [/rate_limit|RESOURCE_EXHAUSTED|insufficient_quota|\b429\b/i, 429],
  [/authentication|permission|UNAUTHENTICATED|PERMISSION_DENIED|invalid_api_key|\b401\b|\b403\b/i, 401],
  [/not_found|\b404\b/i, 404],
  [/invalid_request|INVALID_ARGUMENT|context_length|too_large|\b400\b/i, 400],
  [/api_error|server_error|INTERNAL|timeout|\b50[0-9]\b/i, 500],
];

/** An error that came inside a stream which had begun well. */
export function failureOfStreamError(endpoint: Endpoint, value: unknown, model: string): ModelFailure {
  const words = wordsOf(value);
  if (isContextOverflow(words)) return contextOverflow(endpoint, words, model, null);
  const status = statusOfKind.find(([pattern]) => pattern.test(words.kind))?.[1];
  if (status !== undefined) return failureOfAnswer(endpoint, { status, words, model });
  const quoted = quoteWords(words.message, endpoint.key);
  return modelFailure(
    'model_stream_cut',
    `${placeOf(endpoint)} broke off its answer${quoted === '' ? '' : `: "${quoted}"`}. Send again.`,
    { retryable: true },
  );
}

function codesOf(error: unknown): { code: string; message: string } {
  let current: unknown = error;
  let message = '';
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    const { code } = current as Error & { code?: unknown };
    message = current.message || message;
    if (typeof code === 'string' && code !== '') return { code, message };
    const first: unknown = current instanceof AggregateError ? current.errors[0] : undefined;
    current = first ?? current.cause;
  }
  return { code: '', message };
}

/** A request that never got an answer: which address, why, and what to do about it. */
export function failureOfConnection(endpoint: Endpoint, error: unknown): ModelFailure {
  const { code, message } = codesOf(error);
  const host = URL.canParse(endpoint.base_url) ? new URL(endpoint.base_url).host : endpoint.base_url;
  const start = `${endpoint.label} cannot be reached at ${host}: `;
  const local = !kindFacts[endpoint.kind].needs_key;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return modelFailure(
      'model_unreachable',
      `${start}the name is not known. Check the network and the address ${endpoint.where}.`,
      { retryable: code === 'EAI_AGAIN', data: { reason: code } },
    );
  }
  if (code === 'ECONNREFUSED') {
    const remedy = local ? `Start ${endpoint.label} and try again.` : `Check the address ${endpoint.where}.`;
    return modelFailure('model_unreachable', `${start}nothing listens there. ${remedy}`, {
      retryable: false,
      data: { reason: code },
    });
  }
  if (/CERT|SSL|TLS|ALTNAME|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return modelFailure(
      'model_unreachable',
      `${start}its certificate is not trusted (${code}). Check the address; a proxy of your network may stand between.`,
      { retryable: false, data: { reason: code } },
    );
  }
  const why = quoteWords(code || message || 'the connection failed', endpoint.key);
  return modelFailure('model_unreachable', `${start}${why}. Check the network and send again.`, {
    retryable: true,
    ...(code === '' ? {} : { data: { reason: code } }),
  });
}
