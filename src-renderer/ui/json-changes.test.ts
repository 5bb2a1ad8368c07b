import { expect, it } from 'vitest';
import { jsonChanges } from './json-changes';

it('names each field that differs, and nothing else', () => {
  const before = { same: 1, gone: 'x', text: 'a', deep: { list: [1, 2], 'a/b~c': true, kept: null } };
  const after = { same: 1, text: 'b', deep: { list: [1, 3], 'a/b~c': false, kept: null }, fresh: {} };
  expect(jsonChanges(before, after)).toEqual([
    { path: '/gone', before: 'x' },
    { path: '/text', before: 'a', after: 'b' },
    { path: '/deep/list', before: [1, 2], after: [1, 3] },
    { path: '/deep/a~1b~0c', before: true, after: false },
    { path: '/fresh', after: {} },
  ]);
  expect(jsonChanges(before, before)).toEqual([]);
});
