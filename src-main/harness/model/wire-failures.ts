import { modelFailure, placeOf, quoteWords } from './model-failure';
import type { ModelFailure } from './port';
import { wordsOfBody } from './provider-errors';
import type { Endpoint } from './provider-config';

/** Longest body of a refusal that is read. */
export const maxErrorBytes = 64 * 1024;
/** Longest line of a stream, which a parser has to keep whole. */
export const maxLineBytes = 16 * 1024 * 1024;
export const maxStreamBytes = 256 * 1024 * 1024;
/** Longest wait for the words of a refusal, in milliseconds. */
export const refusalPatienceMs = 10_000;

export function redirected(endpoint: Endpoint, location: string | null): ModelFailure {
  const origin =
    location !== null && URL.canParse(location, endpoint.base_url)
      ? new URL(location, endpoint.base_url).origin
      : null;
  return modelFailure(
    'model_unreachable',
    `${placeOf(endpoint)} sends requests on to ${origin ?? 'another address'}. Keys are not sent on: enter the final address ${endpoint.where}.`,
    { retryable: false },
  );
}

export function notAnEndpoint(endpoint: Endpoint): ModelFailure {
  return modelFailure(
    'model_unreachable',
    `${placeOf(endpoint)} answered with a web page, not as a model does. Check the address ${endpoint.where}, and whether the network asks for a sign-in.`,
    { retryable: false },
  );
}

/** An answer of another form than a stream; `body` is what it said. */
export function wrongForm(endpoint: Endpoint, type: string, body: string): ModelFailure {
  const { message } = wordsOfBody(body);
  const words = quoteWords(message.startsWith('{') ? '' : message, endpoint.key);
  return modelFailure(
    'model_refused_request',
    `${placeOf(endpoint)} answered with ${type}, not with a stream${words === '' ? '' : `: "${words}"`}. Choose another model, or check the address ${endpoint.where}.`,
    { retryable: false },
  );
}

export function tooLarge(endpoint: Endpoint): ModelFailure {
  return modelFailure(
    'limit_reached',
    `${placeOf(endpoint)} sent more than any answer may have. The rest was left out.`,
    { retryable: false },
  );
}

export function silent(endpoint: Endpoint, begun: boolean): ModelFailure {
  const seconds = Math.round(endpoint.idle_timeout_ms / 100) / 10;
  return modelFailure(
    begun ? 'model_stream_cut' : 'model_unreachable',
    `${placeOf(endpoint)} sent nothing for ${seconds} seconds. Send again.`,
    { retryable: true, data: { idle_ms: endpoint.idle_timeout_ms } },
  );
}

export function cut(endpoint: Endpoint): ModelFailure {
  return modelFailure(
    'model_stream_cut',
    `The connection to ${placeOf(endpoint)} broke in the middle of an answer. Send again.`,
    { retryable: true },
  );
}

/** The media type of a content-type header, without parameters. */
export function mediaTypeOf(header: string | null | undefined): string {
  return (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

export function isPageType(type: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml';
}

/** Whether a body that claims to be something else begins like a web page. */
export function looksLikePage(first: Uint8Array): boolean {
  return /^\s*<(!doctype|html)/i.test(new TextDecoder().decode(first.subarray(0, 64)));
}

/** Counts what came; answers true once it is more than a stream may have, in all or in one line. */
export function createStreamMeter(): (chunk: Uint8Array) => boolean {
  let bytes = 0;
  let open = 0;
  return (chunk) => {
    bytes += chunk.byteLength;
    const end = chunk.lastIndexOf(10);
    open = end === -1 ? open + chunk.byteLength : chunk.byteLength - end - 1;
    return bytes > maxStreamBytes || open > maxLineBytes;
  };
}
