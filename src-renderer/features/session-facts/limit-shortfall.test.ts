import { describe, expect, it } from 'vitest';
import {
  emptyMeter,
  emptySessionView,
  foldSessionEvents,
  type ProviderStatus,
  type SessionView,
  type TokenUsage,
} from '../../../src-preload/contract';
import { hex, recorder } from '../../testing/fixture-data';
import { modelKnowledge, shortfallOf } from './limit-shortfall';

const model = { provider: 'acme', name: 'big' };

function provider(price: { input: number; output: number } | undefined): ProviderStatus {
  return {
    id: 'acme',
    kind: 'openai-compatible',
    label: 'Acme',
    base_url: null,
    state: 'ready',
    error: null,
    key: 'session',
    models: [{ name: 'big', label: 'Big', sees_images: null, ...(price ? { price } : {}) }],
  };
}

function viewOf(usage: TokenUsage, price: { input: number; output: number } | null = null): SessionView {
  const record = recorder('s', new Date(0));
  record.add('t', 'message_submitted', { message_id: 'm', text: 'Hi', attachments: [], mentions: [] });
  record.add('t', 'turn_started', {
    model,
    sees_images: true,
    mode: 'ask',
    bundle_digest: hex('b'),
    tools: [],
    price,
  });
  record.add('t', 'attempt_started', { attempt: 1, model });
  record.add('t', 'assistant_message', {
    message_id: 'a',
    attempt: 1,
    text: 'Yes.',
    reasoning: '',
    calls: [],
    finish_reason: 'stop',
    usage,
    partial: false,
  });
  return foldSessionEvents(emptySessionView('s'), record.events);
}

const numbers = { input_tokens: 10, output_tokens: 2 };
const none = { input_tokens: null, output_tokens: null };

describe('what a limit does not count', () => {
  it('is nothing where the price is known and every token had one', () => {
    const known = modelKnowledge(viewOf(numbers), model, [provider({ input: 1, output: 2 })]);
    expect(known).toEqual({ reports: 'numbers', priced: true });
    const meter = { ...emptyMeter, input_tokens: 10, cost_usd: 0.1 };
    for (const name of ['tokens', 'cost_usd', 'turns', 'minutes'] as const) {
      expect(shortfallOf(name, meter, known)).toBeNull();
    }
  });

  it('is everything for dollars where no price is known, and nothing for tokens', () => {
    const known = modelKnowledge(viewOf(numbers), model, [provider(undefined)]);
    const meter = { ...emptyMeter, input_tokens: 10, unpriced_tokens: 10 };
    expect(shortfallOf('cost_usd', meter, known)).toEqual({ counts: 'nothing', reason: 'no_price' });
    expect(shortfallOf('tokens', meter, known)).toBeNull();
    expect(shortfallOf('cost_usd', { ...meter, cost_usd: 0.2 }, known)?.counts).toBe('part');
  });

  it('is the part of an earlier model without a price', () => {
    const known = { reports: 'numbers', priced: true } as const;
    const meter = { ...emptyMeter, unpriced_tokens: 40, cost_usd: 0 };
    expect(shortfallOf('cost_usd', meter, known)).toEqual({ counts: 'part', reason: 'unpriced_before' });
  });

  it('is tokens and dollars where the provider reports no numbers', () => {
    const known = modelKnowledge(viewOf(none), model, [provider({ input: 1, output: 2 })]);
    for (const name of ['tokens', 'cost_usd'] as const) {
      expect(shortfallOf(name, emptyMeter, known)).toEqual({ counts: 'nothing', reason: 'no_numbers' });
    }
    expect(shortfallOf('turns', emptyMeter, known)).toBeNull();
  });

  it('is not guessed before there is an answer, or while the provider is away', () => {
    const fresh = emptySessionView('s');
    expect(modelKnowledge(fresh, model, [])).toEqual({ reports: null, priced: null });
    expect(shortfallOf('cost_usd', emptyMeter, { reports: null, priced: null })).toBeNull();
    expect(modelKnowledge(viewOf(numbers), model, []).priced).toBe(false);
    expect(modelKnowledge(viewOf(numbers, { input: 1, output: 1 }), model, []).priced).toBe(true);
  });

  it('is what an answer cost whose tokens were estimated; the tokens count', () => {
    const estimated = { ...none, estimate: { input_tokens: 10, output_tokens: 3 } };
    const known = modelKnowledge(viewOf(estimated), model, [provider({ input: 1, output: 2 })]);
    const meter = {
      ...emptyMeter,
      input_tokens: 10,
      output_tokens: 3,
      unpriced_tokens: 13,
      estimated_tokens: 13,
    };
    expect(shortfallOf('tokens', meter, known)).toBeNull();
    expect(shortfallOf('cost_usd', meter, known)).toEqual({ counts: 'nothing', reason: 'no_numbers' });
  });
});
