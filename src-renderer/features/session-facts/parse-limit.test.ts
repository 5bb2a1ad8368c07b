import { describe, expect, it } from 'vitest';
import type { LimitName } from '../../state/limit-use';
import { parseLimit } from './parse-limit';

describe('a limit as a person writes it', () => {
  it.each<[LimitName, string, number | null]>([
    ['tokens', '', null],
    ['tokens', '  ', null],
    ['tokens', '20000', 20_000],
    ['tokens', '20,000', 20_000],
    ['tokens', '1.250.000', 1_250_000],
    ['tokens', '20 000', 20_000],
    ['tokens', '20’000', 20_000],
    ['cost_usd', '2.5', 2.5],
    ['cost_usd', '2,5', 2.5],
    ['cost_usd', '0.005', 0.005],
    ['turns', '3', 3],
    ['minutes', '1,5', 1.5],
  ])('%s: "%s" is %s', (name, written, value) => {
    expect(parseLimit(name, written)).toEqual({ ok: true, value });
  });

  it.each<[LimitName, string, string]>([
    ['tokens', 'many', 'not_a_number'],
    ['turns', '2.5', 'not_whole'],
    ['turns', '0', 'not_positive'],
    ['cost_usd', '-1', 'not_positive'],
    ['cost_usd', '1e9', 'not_a_number'],
    ['cost_usd', '99999999', 'too_large'],
    ['minutes', 'Infinity', 'not_a_number'],
  ])('%s: "%s" is refused as %s', (name, written, problem) => {
    expect(parseLimit(name, written)).toEqual({ ok: false, problem });
  });
});
