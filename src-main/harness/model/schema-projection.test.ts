import { describe, expect, it } from 'vitest';
import { projectSchema } from './schema-projection';

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
