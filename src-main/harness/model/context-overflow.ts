import { modelFailure, placeOf, quoteWords } from './model-failure';
import type { ModelFailure } from './port';
import type { ProviderWords } from './provider-errors';
import type { Endpoint } from './provider-config';

/** Codes and types that say it outright. */
const kinds = /context_length_exceeded|exceed_context_size|request_too_large|context_window_exceeded/i;

/** How providers and local servers say that a request has more tokens than the model takes. */
const sayings: readonly RegExp[] = [
  // Anthropic, also through clouds
  /prompt is too long/i,
  /input is too long for (the )?requested model/i,
  /exceeds? (the )?context limit/i,
  /exceed context limit/i,
  // OpenAI, and the many servers that repeat its words: vLLM, OpenRouter, DeepSeek, Groq
  /maximum (context|prompt) length/i,
  /exceeds? (the |your )?(model'?s? )?(available |maximum |max )?context (window|size|length)/i,
  /longer than the (maximum )?model('s)? (context )?length/i,
  /reduce the length of the (messages|prompt|input)/i,
  // Google
  /input token count.{0,40}exceeds/i,
  // llama.cpp and Ollama
  /exceeded max context length/i,
  /context shift is disabled/i,
  // LM Studio
  /greater than the context length/i,
  /context (length )?(the )?overflows?\b/i,
  /(reached|exceeds?) (the )?context length/i,
  // Mistral, Text Generation Inference, Copilot
  /too large for model with \d+ maximum context/i,
  /inputs?`? tokens \+ `?max_new_tokens`? must be/i,
  /prompt token count.{0,40}exceeds/i,
  /context length is only \d+/i,
];

/** Whether a refusal means that the conversation is longer than the model takes. */
export function isContextOverflow(words: ProviderWords): boolean {
  return kinds.test(words.kind) || sayings.some((saying) => saying.test(words.message));
}

export function contextOverflow(
  endpoint: Endpoint,
  words: ProviderWords,
  model: string | null,
  status: number | null,
): ModelFailure {
  const quoted = quoteWords(words.message, endpoint.key);
  const which = model === null ? 'the model' : `the model "${model}"`;
  return modelFailure(
    'context_overflow',
    `The conversation is longer than ${which} of ${placeOf(endpoint)} takes${quoted === '' ? '' : `: "${quoted}"`}. Shorten it, begin a new session, or choose a model with more room.`,
    { retryable: false, ...(status === null ? {} : { data: { status } }) },
  );
}
