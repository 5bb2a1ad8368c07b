import { describe, expect, it } from 'vitest';
import { isBoundedPayload, maxPayloadValues } from './bounded-payload';

describe('payloads of the window', () => {
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
      expect(isBoundedPayload(value)).toBe(true);
    }
  });

  it('hazard 44: refuses what is no plain data, and what is too much of it', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const many = Object.fromEntries(
      Array.from({ length: maxPayloadValues + 1 }, (_, index) => [`k${index}`, 1]),
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
      expect(isBoundedPayload(value)).toBe(false);
      expect(isBoundedPayload({ deep: [value] })).toBe(false);
    }
  });
});
