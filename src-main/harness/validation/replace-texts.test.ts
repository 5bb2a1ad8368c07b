import { expect, it } from 'vitest';
import { createKeySpace, replaceTexts, replaceTextsInJson } from './replace-texts';

const upper = {
  text: (text: string, name: string | null) => (name === 'keep' ? text : text.toUpperCase()),
  key: (key: string) => key.replace(/[0-9]+$/, ''),
};

it('keeps replaced keys of one object apart, in their order, and says the same in a value and in its text', () => {
  const value = { b2: 'x', keep: 'y', b1: ['z', { b2: 1, b3: null }], b: { b: 'w' } };
  const replaced = replaceTexts(value, upper);
  expect(JSON.stringify(replaced)).toBe(
    '{"b":"X","keep":"y","b (2)":["Z",{"b":1,"b (2)":null}],"b (3)":{"b":"W"}}',
  );
  expect(replaceTextsInJson(JSON.stringify(value), upper)).toBe(JSON.stringify(replaced));
});

it('leaves what did not change as it is: layout, escapes, and a key that comes twice', () => {
  const text = '{ "a": "\\u0041", "a" : {"x{y": "Q}"}, "n": 1.50 }';
  expect(replaceTextsInJson(text, upper)).toBe(text);
});

it('replaces numbers where it is told to, and lets JSON stay JSON', () => {
  const replacement = { ...upper, number: (value: number) => (value === 4711 ? '[n]' : value) };
  expect(replaceTextsInJson('{"a": [4711, -4711, 47110, 4711.0, "4711"]}', replacement)).toBe(
    '{"a": ["[n]", -4711, 47110, "[n]", "4711"]}',
  );
  expect(replaceTexts({ a: [4711, 47] }, replacement)).toEqual({ a: ['[n]', 47] });
  expect(replaceTextsInJson('4711', replacement)).toBe('"[n]"');
});

it('finds free places for any number of keys that become one', () => {
  const place = createKeySpace();
  const began = performance.now();
  const placed = new Set(Array.from({ length: 50_000 }, (_, n) => place(`a${n}`, 'a')));
  expect(placed.size).toBe(50_000);
  expect(place('a7', 'a7')).toBe('a7');
  expect(performance.now() - began).toBeLessThan(1_000);
});
