import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRelativePath, segmentsInside, showPath } from './path-rules';

function refusalOf(text: string, platform: NodeJS.Platform): string {
  const parsed = parseRelativePath(text, platform);
  expect(parsed.ok, `${JSON.stringify(text)} on ${platform}`).toBe(false);
  if (parsed.ok) return '';
  expect(parsed.error.code).toBe('path_refused');
  return parsed.error.message;
}

describe('parseRelativePath (S1-38)', () => {
  it.each([
    ['a/../../b', '".."'],
    ['..', '".."'],
    ['a/..', '".."'],
    ['/etc/passwd', 'absolute'],
    ['//server/share', 'network'],
    ['C:\\Users\\x', 'absolute'],
    ['c:/Users/x', 'absolute'],
    ['\\\\server\\share', 'network or device'],
    ['\\\\?\\C:\\x', 'network or device'],
    ['a\0b', 'NUL'],
    ['', 'empty'],
    ['a\ud800b', 'Unicode'],
  ])('refuses %j on every system, with path and remedy', (text, reason) => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const message = refusalOf(text, platform);
      expect(message).toContain(reason);
      expect(message).toMatch(/(Give|Remove|Leave)/);
    }
  });

  it.each([
    ['..\\x', '".."'],
    ['a\\..\\b', '".."'],
    ['\\x', 'absolute'],
    ['C:x', 'absolute'],
    ['a:stream', 'absolute'],
    ['ab:stream', '":"'],
    ['a.txt:Zone.Identifier', '":"'],
    ['CON', 'device'],
    ['docs/nul.txt', 'device'],
    ['com1', 'device'],
    ['LPT9.log', 'device'],
    ['com¹', 'device'],
    ['CONOUT$', 'device'],
    ['a.', 'dot or a space'],
    ['a /b', 'dot or a space'],
    ['a?b', 'character'],
    ['a\nb', 'character'],
  ])('refuses %j on Windows', (text, reason) => {
    expect(refusalOf(text, 'win32')).toContain(reason);
  });

  it('splits at both slashes on Windows and keeps the backslash as a character elsewhere', () => {
    expect(parseRelativePath('a\\b/c', 'win32')).toEqual({ ok: true, value: ['a', 'b', 'c'] });
    expect(parseRelativePath('a\\b/c', 'linux')).toEqual({ ok: true, value: ['a\\b', 'c'] });
  });

  it.each(['~', '%2e%2e', '-rf', 'a\nb', 'CON', 'a:b', 'a.', '...', 'é', 'e\u0301'])(
    'takes %j exactly as it is on Linux (hazard 54)',
    (name) => {
      expect(parseRelativePath(`${name}/b`, 'linux')).toEqual({ ok: true, value: [name, 'b'] });
    },
  );

  it('refuses paths that are too long or too deep', () => {
    expect(refusalOf('x/'.repeat(129) + 'x', 'linux')).toContain('folders');
    expect(refusalOf('x'.repeat(5000), 'linux')).toContain('characters');
    expect(parseRelativePath('x'.repeat(255), 'linux').ok).toBe(true);
  });

  it('takes "." and doubled slashes as nothing', () => {
    expect(parseRelativePath('.', 'linux')).toEqual({ ok: true, value: [] });
    expect(parseRelativePath('./a//b/', 'linux')).toEqual({ ok: true, value: ['a', 'b'] });
  });

  it('never lets accepted text leave the root, on either kind of system', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '', 'a', 'C:', '\\', '..\\', '/', '~', '%2e%2e', 'app-evil', '\\\\?\\'),
      fc.string({ unit: 'binary', maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('/', '\\', ''), (parts, separator) => {
        const text = parts.join(separator);
        for (const [platform, rules, root] of [
          ['linux', path.posix, '/w/app'],
          ['win32', path.win32, 'C:\\w\\app'],
        ] as const) {
          const parsed = parseRelativePath(text, platform);
          if (!parsed.ok) continue;
          const full = rules.resolve(root, ...parsed.value);
          expect(full === root || full.startsWith(root + rules.sep)).toBe(true);
          expect(segmentsInside(root, full, platform)).toEqual(parsed.value);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('segmentsInside', () => {
  it('does not take a prefix twin for the root (hazard 51)', () => {
    expect(segmentsInside('/w/app', '/w/app-evil/x', 'linux')).toBeNull();
    expect(segmentsInside('/w/app', '/w', 'linux')).toBeNull();
    expect(segmentsInside('/w/app', '/w/app', 'linux')).toEqual([]);
    expect(segmentsInside('/w/app', '/w/app/..x/y', 'linux')).toEqual(['..x', 'y']);
    expect(segmentsInside('C:\\w\\app', 'C:\\w\\app-evil', 'win32')).toBeNull();
    expect(segmentsInside('C:\\w\\app', 'D:\\w\\app\\x', 'win32')).toBeNull();
    expect(segmentsInside('C:\\w\\app', 'c:\\W\\App\\x', 'win32')).toEqual(['x']);
  });
});

describe('showPath', () => {
  it('spells out what a reader cannot see and cuts long names', () => {
    expect(showPath('a\n\u202eb')).toBe('a\\u{a}\\u{202e}b');
    expect(showPath('x'.repeat(500)).length).toBeLessThan(210);
  });
});
