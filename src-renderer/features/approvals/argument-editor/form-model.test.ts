import { createSchemaUtils, type RJSFSchema } from '@rjsf/utils';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../../../../src-preload/contract';
import { objects, schemas } from '../../../testing/argument-values';
import { plan, validator, type PlanGiven } from '../../../testing/plan-arguments';
import { applyEdit, memberOf, pointerOf, sameJson, type Path } from './edit-value';
import { isFaithful, nothingFilledIn, type FieldFacts, type FormModel } from './form-model';
import { choiceText, lineEndsOf, withLineEnds } from './leaf-text';
import { readJson, writeJson } from './raw-json';
import { readNumber } from './read-number';

function modelOf(schema: JsonSchema, value: JsonObject, more: Partial<PlanGiven> = {}): FormModel {
  const made = plan(schema, value, more);
  if (!made.ok) throw new Error(`There is no form: ${made.refusal}.`);
  return made.model;
}

interface Field {
  readonly path: Path;
  readonly facts: FieldFacts;
}

/** Every field of a form, found as the form library finds them: by the two schemas it is given. */
function fieldsOf(model: FormModel): readonly Field[] {
  const found: Field[] = [];
  const visit = (schema: unknown, uiSchema: unknown, path: Path): void => {
    const node = schema as { properties?: Record<string, unknown>; items?: readonly unknown[] };
    const ui = uiSchema as Record<string, unknown> & { 'ui:options': { argument: FieldFacts } };
    found.push({ path, facts: ui['ui:options'].argument });
    for (const [name, member] of Object.entries(node.properties ?? {}))
      visit(member, ui[name], [...path, name]);
    const items = (ui.items ?? []) as readonly unknown[];
    for (const [index, item] of (node.items ?? []).entries()) visit(item, items[index], [...path, index]);
  };
  visit(model.schema, model.uiSchema, []);
  return found;
}

const kinds = (schema: JsonSchema, value: JsonObject, more: Partial<PlanGiven> = {}) =>
  Object.fromEntries(
    fieldsOf(modelOf(schema, value, more)).map(({ path, facts }) => [pointerOf(path), facts.kind]),
  );
const factsAt = (schema: JsonSchema, value: JsonObject, pointer: string): FieldFacts =>
  fieldsOf(modelOf(schema, value)).find(({ path }) => pointerOf(path) === pointer)!.facts;

/** What a field gives back when the person touches it and writes what was there. */
function throughControl(facts: FieldFacts, value: Json): Json | undefined {
  switch (facts.kind) {
    case 'text': {
      const shown = String(value).replaceAll(/\r\n?/g, '\n');
      return withLineEnds(shown, lineEndsOf(String(value)));
    }
    case 'number': {
      const read = readNumber(String(value));
      return read.ok ? read.value : undefined;
    }
    case 'flag':
      return [true, false].find((one) => one === value);
    case 'choice':
      return facts.choices.find((choice) => sameJson(choice.value, value))?.value;
    case 'json':
    case 'nothing': {
      const read = readJson(writeJson(value));
      return read.ok ? read.value : undefined;
    }
    default:
      return value;
  }
}

describe('the form for arguments', () => {
  it('field report 27: begins with whom it reaches, what it is about and what it says', () => {
    const schema = {
      properties: { silent: { type: 'boolean' }, body: { type: 'string' }, subject: {}, id: {}, to: {} },
    };
    const order = Object.keys(modelOf(schema, { id: 'x', body: '', to: 'a' }).schema.properties ?? {});
    expect(order).toEqual(['to', 'subject', 'body', 'silent', 'id']);
  });

  it('has a field for every member, of a kind that holds it as it is, whatever the schema wants', () => {
    const schema = {
      properties: {
        text: { type: 'string' },
        wrong: { type: 'number' },
        count: { type: 'integer' },
        flag: { type: 'boolean' },
        mode: { enum: ['a', 'b'] },
        list: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } },
        free: {},
        gone: false,
        ends: { type: 'string' },
        maybe: { type: ['string', 'null'] },
      },
      additionalProperties: false,
    };
    const value = {
      text: 'x',
      wrong: '12',
      count: 1.5,
      flag: true,
      mode: 'c',
      list: [{ n: 1 }, 'no object'],
      free: { a: null },
      gone: 1,
      ends: 'a\r\nb\n',
      maybe: null,
      more: 'unknown',
    };
    expect(kinds(schema, value)).toEqual({
      '': 'group',
      '/text': 'text',
      '/wrong': 'json',
      '/count': 'number',
      '/flag': 'flag',
      '/mode': 'choice',
      '/list': 'list',
      '/list/0': 'group',
      '/list/0/n': 'number',
      '/list/1': 'json',
      '/free': 'group',
      '/free/a': 'json',
      '/gone': 'number',
      '/ends': 'json',
      '/maybe': 'nothing',
      '/more': 'text',
    });
    expect(factsAt(schema, value, '/mode').choices.map((one) => one.value)).toEqual(['a', 'b', 'c']);
    expect(factsAt(schema, value, '/more')).toMatchObject({ known: false, removable: true });
  });

  it('draws what is not there so that the person has to add it, with an empty beginning and no default', () => {
    const schema = {
      required: ['body'],
      properties: {
        body: { type: 'string', default: 'Best regards' },
        count: { type: 'integer', default: 5 },
        flag: { type: 'boolean', default: true },
        list: { type: 'array', minItems: 3, items: { default: 'x' } },
        nested: { type: 'object', required: ['a'], properties: { a: { const: 'fixed' } } },
        never: false,
      },
    };
    expect(kinds(schema, {})).toEqual({
      '': 'group',
      '/body': 'absent',
      '/count': 'number',
      '/flag': 'flag',
      '/list': 'absent',
      '/nested': 'absent',
    });
    expect(factsAt(schema, {}, '/body')).toMatchObject({ initial: '', required: true, removable: false });
    expect(factsAt(schema, {}, '/list')).toMatchObject({ initial: [], required: false, removable: true });
    expect(factsAt(schema, {}, '/nested').initial).toEqual({});
    expect(kinds(schema, { nested: {} })['/nested/a']).toBe('choice');
    expect(JSON.stringify(modelOf(schema, {}).schema)).not.toMatch(/default|const|minItems/);
  });

  it('follows tuples, references, allOf and conditions', () => {
    const schema = {
      $defs: {
        node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, n: { type: 'number' } } },
      },
      properties: {
        pair: { prefixItems: [{ type: 'string' }, { type: 'number' }], items: { type: 'boolean' } },
        old: { items: [{ type: 'string' }], additionalItems: { enum: [1, 2] } },
        tree: { $ref: '#/$defs/node' },
        both: {
          allOf: [{ properties: { x: { type: 'string' } } }, { properties: { y: { type: 'number' } } }],
        },
        loop: { $ref: '#/properties/loop' },
      },
      if: { properties: { pair: { minItems: 1 } }, required: ['pair'] },
      then: { properties: { why: { type: 'string' } } },
    };
    const value = { pair: ['a', 1, true], old: ['a', 2], tree: { next: { n: 1 } }, both: {}, loop: 1 };
    expect(kinds(schema, value)).toMatchObject({
      '/pair/0': 'text',
      '/pair/1': 'number',
      '/pair/2': 'flag',
      '/old/1': 'choice',
      '/tree/next/n': 'number',
      '/tree/next/next': 'absent',
      '/both/x': 'absent',
      '/both/y': 'number',
      '/loop': 'number',
      '/why': 'absent',
    });
    expect(kinds(schema, { old: [] })).not.toHaveProperty('/why');
  });

  it('shows the branch that fits, and another when the person chooses it, without touching the value', () => {
    const schema = {
      properties: {
        at: {
          oneOf: [
            { title: 'Mail', type: 'object', required: ['to'], properties: { to: { type: 'string' } } },
            { type: 'object', required: ['id'], properties: { id: { type: 'number' } } },
            { type: 'string' },
          ],
        },
        nullable: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        one: { anyOf: [{ const: 1, title: 'One' }, { const: 'two' }] },
      },
    };
    const value = { at: { id: 3 }, nullable: 'x', one: 1 };
    expect(factsAt(schema, value, '/at')).toMatchObject({
      chosen: 1,
      variants: ['Mail', '{ id }', 'string'],
    });
    expect(kinds(schema, value)).toMatchObject({ '/at/id': 'number', '/nullable': 'text', '/one': 'choice' });
    expect(factsAt(schema, value, '/nullable').nullable).toBe(true);
    expect(factsAt(schema, value, '/one').choices).toEqual([
      { value: 1, title: 'One' },
      { value: 'two', title: null },
    ]);
    const other = { chosen: new Map([['/at', 0]]) };
    expect(kinds(schema, value, other)).toMatchObject({ '/at/to': 'absent', '/at/id': 'number' });
    expect(kinds(schema, value, { chosen: new Map([['/at', 2]]) })).toMatchObject({ '/at': 'json' });
  });

  it('shows the branch that the value was most likely meant for, where it fits none', () => {
    const schema = {
      properties: {
        at: {
          oneOf: [
            { required: ['date'], properties: { date: { type: 'string' } } },
            { required: ['hour'], properties: { hour: { type: 'integer', maximum: 23 } } },
          ],
        },
        shape: {
          anyOf: [
            { properties: { kind: { const: 'circle' }, size: { type: 'number', maximum: 1 } } },
            { properties: { kind: { const: 'square' }, size: { type: 'number', maximum: 2 } } },
          ],
        },
      },
    };
    const value = { at: { hour: 25 }, shape: { kind: 'square', size: 9 } };
    expect(factsAt(schema, value, '/at').chosen).toBe(1);
    expect(factsAt(schema, value, '/shape').chosen).toBe(1);
  });

  it('suggests the choices of a huge list in a field of text', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `zone-${at}`);
    const schema = { properties: { zone: { enum: many }, code: { enum: many.map((_, at) => at) } } };
    const facts = factsAt(schema, { zone: 'other' }, '/zone');
    expect(facts).toMatchObject({ kind: 'text', choices: [] });
    expect(facts.suggestions).toHaveLength(1_000);
    expect(facts.suggestions[3]).toBe(choiceText('zone-3'));
    expect(kinds(schema, { code: 5 })).toMatchObject({ '/code': 'json', '/zone': 'absent' });
  });

  it('keeps a field for JSON while the person writes in it', () => {
    expect(kinds({}, { a: 1 }, { pinned: '/a' })).toMatchObject({ '/a': 'json' });
    expect(kinds({}, { a: 1 })).toMatchObject({ '/a': 'number' });
  });
});

describe('what the form does to a value', () => {
  it('is nothing: it holds every value as it is, in its order, defaults and constants of the schema left alone', () => {
    let drawn = 0;
    fc.assert(
      fc.property(schemas, objects, (node, value) => {
        const schema = isJsonObject(node) ? node : {};
        const made = plan(schema, value);
        if (!made.ok) return;
        drawn += 1;
        expect(isFaithful(made.model, value, validator)).toBe(true);
        for (const { path, facts } of fieldsOf(made.model)) {
          const there = path.reduce<Json | undefined>(memberOf, value);
          if (there === undefined || path.length === 0) continue;
          const back = throughControl(facts, there);
          expect(back, `${facts.kind} at ${pointerOf(path)}`).toBeDefined();
          expect(sameJson(applyEdit(value, { type: 'set', path, value: back! }), value)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
    expect(drawn).toBeGreaterThan(300);
  });

  it('is nothing even where the form library is given defaults, constants and minimal lists to fill in', () => {
    const schema: RJSFSchema = {
      type: 'object',
      required: ['a', 'list', 'nested', 'fixed'],
      default: { z: 1 },
      properties: {
        a: { type: 'string', default: 'x' },
        fixed: { const: 7 },
        list: { type: 'array', minItems: 2, items: { type: 'string', default: 'y' } },
        nested: { type: 'object', required: ['b'], properties: { b: { type: 'number', default: 1 } } },
      },
    };
    for (const value of [{}, { list: [], nested: {} }, { a: '', other: null }]) {
      const utils = createSchemaUtils(validator as never, schema, nothingFilledIn);
      expect(JSON.stringify(utils.getDefaultFormState(schema, value))).toBe(JSON.stringify(value));
    }
    const filling = createSchemaUtils(validator as never, schema);
    expect(filling.getDefaultFormState(schema, {})).toMatchObject({ a: 'x', list: ['y', 'y'], fixed: 7 });
  });

  it('has a field for each member and item', () => {
    fc.assert(
      fc.property(schemas, objects, (node, value) => {
        const made = plan(isJsonObject(node) ? node : {}, value);
        if (!made.ok) return;
        for (const name of Object.keys(value)) expect(made.model.places.has(pointerOf([name]))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
