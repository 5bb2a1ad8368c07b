import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArgumentCondition, ArgumentPattern, Json, JsonObject } from '../protocol';
import { coversArguments, hostOf, valueAt } from './argument-pattern';

function covers(
  condition: ArgumentCondition,
  args: JsonObject,
  links: { readonly [path: string]: string } = {},
): boolean {
  const realPath = (path: string): string | null => {
    const link = Object.keys(links).find((from) => path === from || path.startsWith(`${from}/`));
    return link === undefined ? path : `${links[link] ?? ''}${path.slice(link.length)}`;
  };
  return coversArguments([condition], {
    arguments: args,
    workspace: '/home/p/work',
    realPath,
    command: null,
  });
}

describe('a pattern of arguments', () => {
  it.each<[string, Json, boolean]>([
    ['in the folder', 'notes/a.txt', true],
    ['the folder itself', 'notes', true],
    ['deep below', './notes/x/../y/a.txt', true],
    ['absolute', '/home/p/work/notes/a.txt', true],
    ['beside it', 'other/a.txt', false],
    ['a name that only begins alike', 'notes2/a.txt', false],
    ['out of it by dots', 'notes/../a.txt', false],
    ['out of the workspace', '../../etc/passwd', false],
    ['through a link that leads out', 'notes/link/a.txt', false],
    ['a list of paths inside', ['notes/a', 'notes/b'], true],
    ['a list with one outside', ['notes/a', 'b'], false],
    ['an empty list', [], false],
    ['no text', 5, false],
    ['nothing', null, false],
    ['an empty path', '', false],
    ['a path with a NUL', 'notes/a\0', false],
  ])('a path under a folder: %s', (_what, path, expected) => {
    const links = { '/home/p/work/notes/link': '/etc' };
    expect(covers({ type: 'folder', at: '/path', folder: 'notes' }, { path }, links)).toBe(expected);
  });

  it('a folder that is a link counts as what it leads to', () => {
    const links = { '/home/p/work/notes': '/data/notes' };
    expect(covers({ type: 'folder', at: '/path', folder: 'notes' }, { path: '/data/notes/a' }, links)).toBe(
      true,
    );
  });

  it('a relative path means nothing without a workspace', () => {
    const subject = { arguments: { path: 'a' }, workspace: null, realPath: (p: string) => p, command: null };
    expect(coversArguments([{ type: 'folder', at: '/path', folder: '/' }], subject)).toBe(false);
  });

  it.each<[string, boolean]>([
    ['https://example.org/a', true],
    ['HTTPS://EXAMPLE.org/b?c', true],
    ['https://example.org:443/', true],
    ['https://example.org:8443/', false],
    ['https://example.org.evil.net/', false],
    ['https://example.org@evil.net/', false],
    ['https://evil.net/https://example.org', false],
    ['https://user:pw@example.org/', false],
    ['ftp://example.org/', false],
    ['javascript:alert(1)//example.org', false],
    ['example.org', false],
    ['https://ex\u0430mple.org/', false],
  ])('an address of a host: %s', (url, expected) => {
    expect(covers({ type: 'host', at: '/url', host: 'example.org' }, { url })).toBe(expected);
  });

  it('an exact value is compared as JSON, whatever the order of its members', () => {
    const exact = { type: 'exact', at: '/to', value: { b: 1, a: [1, null] } } as const;
    expect(covers(exact, { to: { a: [1, null], b: 1 } })).toBe(true);
    expect(covers(exact, { to: { a: [null, 1], b: 1 } })).toBe(false);
    expect(covers(exact, { other: 1 })).toBe(false);
    expect(covers({ type: 'exact', at: '', value: { a: 1 } }, { a: 1 })).toBe(true);
    expect(covers({ type: 'exact', at: '', value: { a: 1 } }, { a: 1, b: 2 })).toBe(false);
  });

  it('all conditions have to hold', () => {
    const subject = { arguments: { a: 1, b: 2 }, workspace: null, realPath: () => null, command: null };
    const one: ArgumentCondition = { type: 'exact', at: '/a', value: 1 };
    expect(coversArguments([one, { type: 'exact', at: '/b', value: 2 }], subject)).toBe(true);
    expect(coversArguments([one, { type: 'exact', at: '/b', value: 3 }], subject)).toBe(false);
    expect(coversArguments([], subject)).toBe(true);
  });

  it('hazard 11: a command that nobody can read is covered by nothing, not even by a grant for any arguments', () => {
    const command = { at: 'command', inspectable: false, covers: () => true };
    const subject = { arguments: {}, workspace: null, realPath: () => null, command };
    expect(coversArguments([], subject)).toBe(false);
    expect(coversArguments([{ type: 'command', words: ['ls'] }], subject)).toBe(false);
    expect(
      coversArguments([{ type: 'command', words: ['ls'] }], {
        ...subject,
        command: { ...command, inspectable: true },
      }),
    ).toBe(true);
  });

  it('never throws, whatever pointer and arguments come', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (at, args) => {
        const given = args as JsonObject;
        expect([true, false]).toContain(covers({ type: 'folder', at, folder: 'x' }, given));
        expect([true, false]).toContain(covers({ type: 'host', at, host: 'x' }, given));
        expect(valueAt(given, at) === undefined || at === '' || at.startsWith('/')).toBe(true);
      }),
    );
    expect(valueAt({ 'a/b': { '~': [7] } }, '/a~1b/~0/0')).toBe(7);
    expect(valueAt({ a: [1] }, '/a/00')).toBeUndefined();
    expect(valueAt({}, '/constructor')).toBeUndefined();
    expect(hostOf('https://[::1]:80/')).toBe('[::1]:80');
  });

  it.each<[string, ArgumentPattern, boolean]>([
    ['speaks of the command alone', [], false],
    ['speaks of the folder', [{ type: 'folder', at: '/cwd', folder: '.' }], true],
    ['names the folder', [{ type: 'exact', at: '/cwd', value: 'docs' }], true],
    ['names another folder', [{ type: 'exact', at: '/cwd', value: 'other' }], false],
    ['speaks of a part of it', [{ type: 'exact', at: '/cwd/x', value: 1 }], false],
    ['speaks of an argument that is not there', [{ type: 'exact', at: '/env', value: {} }], false],
  ])('a command in a folder of its own is covered where the pattern %s: %s', (_, others, covered) => {
    const subject = {
      arguments: { command: 'npm test', cwd: 'docs' },
      workspace: '/w',
      realPath: (path: string) => path,
      command: { at: 'command', inspectable: true, covers: () => true },
    };
    expect(coversArguments([{ type: 'command', words: ['npm', 'test'] }, ...others], subject)).toBe(covered);
    const evil = { ...subject, arguments: { command: 'npm test', cwd: '/tmp/evil' } };
    expect(coversArguments([{ type: 'command', words: ['npm', 'test'] }, ...others], evil)).toBe(false);
    const bare = { ...subject, arguments: { command: 'npm test' } };
    expect(coversArguments([{ type: 'command', words: ['npm', 'test'] }], bare)).toBe(true);
  });
});
