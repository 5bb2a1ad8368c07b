import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, JsonSchema } from '../protocol';
import { createSchemaCompiler } from './schema-compiler';

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const named = <T>(count: number, name: string, make: (index: number) => T): Record<string, T> =>
  Object.fromEntries(many(count, (index) => [`${name}${index}`, make(index)]));

/** Milliseconds of processor time, which other programs on the machine do not lengthen as they do the clock's. */
function worked(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
/** Several times what it takes, and a small part of what the same costs without bounds. */
const bearable = 2_000;

const compiler = createSchemaCompiler();
// The meta-schemas are compiled once in the life of a compiler.
for (const draft of ['draft-07', 'draft/2020-12'])
  compiler.compile({ $schema: `http://json-schema.org/${draft}/schema` });

function validator(schema: JsonSchema) {
  const compiled = compiler.compile(schema);
  if (!compiled.ok) throw new Error(compiled.error.message);
  return compiled.value;
}
function refusal(schema: JsonSchema): string {
  let words = '';
  const time = worked(() => {
    const compiled = compiler.compile(schema);
    if (compiled.ok) throw new Error('The schema was accepted.');
    expect(compiled.error.code).toBe('schema_unusable');
    words = compiled.error.message;
  });
  expect(time).toBeLessThan(bearable);
  return words;
}
function checked(schema: JsonSchema, value: unknown) {
  let result: { ok: boolean; error?: { code: string; message: string } } = { ok: false };
  const time = worked(() => {
    result = validator(schema).check(value);
  });
  expect(time).toBeLessThan(bearable);
  return result;
}

/** References that double at each step: 2^steps looks at one value. */
const tower = (keyword: 'allOf' | 'anyOf', last: JsonSchema): JsonSchema => ({
  $defs: named(26, 'd', (step) => {
    const next = { $ref: `#/$defs/d${step + 1}` };
    return step === 25 ? last : { [keyword]: [next, next] };
  }),
  $ref: '#/$defs/d0',
});
const nested = (levels: number): Json => (levels === 0 ? {} : { n: nested(levels - 1) });
const chain = (length: number): JsonSchema => ({
  $defs: named(length, 'd', (step) =>
    step === length - 1 ? { type: 'object' } : { $ref: `#/$defs/d${step + 1}` },
  ),
  $ref: '#/$defs/d0',
});
const wideRecords = (count: number, fields: number): JsonSchema => ({
  properties: named(count, 'r', () => ({ properties: named(fields, 'f', () => ({ minimum: 0 })) })),
});
const tooMuch = /takes too much work to be checked/;

describe('values that fit are taken, however many', () => {
  it.each<[string, JsonSchema, Json]>([
    ['unique objects', { uniqueItems: true }, many(9_000, (id) => ({ id, tag: `t${id}` }))],
    ['unique numbers', { uniqueItems: true }, many(19_000, (id) => id)],
    ['unique long texts', { uniqueItems: true }, many(2_000, (id) => `${'x'.repeat(400)}${id}`)],
    ['a huge enum', { items: { enum: many(20_000, (id) => id) } }, many(19_000, (id) => id)],
    ['an enum of objects', { items: { enum: many(9_000, (id) => ({ id })) } }, many(9_000, (id) => ({ id }))],
    [
      'names out of a huge enum',
      { propertyNames: { enum: many(9_000, (id) => `k${id}`) } },
      named(9_000, 'k', () => 1),
    ],
    ['a long text', { type: 'string', minLength: 1, maxLength: 5_000_000 }, 'é'.repeat(4_000_000)],
    ['a long text with a pattern', { pattern: '^[^]*$' }, 'line\n'.repeat(20_000)],
    ['a long address', { format: 'uri' }, `https://example.com/${'a'.repeat(100_000)}`],
    [
      'many rows',
      { items: { properties: named(18, 'p', () => ({ type: 'integer', minimum: 0 })) } },
      many(1_000, () => named(18, 'p', (id) => id)),
    ],
  ])('%s', (_, schema, value) => {
    expect(checked(schema, value)).toEqual({ ok: true, value: true });
  });
});

describe('large schemas that end are taken', () => {
  it.each<[string, JsonSchema, Json]>([
    ['a chain of 1,900 references', chain(1_900), {}],
    ['1,000 members', { properties: named(1_000, 'p', () => ({ type: 'string' })) }, { p7: 'x' }],
    ['200 records of 8', wideRecords(200, 8), { r3: { f0: 1 } }],
    ['200 patterns', { patternProperties: named(200, '^a[0-9]{1,20}z', () => true) }, { a1: 1 }],
  ])('%s', (_, schema, value) => {
    expect(checked(schema, value)).toEqual({ ok: true, value: true });
  });
});

describe('a check that would not end is given up', () => {
  it.each<[string, JsonSchema, Json]>([
    [
      'a choice of 1,000 for each of 19,000 items',
      { items: { anyOf: many(1_000, (id) => ({ const: id })) } },
      many(19_000, () => -1),
    ],
    [
      'choices within choices',
      {
        items: many(30, (id) => id).reduce<JsonSchema>((inner) => ({ anyOf: [inner, { const: 2 }] }), {
          const: 1,
        }),
      },
      many(19_000, () => 3),
    ],
    [
      'recursion that doubles at each level',
      {
        $defs: { n: { properties: { n: { allOf: [{ $ref: '#/$defs/n' }, { $ref: '#/$defs/n' }] } } } },
        $ref: '#/$defs/n',
      },
      nested(30),
    ],
    [
      'a tower of references for an item',
      { items: { $ref: '#/$defs/d0' }, $defs: tower('anyOf', { const: 1 })['$defs'] as JsonObject },
      [2],
    ],
    [
      '20,000 required names for each of 9,000 items',
      { items: { required: many(20_000, (id) => `k${id}`) } },
      many(9_000, () => ({})),
    ],
    [
      '300 patterns for each of 19,000 names',
      { patternProperties: named(300, '^a.*z', () => ({ type: 'string' })) },
      named(19_000, 'a', () => 1),
    ],
    ['a pattern over megabytes', { pattern: '^(a+)+$' }, `${'a'.repeat(3_000_000)}!`],
    ['a pattern of thousands of steps', { pattern: '^(a?){1000}a{1000}$' }, 'a'.repeat(100_000)],
    [
      'the meta-schema on a schema of thousands',
      { $ref: 'https://json-schema.org/draft/2020-12/schema' },
      { allOf: many(6_000, () => ({})) },
    ],
    [
      '200 parts that leave names for the end',
      { allOf: many(200, (id) => ({ properties: { [`p${id}`]: {} } })), unevaluatedProperties: false },
      named(19_000, 'k', () => 1),
    ],
  ])('%s', (_, schema, value) => {
    expect(checked(schema, value)).toMatchObject({
      ok: false,
      error: { code: 'arguments_invalid', message: expect.stringMatching(tooMuch) },
    });
  });

  it('and the same validator, and others of its compiler, go on working', () => {
    const check = compiler.compile({ items: { anyOf: many(1_000, (id) => ({ const: id })) } });
    const other = compiler.compile({ type: 'string', maxLength: 3 });
    if (!check.ok || !other.ok) throw new Error('A schema was refused.');
    for (let round = 0; round < 2; round += 1) {
      expect(check.value.check(many(19_000, () => -1)).ok).toBe(false);
      expect(check.value.check([1, 2, 999])).toEqual({ ok: true, value: true });
      expect(other.value.check('abc').ok).toBe(true);
      expect(other.value.check('abcd').ok).toBe(false);
    }
  });

  it('a value of a million parts is given up before it is walked to its end', () => {
    expect(
      checked(
        { type: 'array' },
        many(1_500_000, () => 1),
      ).ok,
    ).toBe(false);
  });

  it('tells ten problems of a million, each in words of bearable length', () => {
    const result = checked(
      { items: { enum: many(9_000, (id) => `choice ${id}`) } },
      many(19_000, () => 'none'),
    );
    expect(result.error?.message).toMatch(/And 18990 more\.$/);
    expect(result.error?.message.length).toBeLessThan(5_000);
  });
});

describe('a schema that takes too much work is refused as a whole', () => {
  it.each<[string, JsonSchema, RegExp]>([
    ['towers of references that look at every value', tower('allOf', { type: 'object' }), /too much work/],
    ['towers of choices', tower('anyOf', { const: 1 }), /too much work/],
    [
      'keywords without measure',
      { properties: named(1_500, 'p', () => ({ type: 'string', minLength: 1 })) },
      /2500 keywords/,
    ],
    [
      'dependencies without measure',
      { dependentRequired: named(3_000, 'k', () => ['a', 'b']) },
      /2500 keywords/,
    ],
    [
      'lists of required names without measure',
      { allOf: many(500, () => ({ required: many(15, (id) => `r${id}`) })) },
      /2500 keywords/,
    ],
    ['patterns without measure', { patternProperties: named(900, '^a', () => ({})) }, /2500 keywords/],
    ['a pattern of repetitions', { pattern: 'a{1000}'.repeat(100) }, /patterns grow past/],
    [
      'a pattern of repetitions of repetitions',
      { pattern: `(${'(ab){30}'.repeat(20)}){30}` },
      /patterns grow past/,
    ],
    ['a pattern of large classes', { pattern: '\\p{L}'.repeat(2_000) }, /patterns grow past/],
    [
      '20,000 equal choices',
      { $schema: 'http://json-schema.org/draft-07/schema#', enum: many(20_000, () => ({})) },
      /must not have the same item twice/,
    ],
  ])('%s', (_, schema, words) => {
    expect(refusal(schema)).toMatch(words);
  });

  it.each<[string, JsonSchema]>([
    [
      'under a keyword that nobody knows',
      { hidden: { properties: named(5_000, 'p', () => ({ type: 'string' })) }, $ref: '#/hidden' },
    ],
    [
      'under a name',
      { hidden: { $anchor: 'x', properties: named(5_000, 'p', () => ({ type: 'string' })) }, $ref: '#x' },
    ],
    [
      'under an address',
      {
        hidden: { $id: 'https://example.com/x', properties: named(5_000, 'p', () => ({ type: 'string' })) },
        $ref: 'https://example.com/x',
      },
    ],
    ['far below', { a: { b: { c: { allOf: many(2_500, () => ({ type: 'string' })) } } }, $ref: '#/a/b/c' }],
  ])('also one that lies %s', (_, schema) => {
    expect(refusal(schema)).toMatch(/2000 subschemas|2500 keywords|2500 branches/);
  });

  it.each<[string, JsonSchema, RegExp]>([
    [
      'a list of too many branches',
      { oneOf: many(1_001, (id) => ({ const: id })) },
      /"oneOf" has 1001 branches.*"enum"/,
    ],
    [
      'too many branches beside unevaluatedProperties',
      { allOf: many(201, (id) => ({ properties: { [`p${id}`]: {} } })), unevaluatedProperties: false },
      /201 branches beside/,
    ],
    [
      'too many properties beside unevaluatedProperties',
      { properties: named(1_001, 'p', () => true), unevaluatedProperties: false },
      /1001 properties beside/,
    ],
  ])('hazard 21: %s, at once and with the reason', (_, schema, reason) => {
    expect(refusal(schema)).toMatch(reason);
  });

  it.each<[string, JsonSchema]>([
    ['data', { default: { allOf: many(10, () => ({})) }, $ref: '#/default' }],
    ['a list of choices', { enum: [{ type: 'string' }], properties: { a: { $ref: '#/enum/0' } } }],
    ['a map of schemas', { properties: { a: {}, b: { $ref: '#/properties' } } }],
    ['nothing', { properties: { a: { $ref: '#/$defs/none' } } }],
    [
      'data of an embedded schema',
      {
        $defs: { e: { $id: 'https://example.com/e', const: { type: 'string' } } },
        $ref: 'https://example.com/e#/const',
      },
    ],
  ])('and a reference to %s is none to a schema', (_, schema) => {
    expect(refusal(schema)).toMatch(/no schema inside it; nothing is fetched/);
  });

  it('takes references into places of other schemes, where they are schemas', () => {
    const check = validator({
      components: { schemas: { Name: { type: 'string' }, 'odd/~name': { type: 'integer' } } },
      properties: {
        name: { $ref: '#/components/schemas/Name' },
        odd: { $ref: '#/components/schemas/odd~1~0name' },
        e: { $ref: 'https://example.com/e#/$defs/n' },
      },
      $defs: { e: { $id: 'https://example.com/e', $defs: { n: { type: 'null' } } } },
    });
    expect(check.check({ name: 'a', odd: 1, e: null }).ok).toBe(true);
    for (const wrong of [{ name: 1 }, { odd: 'a' }, { e: 1 }]) expect(check.check(wrong).ok).toBe(false);
  });
});

describe('bounds change no verdict', () => {
  const leaf = fc.oneof(
    fc.constantFrom<Json>(null, true, false, 0, 1, 1.5, 2, '', 'a', 'ab', '😀', '😀a', 'for(const x in y){'),
    fc.constantFrom<Json>([], {}, [1], { a: 1 }, { b: [1, { a: null }] }),
  );
  const value = fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), leaf, { maxKeys: 3 }),
  ) as fc.Arbitrary<Json>;
  const flat = fc.oneof(
    fc.record({ uniqueItems: fc.boolean() }),
    fc.record({
      enum: fc.uniqueArray(leaf, { minLength: 1, maxLength: 5, selector: (one) => JSON.stringify(one) }),
    }),
    fc.record({ minLength: fc.nat(3) }),
    fc.record({ maxLength: fc.nat(3) }),
    fc.record({ type: fc.constantFrom('string', 'array', 'object', 'number', 'integer', 'null', 'boolean') }),
    fc.record({ const: leaf }),
    fc.record({ required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }) }),
    fc.constant({ format: 'date' }),
  );
  const deep = fc.oneof(
    flat,
    fc.record({ items: flat }),
    fc.record({ contains: flat }),
    fc.record({ not: flat }),
    fc.record({ anyOf: fc.array(flat, { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(flat, { minLength: 1, maxLength: 3 }) }),
    fc.record({ properties: fc.record({ a: flat, b: flat }), unevaluatedProperties: fc.boolean() }),
    fc.record({ prefixItems: fc.array(flat, { minLength: 1, maxLength: 2 }), items: flat }),
    fc.record({
      $defs: fc.record({ 'for(': flat }),
      additionalProperties: fc.constant({ $ref: '#/$defs/for(' }),
    }),
  ) as fc.Arbitrary<JsonSchema>;

  it('property: a schema takes exactly what the engine alone takes', () => {
    fc.assert(
      fc.property(deep, fc.array(value, { minLength: 1, maxLength: 8 }), (drawnSchema, drawn) => {
        // Plain objects, as they come out of JSON.
        const [schema, values] = JSON.parse(JSON.stringify([drawnSchema, drawn])) as [JsonSchema, Json[]];
        const engine = new Ajv2020({
          strict: false,
          ownProperties: true,
          logger: false,
          validateSchema: false,
        });
        addFormats(engine);
        const expected = engine.compile(schema);
        const ours = validator(schema);
        for (const one of values) {
          expect(ours.check(one).ok, JSON.stringify({ schema, one })).toBe(expected(one));
        }
      }),
      { numRuns: 150 },
    );
  });
});
