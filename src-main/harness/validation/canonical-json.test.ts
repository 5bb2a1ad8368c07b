import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../protocol';
import { canonicalJson, NotJsonError, sha256Hex } from './canonical-json';

describe('canonicalJson', () => {
  it('C7 sorts members by code unit at every depth and writes no white space', () => {
    expect(canonicalJson({ b: [1, { z: null, a: 'x' }], a: true, B: 1.5, é: 0 })).toBe(
      '{"B":1.5,"a":true,"b":[1,{"a":"x","z":null}],"é":0}',
    );
  });
  it('leaves undefined members out, as absent and undefined are the same', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });
  it('writes numbers as JSON does and keeps a member named __proto__', () => {
    expect(canonicalJson([1e21, -0, 0.1, 1e-7])).toBe('[1e+21,0,0.1,1e-7]');
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1}}') as Json)).toBe('{"__proto__":{"x":1}}');
  });
  it('refuses what has no JSON text', () => {
    expect(() => canonicalJson(Number.NaN)).toThrow(NotJsonError);
    expect(() => canonicalJson({ a: Number.POSITIVE_INFINITY })).toThrow('Infinity');
    const cycle: Json[] = [];
    cycle.push(cycle);
    expect(() => canonicalJson(cycle)).toThrow(NotJsonError);
  });
  it('does not depend on the order of members, and parses back to the same value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const clean = JSON.parse(JSON.stringify(value)) as Record<string, Json>;
        const turned = Object.fromEntries(Object.entries(clean).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(clean));
        expect(JSON.parse(canonicalJson(clean))).toEqual(clean);
      }),
    );
  });
  it('hashes to lower-case hex', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
