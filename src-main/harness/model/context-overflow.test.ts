import { describe, expect, it } from 'vitest';
import { eachModelServer } from '../testing/each-model-server';
import type { ModelServer } from '../testing/model-server';
import { collect, modelRequest, wireTable } from '../testing/model-server-wire-table';
import type { ModelPart } from './port';

const never = new AbortController().signal;
let server: ModelServer;

eachModelServer((started) => (server = started));

const openai = (message: string) => ({
  error: { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
});
const plain = (message: string) => ({ error: { message, type: 'BadRequestError', code: 400 } });

/** Bodies as the servers send them: wire, status, body. */
const refusals: readonly (readonly [string, string, number, unknown])[] = [
  [
    'Anthropic',
    'anthropic',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 209283 tokens > 200000 maximum',
      },
    },
  ],
  [
    'Anthropic, answer included',
    'anthropic',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease them',
      },
    },
  ],
  [
    'Anthropic, in bytes',
    'anthropic',
    413,
    { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
  ],
  [
    'OpenAI Responses',
    'responses',
    400,
    openai('Your input exceeds the context window of this model. Please adjust your input and try again.'),
  ],
  [
    'OpenAI Chat',
    'chat',
    400,
    openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 150141 tokens. Please reduce the length of the messages.",
    ),
  ],
  [
    'Google',
    'google',
    400,
    {
      error: {
        code: 400,
        message: 'The input token count (1215023) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
  ],
  [
    'llama.cpp',
    'chat',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9001,
        n_ctx: 4096,
      },
    },
  ],
  ['Ollama', 'chat', 400, plain('the input length exceeds the context length')],
  ['Ollama, its runner', 'chat', 500, plain('prompt too long; exceeded max context length by 12 tokens')],
  [
    'vLLM',
    'chat',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5012 tokens (4756 in the messages, 256 in the completion).",
      type: 'BadRequestError',
      code: 400,
    },
  ],
  [
    'vLLM, newer',
    'chat',
    400,
    plain(
      "You passed 4097 input tokens and requested 256 output tokens. However, the model's context length is only 4096 tokens",
    ),
  ],
  [
    'LM Studio',
    'chat',
    400,
    {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input',
    },
  ],
  [
    'LM Studio, older',
    'chat',
    400,
    {
      error:
        'Trying to keep the first 5012 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    },
  ],
  [
    'Mistral',
    'chat',
    400,
    {
      message:
        'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    },
  ],
];

async function lastFrom(wire: string): Promise<ModelPart | undefined> {
  const { provider } = wireTable.find((row) => row.wire === wire)!;
  return (await collect(provider(server).stream(modelRequest(), never))).at(-1);
}

describe('a conversation that is too long', () => {
  it.each(refusals)('is told apart from other refusals: %s', async (_server, wire, status, body) => {
    server.enqueue({ status, body });
    expect(await lastFrom(wire)).toMatchObject({
      type: 'failed',
      error: { code: 'context_overflow', retryable: false, data: { status } },
    });
  });

  it.each(['anthropic', 'chat', 'responses'])('is known inside a stream, too: %s', async (wire) => {
    const error_event = {
      type: 'invalid_request_error',
      message: 'prompt is too long: 5 tokens > 4 maximum',
    };
    server.enqueue({ answer: { text: ['x'], error_event } });
    expect(await lastFrom(wire)).toMatchObject({ error: { code: 'context_overflow', retryable: false } });
  });

  it.each([
    [
      429,
      'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000',
      'model_rate_limited',
    ],
    [400, 'max_tokens is too large: 200000. This model supports at most 128000', 'model_refused_request'],
    [400, 'messages.3.content: text is too long for a title', 'model_refused_request'],
    [401, 'invalid key', 'model_unauthorized'],
  ])('is nothing else: %i %s', async (status, message, code) => {
    server.enqueue({ status, body: { error: { message } } });
    expect(await lastFrom('chat')).toMatchObject({ error: { code } });
  });
});
