import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonSchema } from '../protocol';
import { createSchemaCompiler } from './schema-compiler';

const compile = (schema: JsonSchema) => createSchemaCompiler().compile(schema);
function validator(schema: JsonSchema) {
  const result = compile(schema);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
function refusal(schema: JsonSchema): string {
  const result = compile(schema);
  if (result.ok) throw new Error('The schema was accepted.');
  expect(result.error.code).toBe('schema_unusable');
  return result.error.message;
}
const nested = (levels: number): JsonSchema =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { x: nested(levels - 1) } };

describe('dialects', () => {
  it('takes draft-07, 2020-12, 2019-09 and none side by side, and refuses draft-04 clearly', () => {
    const compiler = createSchemaCompiler();
    const tuple07 = compiler.compile({
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }],
    });
    const tuple20 = compiler.compile({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      prefixItems: [{ type: 'string' }],
    });
    const none = compiler.compile({ prefixItems: [{ type: 'string' }] });
    const draft19 = compiler.compile({
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      items: [{ type: 'string' }],
    });
    const draft06 = compiler.compile({
      $schema: 'http://json-schema.org/draft-06/schema#',
      exclusiveMinimum: 3,
    });
    for (const one of [tuple07, tuple20, none, draft19]) {
      expect(one.ok && one.value.check(['a']).ok).toBe(true);
      expect(one.ok && one.value.check([1]).ok).toBe(false);
    }
    expect(draft06.ok && draft06.value.check(3).ok).toBe(false);
    expect(refusal({ $schema: 'http://json-schema.org/draft-04/schema#' })).toContain('draft-04');
    expect(refusal({ $schema: 'https://example.com/mine' })).toContain('example.com/mine');
    expect(refusal({ $schema: 7 })).toContain('$schema');
  });
  it('S0-17 lists problems as path and words, at most ten', () => {
    const check = validator({
      type: 'object',
      properties: { n: { type: 'integer' }, list: { items: { enum: ['a', 'b'] } } },
      required: ['n'],
      additionalProperties: false,
    });
    const result = check.check({ list: Array.from({ length: 20 }, () => 'c'), extra: 1 });
    if (result.ok) throw new Error('accepted');
    expect(result.error.code).toBe('arguments_invalid');
    const problems = result.error.data?.['problems'] as unknown as { path: string; words: string }[];
    expect(problems).toHaveLength(10);
    expect(problems).toContainEqual({ path: '', words: "must have required property 'n'" });
    expect(problems).toContainEqual({ path: '', words: 'must not have the member "extra"' });
    expect(problems).toContainEqual({ path: '/list/0', words: 'must be one of ["a","b"]' });
    expect(result.error.message).toMatch(/And 1[0-9] more\.$/);
  });
  it('ignores unknown formats and checks known ones', () => {
    const check = validator({ properties: { a: { format: 'from-mars' }, d: { format: 'date' } } });
    expect(check.check({ a: 'x', d: '2026-01-01' }).ok).toBe(true);
    expect(check.check({ d: 'yesterday' }).ok).toBe(false);
  });
  it('does not change the value: no defaults, no coercion', () => {
    const value = { n: '1' };
    const check = validator({ properties: { n: { type: 'integer' }, d: { default: 1 } } });
    expect(check.check(value).ok).toBe(false);
    expect(value).toEqual({ n: '1' });
  });
});

describe('schema bombs', () => {
  it('refuses what is too deep, too wide, too large', () => {
    let deep: JsonSchema = {};
    for (let i = 0; i < 5_000; i += 1) deep = { properties: { x: deep } };
    expect(refusal(deep)).toContain('nested deeper');
    expect(refusal(nested(40))).toContain('32');
    expect(compile(nested(31)).ok).toBe(true);
    const wide: Record<string, JsonSchema> = {};
    for (let i = 0; i < 20_000; i += 1) wide[`p${i}`] = {};
    expect(refusal({ properties: wide })).toContain('2000 subschemas');
    expect(refusal({ description: 'x'.repeat(300 * 1024) })).toContain('bytes');
  });
  it('refuses endless self-reference, invalid patterns, invalid keywords and $async', () => {
    expect(refusal({ allOf: [{ $ref: '#' }] })).toContain('without end');
    expect(refusal({ pattern: '([' })).toContain('regular expression');
    expect(refusal({ patternProperties: { '(?<': {} } })).toContain('regular expression');
    expect(refusal({ type: 'no-such-type' })).toContain('type');
    expect(refusal({ properties: 5 })).toContain('/properties');
    expect(refusal({ $async: true })).toContain('$async');
  });
  it('accepts a pattern that only the older flavour of regular expressions takes', () => {
    const check = validator({ pattern: '^\\_\\-$' });
    expect(check.check('_-').ok).toBe(true);
    expect(check.check('x').ok).toBe(false);
  });
  it('a recursive schema that ends is fine, and endless data fails as a value', () => {
    const check = validator({
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      $ref: '#/$defs/node',
    });
    expect(check.check({ next: { next: {} } }).ok).toBe(true);
    expect(check.check({ next: { next: 1 } }).ok).toBe(false);
    const cycle: Record<string, unknown> = {};
    let value: Record<string, unknown> = cycle;
    for (let i = 0; i < 50_000; i += 1) value = { next: value };
    expect(check.check(value)).toMatchObject({ ok: false, error: { code: 'arguments_invalid' } });
  });
});

describe('references and identity', () => {
  it('never fetches a remote reference', async () => {
    let requests = 0;
    const canary = createServer((_, response) => {
      requests += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/x`;
    expect(refusal({ properties: { a: { $ref: url } } })).toContain('nothing is fetched');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(requests).toBe(0);
    await new Promise((resolve) => canary.close(resolve));
  });
  it('takes references to embedded schemas and to the meta-schema', () => {
    const embedded = validator({
      $defs: { a: { $id: 'https://example.com/a', type: 'string' } },
      properties: { x: { $ref: 'https://example.com/a' } },
    });
    expect(embedded.check({ x: 1 }).ok).toBe(false);
    const meta = validator({ properties: { x: { $ref: 'https://json-schema.org/draft/2020-12/schema' } } });
    expect(meta.check({ x: { type: 'string' } }).ok).toBe(true);
    expect(meta.check({ x: { type: 3 } }).ok).toBe(false);
  });
  it('two tools may carry the same $id', () => {
    const compiler = createSchemaCompiler();
    const one = compiler.compile({ $id: 'https://example.com/tool', type: 'object', required: ['a'] });
    const two = compiler.compile({ $id: 'https://example.com/tool', type: 'object', required: ['b'] });
    expect(one.ok && one.value.check({ a: 1 }).ok).toBe(true);
    expect(two.ok && two.value.check({ a: 1 }).ok).toBe(false);
    expect(two.ok && two.value.check({ b: 1 }).ok).toBe(true);
  });
  it('compiles equal schemas once, whatever the order of their members', () => {
    const compiler = createSchemaCompiler();
    const one = compiler.compile({ type: 'object', title: 't' });
    const two = compiler.compile({ title: 't', type: 'object' });
    expect(two).toBe(one);
  });
});

describe('prototype-named fields', () => {
  const parse = (text: string) => JSON.parse(text) as JsonObject;
  it('refuses the key __proto__ at any depth, and nothing is polluted', () => {
    const check = validator({ type: 'object' });
    expect(check.check(parse('{"a":[{"__proto__":{"polluted":1}}]}'))).toMatchObject({
      ok: false,
      error: { data: { problems: [{ path: '/a/0' }] } },
    });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(check.check(parse('{"constructor":1,"toString":2}')).ok).toBe(true);
  });
  it('enforces required for names that every object inherits', () => {
    const check = validator({ required: ['constructor', 'toString', '__proto__'] });
    expect(check.check({}).ok).toBe(false);
    const two = validator({ required: ['constructor', 'toString'] });
    expect(two.check({}).ok).toBe(false);
    expect(two.check({ constructor: 1, toString: 2 }).ok).toBe(true);
    const typed = validator({ properties: { constructor: { type: 'number' } } });
    expect(typed.check({}).ok).toBe(true);
    expect(typed.check({ constructor: 'x' }).ok).toBe(false);
  });
  it('a schema whose own members are named like that does no harm', () => {
    const result = compile(parse('{"properties":{"__proto__":{"type":"number"}},"__proto__":{"x":1}}'));
    expect(typeof result.ok).toBe('boolean');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('patterns of foreign schemas', () => {
  it.each(['^(a+)+$', '^([a-z]|[a-z0-9])*$', '(x+x+)+y', '^(.*,){20}P'])(
    'hazard 21: %s cannot freeze the app',
    (pattern) => {
      const check = validator({ pattern });
      const began = performance.now();
      check.check(`${'a'.repeat(50_000)}!`);
      expect(performance.now() - began).toBeLessThan(2_000);
    },
  );

  it.each(['^(?!bad)', '(?<=a)b', '(a)\\1'])(
    'refuses %s, which no linear engine has, in words',
    (pattern) => {
      expect(refusal({ pattern })).toContain('look-around');
    },
  );

  it.each([
    ['^\\d{4}-\\d{2}$', '2026-01', '2026-1'],
    ['^[\\w.+-]+@[\\w-]+$', 'a.b@c', 'a b@c'],
    ['^\\u00e9\\/x$', 'é/x', 'e/x'],
    ['^\\p{L}+$', 'Überall', 'a1'],
    ['b', 'abc', 'ac'],
  ])('%s means what it always means', (pattern, good, bad) => {
    const check = validator({ pattern });
    expect(check.check(good).ok).toBe(true);
    expect(check.check(bad).ok).toBe(false);
  });

  it('keeps two patterns of one schema apart', () => {
    const check = validator({ properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } });
    expect(check.check({ a: 'a', b: 'b' }).ok).toBe(true);
    expect(check.check({ a: 'b', b: 'b' }).ok).toBe(false);
    expect(check.check({ a: 'a', b: 'a' }).ok).toBe(false);
  });
});
