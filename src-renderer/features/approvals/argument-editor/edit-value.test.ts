import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src-preload/contract';
import { applyEdit, memberOf, pointerOf, sameJson, stepsOf, type Path } from './edit-value';

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const objects = fc.dictionary(fc.string(), json) as fc.Arbitrary<JsonObject>;

function placesOf(value: Json, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...steps.flatMap((step) => placesOf(memberOf(value, step) ?? null, [...path, step]))];
}

describe('an edit', () => {
  it('changes one member and nothing else, not even the order', () => {
    const value = { b: 1, a: { c: [1, 2], d: null }, z: 'x' };
    const next = applyEdit(value, { type: 'set', path: ['a', 'c', 1], value: 'new' });
    expect(JSON.stringify(next)).toBe('{"b":1,"a":{"c":[1,"new"],"d":null},"z":"x"}');
    expect(JSON.stringify(value)).toBe('{"b":1,"a":{"c":[1,2],"d":null},"z":"x"}');
  });

  it('leaves out, inserts and moves', () => {
    const value = { list: ['a', 'b', 'c'], other: 1 };
    expect(applyEdit(value, { type: 'leave_out', path: ['list', 0] })).toEqual({
      list: ['b', 'c'],
      other: 1,
    });
    expect(applyEdit(value, { type: 'leave_out', path: ['other'] })).toEqual({ list: ['a', 'b', 'c'] });
    expect(applyEdit(value, { type: 'insert', path: ['list', 1], value: 'x' })).toMatchObject({
      list: ['a', 'x', 'b', 'c'],
    });
    expect(applyEdit(value, { type: 'move', path: ['list', 2], to: 0 })).toMatchObject({
      list: ['c', 'a', 'b'],
    });
    expect(applyEdit(value, { type: 'set', path: ['new'], value: true })).toEqual({ ...value, new: true });
  });

  it('of a place that is not there changes nothing', () => {
    const value = { a: 1 };
    expect(applyEdit(value, { type: 'set', path: ['b', 'c'], value: 1 })).toEqual(value);
    expect(applyEdit(value, { type: 'set', path: ['a', 'c'], value: 1 })).toEqual(value);
    expect(applyEdit(value, { type: 'move', path: ['b', 7], to: 0 })).toEqual(value);
  });

  it('that sets what already stands there keeps every value as it is, whatever its names', () => {
    fc.assert(
      fc.property(objects, fc.nat(), (value, pick) => {
        const places = placesOf(value).filter((path) => path.length > 0);
        if (places.length === 0) return true;
        const path = places[pick % places.length]!;
        const there = path.reduce<Json | undefined>(memberOf, value);
        return sameJson(applyEdit(value, { type: 'set', path, value: there! }), value);
      }),
    );
  });

  it('keeps a member named __proto__', () => {
    const value = JSON.parse('{"__proto__":{"a":1},"b":2}') as JsonObject;
    const next = applyEdit(value, { type: 'set', path: ['b'], value: 3 });
    expect(JSON.stringify(next)).toBe('{"__proto__":{"a":1},"b":3}');
  });
});

describe('a pointer', () => {
  it('names any path and is read again', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (path) => {
        expect(stepsOf(pointerOf(path))).toEqual(path);
      }),
    );
    expect(stepsOf('a')).toBeNull();
  });
});
