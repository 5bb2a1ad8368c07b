import { beforeAll, describe, expect, it } from 'vitest';
import { emptyMeter } from '../../src-preload/contract';
import { usedWords } from '../ui/limit-words';
import { alsoReached, limitUses } from './limit-use';

const meter = {
  ...emptyMeter,
  input_tokens: 900,
  output_tokens: 200,
  turns: 2,
  limits: { tokens: 1000, cost_usd: 5, turns: 1, minutes: null },
};

describe('limits of a session', () => {
  it('are those that are set, with what was used and how far they reach now', () => {
    expect(limitUses({ ...meter, allowed: { tokens: 2100 } })).toEqual([
      { kind: 'tokens', used: 1100, limit: 1000, allowed: 2100 },
      { kind: 'cost_usd', used: 0, limit: 5, allowed: 5 },
      { kind: 'turns', used: 2, limit: 1, allowed: 1 },
    ]);
  });

  it('are named beside the one that a turn stands at where they are reached too', () => {
    expect(alsoReached(meter, 'tokens').map(({ kind }) => kind)).toEqual(['turns']);
    expect(alsoReached({ ...meter, turns: 1 }, 'tokens')).toEqual([]);
    expect(alsoReached({ ...meter, allowed: { turns: 2 } }, 'tokens')).toEqual([]);
  });
});

describe('the words for what was used', () => {
  beforeAll(async () => {
    Object.assign(globalThis, { document: { documentElement: {} } });
    const { startMessages } = await import('../messages/use-text');
    await startMessages('en');
  });

  it('set the use beside the limit, and say how far a person let it go on', async () => {
    const { default: i18next } = await import('i18next');
    const t = (key: string, values?: object): string => i18next.t(key, { ...values });
    const turns = { kind: 'turns', used: 2, limit: 1, allowed: 1 } as const;
    expect(usedWords(turns, t, 'en')).toBe('2 turns, limit 1');
    expect(usedWords({ kind: 'tokens', used: 1100, limit: 1000, allowed: 2100 }, t, 'en')).toBe(
      '1,100 tokens, limit 1,000, extended to 2,100',
    );
  });
});
