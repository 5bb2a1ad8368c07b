import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../src-preload/contract';
import { draftOf, formOf, readForm, type Draft, type Field } from './schema-form';

const schema: JsonSchema = {
  type: 'object',
  required: ['name', 'count'],
  properties: {
    name: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number', default: 0.5 },
    sure: { type: 'boolean' },
    unit: { enum: ['cm', 'inch', 3] },
    tags: { type: 'array', items: { type: 'string' } },
    place: {
      type: 'object',
      required: ['lat'],
      properties: { lat: { type: 'number' }, label: { type: 'string' } },
    },
    maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    pointed: { $ref: '#/$defs/size' },
    wild: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  $defs: { size: { enum: ['s', 'm'] } },
};

const read = (draft: Readonly<Record<string, Draft>>) => {
  const fields = formOf(schema);
  return readForm(fields, { ...draftOf(fields), ...draft });
};

describe('the form of a schema', () => {
  it('has one field a property, of the kind that suits it', () => {
    expect(formOf(schema).map((field) => [field.key, field.kind, field.required])).toEqual([
      ['name', 'text', true],
      ['count', 'number', true],
      ['ratio', 'number', false],
      ['sure', 'boolean', false],
      ['unit', 'choice', false],
      ['tags', 'list', false],
      ['place', 'group', false],
      ['maybe', 'text', false],
      ['pointed', 'choice', false],
      ['wild', 'json', false],
    ]);
  });

  it('reads typed values and leaves out what nobody filled', () => {
    expect(read({ name: 'x', count: '3', sure: 'false', unit: '2' })).toEqual({
      value: { name: 'x', count: 3, ratio: 0.5, sure: false, unit: 3 },
      problems: [],
    });
  });

  it('reads lists, groups and raw JSON', () => {
    const { value, problems } = read({
      name: '',
      count: '1',
      ratio: '',
      tags: ['a', 'b'],
      place: { lat: '52.5', label: '' },
      wild: '[1]',
    });
    expect(problems).toEqual([]);
    expect(value).toEqual({ name: '', count: 1, tags: ['a', 'b'], place: { lat: 52.5 }, wild: [1] });
  });

  it('names each problem by its path', () => {
    const { problems } = read({ count: 'x', place: { lat: '', label: 'here' }, wild: '{' });
    expect(problems).toEqual([
      { path: '/count', problem: 'not_a_number' },
      { path: '/place/lat', problem: 'required' },
      { path: '/wild', problem: 'not_json' },
    ]);
    expect(read({ count: '1.5' }).problems).toEqual([{ path: '/count', problem: 'not_an_integer' }]);
    expect(read({ count: '' }).problems).toEqual([{ path: '/count', problem: 'required' }]);
  });

  it('ends on a schema that points at itself', () => {
    const endless: JsonSchema = {
      type: 'object',
      properties: { next: { $ref: '#' }, loop: { $ref: '#/$defs/a' } },
      $defs: { a: { $ref: '#/$defs/a' } },
    };
    expect(formOf(endless).map((field) => field.kind)).toEqual(['group', 'json']);
  });

  it('stays small for a schema that branches into itself', () => {
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
    const bomb: JsonSchema = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])),
    };
    const count = (fields: readonly Field[]): number =>
      fields.reduce((sum, field) => sum + 1 + (field.kind === 'group' ? count(field.fields) : 0), 0);
    expect(count(formOf(bomb))).toBeLessThan(1000);
  });

  it('pollutes nothing with names of built-in properties', () => {
    const hostile = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
    ) as JsonSchema;
    const fields = formOf(hostile);
    readForm(fields, Object.fromEntries([['__proto__', 'polluted']]));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(readForm(fields, draftOf(fields)).value)).toBe(Object.prototype);
  });

  it('makes an empty form of a schema that names nothing', () => {
    expect(formOf({})).toEqual([]);
    expect(formOf({ type: 'object' })).toEqual([]);
  });
});
