import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkProtected, findProtectedName, protectedNames } from './protected-names';

describe('findProtectedName (hazard 60)', () => {
  it.each([
    '.git/config',
    '.GIT/config',
    'sub/.Git/hooks/pre-commit',
    '.Mcp.JSON',
    '.VSCODE/settings.json',
    '.vſcode/tasks.json',
    '.g\u200cit/config',
    '.ｇｉｔ/config',
    'agents.MD',
    '.github/workflows/x.yml',
    '.git./config',
    '.git /config',
  ])('finds %j on every system', (text) => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      expect(findProtectedName(text.split('/'), platform)).not.toBeNull();
    }
  });

  it('finds short names on Windows only', () => {
    expect(findProtectedName(['GIT~1', 'config'], 'win32')).not.toBeNull();
    expect(findProtectedName(['GIT~1', 'config'], 'linux')).toBeNull();
    expect(findProtectedName(['REPORT~1.TXT'], 'win32')).toBeNull();
  });

  it.each(['git/config', '.gitignore', 'mcp.json', 'my.git', 'AGENTS.txt', '.gitx/a'])(
    'leaves %j alone',
    (text) => {
      expect(findProtectedName(text.split('/'), 'linux')).toBeNull();
    },
  );

  it('finds every name of the list in any letter case', () => {
    fc.assert(
      fc.property(fc.constantFrom(...protectedNames), fc.array(fc.boolean()), (name, flips) => {
        const mixed = [...name]
          .map((char, at) => (flips[at] ? char.toUpperCase() : char.toLowerCase()))
          .join('');
        expect(findProtectedName(['a', mixed, 'b'], 'linux')).toBe(name);
      }),
    );
  });

  it('refuses with the path, the name and a remedy', () => {
    expect(checkProtected('.GIT/config', ['.GIT', 'config'], 'linux')).toMatchObject({
      code: 'path_refused',
      message: expect.stringMatching(/"\.GIT\/config".*"\.git".*Ask the person/) as unknown,
    });
  });
});
