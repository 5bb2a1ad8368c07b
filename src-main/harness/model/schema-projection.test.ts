import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../protocol';
import { projectTool } from './schema-projection';

const projectSchema = (schema: JsonSchema): JsonSchema => projectTool(schema, 'anthropic').schema;

const text = { type: 'string' };

describe('schema on the wire', () => {
  it('leaves an object schema as it is, without its dialect', () => {
    const schema = { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false };
    expect(projectSchema({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema })).toEqual(
      schema,
    );
  });

  it.each([{}, { type: 'object' }, { type: ['object', 'null'] }])('gives %j an object root', (schema) => {
    expect(projectSchema(schema)).toEqual({ type: 'object', properties: {} });
  });

  it.each([{ type: 'string' }, { type: 'array', items: text }, { type: ['number', 'null'] }])(
    'opens %j, whose root is no object',
    (schema) => {
      expect(projectSchema(schema)).toEqual({ type: 'object', properties: {}, additionalProperties: true });
    },
  );

  it('joins a root anyOf and requires only what every branch requires', () => {
    const projected = projectSchema({
      type: 'object',
      anyOf: [
        { properties: { a: text, c: text }, required: ['a', 'c'] },
        { properties: { b: text, c: text }, required: ['b', 'c'] },
      ],
      additionalProperties: false,
    });
    expect(projected).toEqual({ type: 'object', properties: { a: text, b: text, c: text }, required: ['c'] });
  });

  it('joins allOf with all that it requires', () => {
    expect(
      projectSchema({
        allOf: [
          { properties: { a: text }, required: ['a'] },
          { properties: { b: text }, required: ['b'] },
        ],
      }),
    ).toEqual({ type: 'object', properties: { a: text, b: text }, required: ['a', 'b'] });
  });

  it('follows a root reference into its own definitions and keeps them', () => {
    const $defs = { Input: { type: 'object', properties: { a: text }, required: ['a'] } };
    expect(projectSchema({ $ref: '#/$defs/Input', $defs })).toEqual({ ...$defs.Input, $defs });
  });
});

const recursive = {
  type: 'object',
  properties: { tree: { $ref: '#/$defs/Node' } },
  $defs: { Node: { type: 'object', properties: { child: { $ref: '#/$defs/Node' }, name: text } } },
};

describe('schemas for readers of plain ones', () => {
  it('field report 58: local references are replaced by what they point at, also by pointer and with words beside them', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/Name', description: 'The first.' },
        b: { $ref: '#/properties/a' },
        c: { enum: [{ $ref: '#/$defs/Name' }] },
      },
      required: ['a'],
      $defs: { Name: { type: 'string', minLength: 1 } },
    };
    const { schema: plain, adaptations } = projectTool(schema, 'compatible');
    const name = { type: 'string', minLength: 1, description: 'The first.' };
    expect(plain).toEqual({
      type: 'object',
      properties: { a: name, b: name, c: { enum: [{ $ref: '#/$defs/Name' }] } },
      required: ['a'],
    });
    expect(adaptations).toEqual(['references_inlined']);
    expect(projectTool(schema, 'anthropic')).toEqual({ schema, adaptations: [] });
  });

  it('field report 58: what leads into itself ends in a part that takes anything, and nothing grows without end', () => {
    expect(projectTool(recursive, 'google')).toEqual({
      schema: {
        type: 'object',
        properties: { tree: { type: 'object', properties: { child: {}, name: text } } },
      },
      adaptations: ['references_inlined', 'parts_opened'],
    });
    const wide = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`p${at}`, { $ref: `#/$defs/d0` }]),
    );
    const $defs = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `d${at}`,
        {
          type: 'object',
          properties: { l: { $ref: `#/$defs/d${at + 1}` }, r: { $ref: `#/$defs/d${at + 1}` } },
        },
      ]),
    );
    const bomb = projectTool({ type: 'object', properties: wide, $defs }, 'google');
    expect(JSON.stringify(bomb.schema).length).toBeLessThan(2_000_000);
    expect(bomb.adaptations).toContain('parts_opened');
  });

  it.each<[string, JsonSchema, JsonSchema, readonly string[]]>([
    ['an unknown format', { type: 'string', format: 'uri' }, { type: 'string' }, ['words_dropped']],
    ['a known format', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }, []],
    ['a bound that excludes', { type: 'number', exclusiveMinimum: 0 }, { type: 'number' }, ['words_dropped']],
    ['a type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }, []],
    ['two types', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }, []],
    ['oneOf', { oneOf: [text, { const: 'x' }] }, { anyOf: [text, { type: 'string', enum: ['x'] }] }, []],
    ['an enum of numbers', { type: 'integer', enum: [1, 2] }, { type: 'integer' }, ['words_dropped']],
    [
      'allOf',
      { allOf: [{ type: 'object', properties: { a: text }, required: ['a'] }, { properties: { b: text } }] },
      { type: 'object', properties: { a: text, b: text }, required: ['a'] },
      [],
    ],
    ['a tuple', { type: 'array', prefixItems: [text] }, { type: 'array', items: {} }, ['words_dropped']],
    ['not', { type: 'string', not: { const: 'x' } }, text, ['words_dropped']],
    ['a property of the name of a word', { properties: { not: text } }, { properties: { not: text } }, []],
  ])('field report 59: %s in a property', (_, before, after, adaptations) => {
    const schema = { type: 'object', properties: { p: before } };
    expect(projectTool(schema, 'google')).toEqual({
      schema: { type: 'object', properties: { p: after } },
      adaptations,
    });
  });

  it('says what it did to the root', () => {
    expect(projectTool({ type: 'string' }, 'openai-chat').adaptations).toEqual(['root_opened']);
    expect(projectTool({ anyOf: [{ properties: { a: text } }] }, 'openai-chat').adaptations).toEqual([
      'root_joined',
    ]);
  });
});
