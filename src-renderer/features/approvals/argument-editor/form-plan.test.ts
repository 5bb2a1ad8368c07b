import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, JsonSchema } from '../../../../src-preload/contract';
import { names, objects } from '../../../testing/argument-values';
import { plan } from '../../../testing/plan-arguments';
import { formModel } from './form-model';

describe('a schema or a value that no form is made of', () => {
  const deep = (levels: number, leaf: Json): JsonObject =>
    Array.from({ length: levels }).reduce<JsonObject>((inner) => ({ properties: { a: inner } }), {
      const: leaf,
    });

  it.each<[string, JsonSchema, JsonObject]>([
    ['schema_too_large', { description: 'ä'.repeat(33 * 1024) }, {}],
    ['schema_too_deep', deep(13, 1), {}],
    ['remote_reference', { properties: { a: { $ref: 'https://example.org/a.json' } } }, {}],
    ['remote_reference', { $defs: { a: { $dynamicRef: 'other.json#a' } } }, {}],
    ['value_too_deep', {}, deep(13, 1)],
    ['too_many_fields', {}, { a: Array.from({ length: 401 }, () => 0) }],
    [
      'too_many_fields',
      { properties: Object.fromEntries(Array.from({ length: 401 }, (_, at) => [`p${at}`, {}])) },
      {},
    ],
    ['reserved_name', { properties: { 'ui:field': {} } }, {}],
    ['reserved_name', {}, JSON.parse('{"__proto__": 1}') as JsonObject],
  ])('%s', (refusal, schema, value) => {
    expect(plan(schema, value)).toEqual({ ok: false, refusal });
  });

  it('is also one whose branches double with each level, told soon', () => {
    const levels = 20;
    const defs = Array.from({ length: levels }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` };
      return [`d${at}`, at === levels - 1 ? {} : { allOf: [next, next] }] as const;
    });
    const started = performance.now();
    expect(plan({ $defs: Object.fromEntries(defs), $ref: '#/$defs/d0' }, {})).toMatchObject({ ok: false });
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('is one whose form could not be drawn before', () => {
    expect(plan({}, {}, { formFailed: true })).toEqual({ ok: false, refusal: 'form_failed' });
  });

  it('is never a reason to throw', () => {
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue({ maxDepth: 5 })), objects, (schema, value) => {
        expect(typeof plan(schema as JsonSchema, value).ok).toBe('boolean');
      }),
      { numRuns: 200 },
    );
  });

  it('has no model when there are too many fields', () => {
    const value = { a: Array.from({ length: 500 }, () => 0) };
    expect(formModel({}, value, { fits: () => false, chosen: new Map(), pinned: null })).toBeNull();
  });
});
