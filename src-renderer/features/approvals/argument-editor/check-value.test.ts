import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonSchema } from '../../../../src-preload/contract';
import { createChecker, type ValueProblem } from './check-value';
import { dialectOf, isPlainPattern } from './checkable-schema';
import { createCheckers, createFormValidator, errorSchemaOf } from './form-validator';

const problems = (schema: JsonSchema, value: Json): readonly ValueProblem[] =>
  createChecker(schema).check(value).problems;
const paths = (schema: JsonSchema, value: Json): string[] =>
  problems(schema, value).map((one) => `${one.path} ${one.keyword}`);

describe('what the validator says of edited arguments', () => {
  it('field report 26: edited arguments are validated again, each complaint with its place and what is wanted', () => {
    const schema = {
      type: 'object',
      required: ['to', 'subject'],
      properties: {
        to: { type: 'array', items: { type: 'string', format: 'email' }, minItems: 1 },
        subject: { type: 'string', maxLength: 5 },
        'a/b': { type: 'integer', minimum: 3 },
        mode: { enum: ['fast', 'slow'] },
      },
      additionalProperties: false,
    };
    const value = { to: ['x'], 'a/b': 1, mode: 'other', more: 1 };
    expect(problems(schema, value)).toEqual([
      { path: '/subject', keyword: 'required', wanted: null },
      { path: '/to/0', keyword: 'format', wanted: 'email' },
      { path: '/a~1b', keyword: 'minimum', wanted: 3 },
      { path: '/mode', keyword: 'enum', wanted: ['fast', 'slow'] },
      { path: '/more', keyword: 'not_allowed', wanted: null },
    ]);
    expect(problems(schema, { to: ['a@b.org'], subject: 'Hello' })).toEqual([]);
  });

  it('names the branches that do not fit once, not the complaints of each', () => {
    const schema = { properties: { at: { anyOf: [{ type: 'number' }, { type: 'null' }, false] } } };
    expect(paths(schema, { at: 'x' })).toEqual(['/at anyOf']);
    expect(paths({ properties: { at: { oneOf: [{ type: 'number' }, { minimum: 1 }] } } }, { at: 2 })).toEqual(
      ['/at oneOf'],
    );
  });

  it('says what is wrong by the branch that the value was meant for, where that is clear', () => {
    const optional = { properties: { n: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] } } };
    expect(problems(optional, { n: 0 })).toEqual([{ path: '/n', keyword: 'minimum', wanted: 1 }]);
    expect(paths(optional, { n: 'x' })).toEqual(['/n anyOf']);
    const kinds = {
      properties: {
        list: {
          items: {
            oneOf: [
              { required: ['date'], properties: { kind: { const: 'once' } } },
              { required: ['hour'], properties: { kind: { const: 'daily' }, hour: { maximum: 23 } } },
            ],
          },
        },
      },
    };
    const list = [{ kind: 'daily', hour: 25 }, { kind: 'other' }, { kind: 'once', date: 1 }];
    expect(paths(kinds, { list })).toEqual(['/list/0/hour maximum', '/list/1 oneOf']);
  });

  it('follows references inside the schema to what they want', () => {
    const schema = { $defs: { n: { minLength: 3 } }, properties: { a: { $ref: '#/$defs/n' } } };
    expect(problems(schema, { a: 'x' })).toEqual([{ path: '/a', keyword: 'minLength', wanted: 3 }]);
  });

  it('reads draft-07 as draft-07 and a schema without a dialect as 2020-12', () => {
    expect(dialectOf({ $schema: 'http://json-schema.org/draft-07/schema#' })).toBe('7');
    expect(dialectOf({})).toBe('2020-12');
    const tuple = { items: [{ type: 'string' }, { type: 'number' }] };
    expect(paths({ properties: { t: { ...tuple } } }, { t: ['a', 'b'] })).toEqual(['/t/1 type']);
    const besideRef = {
      $defs: { s: { type: 'string' } },
      properties: { a: { $ref: '#/$defs/s', maxLength: 1 } },
    };
    expect(paths(besideRef, { a: 'xx' })).toEqual(['/a maxLength']);
    expect(paths({ ...besideRef, $schema: 'http://json-schema.org/draft-07/schema#' }, { a: 'xx' })).toEqual(
      [],
    );
    const prefix = { properties: { t: { prefixItems: [{ type: 'string' }], items: false } } };
    expect(paths(prefix, { t: [1, 2] })).toEqual(['/t/0 type', '/t/1 not_allowed']);
  });

  it('takes members that objects have by themselves for members only where they are there', () => {
    const schema = { properties: { toString: { type: 'string' }, constructor: { type: 'number' } } };
    expect(paths(schema, {})).toEqual([]);
    expect(paths({ ...schema, required: ['hasOwnProperty'] }, { constructor: 'x' })).toEqual([
      '/hasOwnProperty required',
      '/constructor type',
    ]);
  });

  it('changes neither the schema nor the value', () => {
    const schema = {
      $defs: { a: { type: 'string' } },
      properties: { x: { $ref: '#/$defs/a', default: 'd' } },
    };
    const value = { y: 1 };
    const before = JSON.stringify([schema, value]);
    Object.freeze(schema.$defs.a);
    expect(createChecker(schema).check(value).problems).toEqual([]);
    expect(JSON.stringify([schema, value])).toBe(before);
  });
});

describe('a hostile schema', () => {
  const doubling = (levels: number): JsonSchema => ({
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, at === levels - 1 ? { type: 'null' } : { anyOf: [next, next, { allOf: [next] }] }];
      }),
    ),
    properties: { a: { $ref: '#/$defs/d0' } },
  });

  it('does not keep the window from drawing: branches that double, references to itself, slow patterns', () => {
    const started = performance.now();
    const text = 'a'.repeat(60_000);
    const hostile: readonly (readonly [JsonSchema, Json])[] = [
      [doubling(60), { a: 1 }],
      [{ allOf: [{ $ref: '#' }, { $ref: '#' }] }, {}],
      [{ properties: { a: { pattern: '^(a+)+$' } } }, { a: `${text}!` }],
      [{ properties: { a: { pattern: 'a+b' } } }, { a: text }],
      [{ patternProperties: { '(a|a)*b': false }, additionalProperties: false }, { [text]: 1 }],
      [{ properties: { a: { format: 'uri', not: { format: 'uri-template' } } } }, { a: text }],
      [{ properties: { a: { uniqueItems: true } } }, { a: Array.from({ length: 20_000 }, (_, at) => at) }],
    ];
    for (const [schema, value] of hostile) {
      const verdict = createChecker(schema).check(value);
      expect(verdict, JSON.stringify(schema).slice(0, 80)).toEqual({ problems: [], complete: false });
    }
    const list = { items: { anyOf: [{ type: 'string' }, { type: 'object', required: ['a', 'b'] }] } };
    const wrong = Array.from({ length: 9_000 }, () => ({}));
    expect(problems({ properties: { list } }, { list: wrong }).length).toBeGreaterThan(100);
    const huge = { properties: { a: { enum: Array.from({ length: 30_000 }, (_, at) => `v${at}`) } } };
    expect(paths(huge, { a: 'v' })).toEqual(['/a enum']);
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('is not called a misfit where it could not be read', () => {
    const unreadable: readonly JsonSchema[] = [
      { $ref: 'https://example.org/other.json' },
      { $ref: '#/nowhere' },
      { properties: { a: { $id: 'http://[' } } },
      { type: 'object', required: 5 },
      { properties: { a: { minLength: {} as never } } },
    ];
    for (const schema of unreadable) {
      expect(createChecker(schema).check({ b: 1 }).problems, JSON.stringify(schema)).toEqual([]);
    }
  });

  it('refuses nothing because a part of it is left out', () => {
    const slow = { pattern: '^(a+)+$' };
    const schemas: readonly JsonSchema[] = [
      { properties: { a: { not: slow } } },
      { properties: { a: { if: slow, then: { maxLength: 0 } } } },
      { properties: { a: { oneOf: [slow, { const: 'xyz' }] } } },
      { patternProperties: { '^(a|b)+$': true }, additionalProperties: false },
      { $defs: { s: slow }, properties: { a: { not: { $ref: '#/$defs/s' } } } },
    ];
    for (const schema of schemas) {
      expect(createChecker(schema).check({ a: 'xyz' }), JSON.stringify(schema)).toEqual({
        problems: [],
        complete: false,
      });
    }
  });

  it('never makes the check throw', () => {
    const words = fc.constantFrom(
      'type',
      'properties',
      'items',
      '$ref',
      'enum',
      'anyOf',
      'required',
      'not',
      'if',
      '$id',
    );
    const schemas = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 4 }, fc.jsonValue({ maxDepth: 1 }), fc.dictionary(words, tie('any'))),
    })).any;
    fc.assert(
      fc.property(fc.dictionary(words, schemas), fc.jsonValue({ maxDepth: 3 }), (schema, value) => {
        const verdict = createChecker(schema as JsonSchema).check(value as Json);
        expect(Array.isArray(verdict.problems)).toBe(true);
      }),
    );
  });
});

describe('a pattern', () => {
  it.each([
    '^[a-z]+$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(a|b|c)$',
    '^#[\\w-]+$',
    'x',
    '^(-)?\\d+$',
    '^[^@]+@[^@]+$',
  ])('is tried in the window when it is plain: %s', (pattern) => expect(isPlainPattern(pattern)).toBe(true));

  it.each(['^(a+)+$', '(a|a)*', 'a*a*b', '(?=a)b', '(a)\\1', '(x{50}){50}', '[', 'a{1000}', '^a+b+c+$'])(
    'is left to the check before the call when it is not: %s',
    (pattern) => expect(isPlainPattern(pattern)).toBe(false),
  );
});

describe("the form library's validator", () => {
  const validator = createFormValidator({ checkerOf: createCheckers(), words: (one) => `!${one.keyword}` });

  it('hands problems over in the shape that the library nests', () => {
    const schema = { properties: { a: { items: { type: 'number' } }, 'b.c': { type: 'string' } } };
    const { errors, errorSchema } = validator.validateFormData({ a: [1, 'x'], 'b.c': 1 }, schema);
    expect(errors.map((error) => [error.property, error.name, error.message])).toEqual([
      ['/a/1', 'type', '!type'],
      ['/b.c', 'type', '!type'],
    ]);
    expect(errorSchema).toEqual({ a: { 1: { __errors: ['!type'] } }, 'b.c': { __errors: ['!type'] } });
  });

  it('tells which branch a value fits, also through references', () => {
    const root = {
      $defs: { mail: { required: ['to'] } },
      anyOf: [{ $ref: '#/$defs/mail' }, { required: ['id'] }],
    };
    expect(validator.isValid({ $ref: '#/$defs/mail' }, { to: 'x' }, root)).toBe(true);
    expect(validator.isValid({ $ref: '#/$defs/mail' }, { id: 1 }, root)).toBe(false);
    expect(validator.isValid(true as never, 1, root)).toBe(true);
    expect(validator.isValid({ $ref: 'https://example.org/x' }, {}, root)).toBe(false);
  });

  it('gives the bare problems, and none for nothing', () => {
    expect(validator.rawValidation({ required: ['a'] }, undefined).errors).toEqual([
      { path: '/a', keyword: 'required', wanted: null },
    ]);
    expect(errorSchemaOf([{ path: '', message: 'x' }])).toEqual({ __errors: ['x'] });
    expect(({} as { x?: unknown }).x).toBeUndefined();
    errorSchemaOf([{ path: '/__proto__/x', message: 'polluted' }]);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});
