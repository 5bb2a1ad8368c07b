import { expect, it } from 'vitest';
import { structuredOf, tableOf, textSaysMore } from './result-shape';

it('prefers structured content and else reads JSON text', () => {
  expect(structuredOf({ text: '{"a":1}', structured: { b: 2 } })).toEqual({ b: 2 });
  expect(structuredOf({ text: ' [1] ' })).toEqual([1]);
  expect(structuredOf({ text: '{broken' })).toBeNull();
  expect(structuredOf({ text: 'plain' })).toBeNull();
  expect(structuredOf({ text: '12' })).toBeNull();
});

it('leaves a huge text unparsed', () => {
  expect(structuredOf({ text: `[${'1,'.repeat(300_000)}1]` })).toBeNull();
});

it('sees a table in a list of flat objects, also as the only list of an object', () => {
  const rows = [{ a: 1 }, { a: 2, b: null }];
  expect(tableOf(rows)).toEqual({ columns: ['a', 'b'], rows });
  expect(tableOf({ total: 2, rows })?.columns).toEqual(['a', 'b']);
});

it('sees none where something is nested, empty or ambiguous', () => {
  expect(tableOf([])).toBeNull();
  expect(tableOf([{ a: { b: 1 } }])).toBeNull();
  expect(tableOf([1, 2])).toBeNull();
  expect(tableOf({ x: [{ a: 1 }], y: [{ a: 1 }] })).toBeNull();
  expect(tableOf(null)).toBeNull();
});

it('shows the text first where it says more than the facts beside it', () => {
  expect(
    textSaysMore({ text: 'the content of a file, line after line, and more of it' }, { path: 'a' }),
  ).toBe(true);
  expect(textSaysMore({ text: 'plain' }, null)).toBe(true);
  expect(textSaysMore({ text: '{"path":"a","more":"of the same facts"}' }, { path: 'a' })).toBe(false);
  expect(textSaysMore({ text: 'Moved.' }, { moved: { from: 'a.txt', to: 'b.txt' } })).toBe(false);
  expect(textSaysMore({ text: '' }, { a: 1 })).toBe(false);
});
