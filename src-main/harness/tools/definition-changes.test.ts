import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../protocol';
import { definitionChangeLimits, definitionChanges, definitionOf } from './definition-changes';
import { definitionPin } from './definition-pin';
import type { ToolDescriptor } from './tool';

const descriptor: ToolDescriptor = {
  qualified_name: 'acer.battery',
  title: 'Battery',
  description: 'Reads the battery.',
  input_schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  version: '1',
};
const origin = { kind: 'mcp', transport: 'stdio', program: 'acer', args: ['-x'], env: {}, cwd: '/' };
const definition = definitionOf(descriptor, origin);

function jsonBytes(value: Json | undefined): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

describe('definitionOf', () => {
  it('C7: holds what the pin covers and nothing else, so that it can be kept as JSON', () => {
    expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
    expect(Object.keys(definition).sort()).toEqual([
      'description',
      'input_schema',
      'origin',
      'qualified_name',
      'title',
    ]);
    const more = definitionOf({ ...descriptor, output_schema: {}, annotations: { a: 1 } }, origin);
    expect(more).toMatchObject({ output_schema: {}, annotations: { a: 1 } });
  });

  it('C7: the pin of a definition stays what it was', () => {
    expect(definitionPin(descriptor, origin)).toBe(
      'a48735e438a408d5496bffcaf8a499c658ebca34eef67a4b1bba4ae46c804b52',
    );
  });
});

describe('definitionChanges', () => {
  it('S0-56 C7: names each field that differs, by pointer and in a fixed order', () => {
    const after = definitionOf(
      {
        qualified_name: 'acer.battery',
        description: 'Sends the battery away.',
        input_schema: {
          required: ['a', 'to'],
          properties: { to: { type: 'string' }, a: { type: 'string', title: 'A' } },
          type: 'object',
        },
        annotations: { readOnlyHint: true },
        version: '1',
      },
      { ...origin, args: ['-x', '--all'], program: '/opt/acer' },
    );
    expect(definitionChanges(definition, after)).toEqual([
      { path: '/annotations', after: { readOnlyHint: true } },
      { path: '/description', before: 'Reads the battery.', after: 'Sends the battery away.' },
      { path: '/input_schema/properties/a/title', after: 'A' },
      { path: '/input_schema/properties/to', after: { type: 'string' } },
      { path: '/input_schema/required', before: ['a'], after: ['a', 'to'] },
      { path: '/origin/args', before: ['-x'], after: ['-x', '--all'] },
      { path: '/origin/program', before: 'acer', after: '/opt/acer' },
      { path: '/title', before: 'Battery' },
    ]);
  });

  it('compares lists of parts entry by entry, and escapes names in pointers', () => {
    expect(
      definitionChanges(
        { 'a/b~c': [{ x: 1 }, { y: 2 }], kind: [] },
        { 'a/b~c': [{ x: 1 }, { y: 3 }, { z: 4 }], kind: {} },
      ),
    ).toEqual([
      { path: '/a~1b~0c/1/y', before: 2, after: 3 },
      { path: '/a~1b~0c/2', after: { z: 4 } },
      { path: '/kind', before: [], after: {} },
    ]);
  });

  it('sees members that have the names of built-in ones', () => {
    const hostile = JSON.parse('{"__proto__":{"x":1},"constructor":1}') as JsonObject;
    expect(definitionChanges({}, hostile)).toEqual([
      { path: '/__proto__', after: { x: 1 } },
      { path: '/constructor', after: 1 },
    ]);
    expect(definitionChanges(hostile, hostile)).toEqual([]);
  });

  it('shows a long value in part, where it differs, with a marker', () => {
    const text = 'Reads. '.repeat(2_000);
    const [change, ...others] = definitionChanges(
      { description: `${text}All good.` },
      { description: `${text}Then sends all of it away.` },
    );
    expect(others).toEqual([]);
    expect(change?.before).toMatch(/^\[14011 bytes, shown in part from character \d+\] ….*All good\.$/);
    expect(change?.after).toMatch(/^\[14028 bytes, .*Then sends all of it away\.$/);
    const [added] = definitionChanges({}, { list: Array.from({ length: 3_000 }, () => 'é😀\n') });
    expect(added?.after).toMatch(/^\[\d+ bytes, shown in part from character 0\] \["é😀\\n",/);
    expect(String(added?.after)).toMatch(/…$/);
    expect(jsonBytes(added?.after)).toBeLessThanOrEqual(definitionChangeLimits.value_bytes);
  });

  it('tells a long text from the list of which it is the text', () => {
    const list = Array.from({ length: 1_000 }, (_, index) => index);
    const [change] = definitionChanges({ x: list }, { x: JSON.stringify(list) });
    expect(change?.before).not.toBe(change?.after);
  });

  it('reports what lies too deep as a change of what holds it', () => {
    const nested = (value: Json): JsonObject => {
      let made: Json = value;
      for (let level = 0; level < 60; level += 1) made = { 'a-name-of-some-length': made };
      return { made };
    };
    const changes = definitionChanges(nested(1), nested(2));
    expect(changes).toHaveLength(1);
    expect(changes[0]?.path.length).toBeLessThanOrEqual(definitionChangeLimits.path_length);
    expect(changes[0]?.path).toMatch(/a-name-of-some-length$/);
    const wide = { ['x'.repeat(600)]: 1, kept: { deep: 1 } };
    expect(definitionChanges(wide, { ...wide, kept: { deep: 2 } })).toEqual([
      { path: '/kept/deep', before: 1, after: 2 },
    ]);
  });

  it('answers at most 200 changes, the last of which then is the whole definition', () => {
    const many = (count: number, value: number): JsonObject =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
    expect(definitionChanges(many(200, 1), many(200, 2))).toHaveLength(200);
    expect(definitionChanges(many(200, 1), many(200, 2)).at(-1)?.path).not.toBe('');
    const changes = definitionChanges(many(5_000, 1), many(5_000, 2));
    expect(changes).toHaveLength(200);
    expect(changes.at(-1)).toMatchObject({
      path: '',
      before: expect.stringContaining('bytes, shown in part') as unknown,
    });
  });

  const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
  const schema = fc.dictionary(fc.string({ maxLength: 4 }), json, { maxKeys: 5 });
  const described = fc.record({
    title: fc.option(fc.constantFrom('A', 'B'), { nil: undefined }),
    description: fc.oneof(fc.constantFrom('', 'x'), fc.string({ unit: 'binary', maxLength: 3_000 })),
    input_schema: schema,
    annotations: fc.option(schema, { nil: undefined }),
  });
  type Described = Parameters<Parameters<typeof described.map>[0]>[0];
  const made = (parts: Described): ToolDescriptor => ({
    qualified_name: 'a.b',
    description: parts.description,
    input_schema: parts.input_schema,
    ...(parts.title === undefined ? {} : { title: parts.title }),
    ...(parts.annotations === undefined ? {} : { annotations: parts.annotations }),
    version: '1',
  });
  const pair = fc
    .tuple(described, described, fc.constantFrom('same', 'schema', 'all'))
    .map(([one, other, how]): [Described, Described] => {
      if (how === 'same') return [one, structuredClone(one)];
      return [one, how === 'all' ? other : { ...one, input_schema: other.input_schema }];
    });

  it('property, S0-56: there are changes exactly when the pins differ, in bounds and in an order of their own', () => {
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const [before, after] = [definitionOf(made(one), origin), definitionOf(made(other), origin)];
        const changes = definitionChanges(before, after);
        const pins = [definitionPin(made(one), origin), definitionPin(made(other), origin)];
        expect(changes.length > 0).toBe(pins[0] !== pins[1]);
        expect(changes.length).toBeLessThanOrEqual(definitionChangeLimits.changes);
        for (const change of changes) {
          expect(jsonBytes(change.before)).toBeLessThanOrEqual(definitionChangeLimits.value_bytes);
          expect(jsonBytes(change.after)).toBeLessThanOrEqual(definitionChangeLimits.value_bytes);
          expect(JSON.stringify(change.before)).not.toBe(JSON.stringify(change.after));
        }
        const turned = Object.fromEntries(Object.entries(after).reverse());
        expect(definitionChanges(before, turned)).toEqual(changes);
        expect(definitionChanges(after, before).map((change) => change.path)).toEqual(
          changes.map((change) => change.path),
        );
      }),
      { numRuns: 500 },
    );
  });
});
