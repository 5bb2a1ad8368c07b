import { describe, expect, it } from 'vitest';
import { isBoundedJson, maxJsonDepth, maxJsonValues } from './bounded-json';

describe('data from outside', () => {
  it('takes plain data', () => {
    for (const value of [
      undefined,
      null,
      1,
      'text',
      {},
      [],
      { a: [{ b: null }] },
      JSON.parse('{"__proto__":1}'),
    ]) {
      expect(isBoundedJson(value)).toBe(true);
    }
  });

  it('hazard 44: refuses what is no plain data, and what is too much of it', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const many = Object.fromEntries(
      Array.from({ length: maxJsonValues + 1 }, (_, index) => [`k${index}`, 1]),
    );
    for (const value of [
      cyclic,
      many,
      new Uint8Array(5),
      new Date(),
      new Map(),
      new ArrayBuffer(1),
      10n,
      new Error('x'),
    ]) {
      expect(isBoundedJson(value)).toBe(false);
      expect(isBoundedJson({ deep: [value] })).toBe(false);
    }
  });

  it('refuses nesting that no reader of it would bear', () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(isBoundedJson(nested(maxJsonDepth))).toBe(true);
    expect(isBoundedJson(nested(maxJsonDepth + 1))).toBe(false);
  });
});
