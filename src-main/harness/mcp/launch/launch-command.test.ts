import { describe, expect, it } from 'vitest';
import { launchCommand, quoteForBatch, resolveProgram } from './launch-command';

const posix = (program: string, files: string[], env: Record<string, string> = { PATH: '/usr/bin:/opt/x' }) =>
  resolveProgram(program, {
    platform: 'linux',
    env,
    folder: '/etc/ow',
    exists: (file) => files.includes(file),
  });
const windows = (
  program: string,
  files: string[],
  env: Record<string, string> = { Path: 'C:\\Node;"D:\\Pro grams"' },
) =>
  resolveProgram(program, {
    platform: 'win32',
    env,
    folder: 'C:\\ow',
    exists: (file) => files.includes(file),
  });

describe('resolveProgram', () => {
  it.each([
    ['node', ['/opt/x/node'], '/opt/x/node'],
    ['node', ['/opt/x/node', '/usr/bin/node'], '/usr/bin/node'],
    ['./bin/acer', ['/etc/ow/bin/acer'], '/etc/ow/bin/acer'],
    ['bin/acer', ['/etc/ow/bin/acer'], '/etc/ow/bin/acer'],
    ['/a/b', ['/a/b'], '/a/b'],
  ])('POSIX: %s', (program, files, expected) => {
    expect(posix(program, files)).toEqual({ ok: true, value: expected });
  });
  it.each([
    ['npx', ['C:\\Node\\npx', 'C:\\Node\\npx.cmd'], 'C:\\Node\\npx.cmd'],
    ['node', ['D:\\Pro grams\\node.exe'], 'D:\\Pro grams\\node.exe'],
    ['node.exe', ['C:\\Node\\node.exe'], 'C:\\Node\\node.exe'],
    ['.\\bin\\acer', ['C:\\ow\\bin\\acer.exe'], 'C:\\ow\\bin\\acer.exe'],
    ['bin/acer.bat', ['C:\\ow\\bin\\acer.bat'], 'C:\\ow\\bin\\acer.bat'],
    ['C:\\x\\y.EXE', ['C:\\x\\y.EXE'], 'C:\\x\\y.EXE'],
  ])('Windows: %s', (program, files, expected) => {
    expect(windows(program, files)).toEqual({ ok: true, value: expected });
  });
  it('never takes a program from the working directory or a relative PATH entry', () => {
    const files = ['/etc/ow/node', 'node', 'bin/node', 'C:\\ow\\node.exe', 'node.exe'];
    expect(posix('node', files, { PATH: '.:bin:' })).toMatchObject({ ok: false });
    expect(windows('node', files, { PATH: '.;;bin' })).toMatchObject({ ok: false });
  });
  it('says where it looked', () => {
    expect(posix('gone', [])).toMatchObject({ ok: false, error: { code: 'server_unavailable' } });
    const missing = posix('./gone', []);
    expect(!missing.ok && missing.error.message).toContain('/etc/ow/gone');
  });
});

describe('batch files on Windows', () => {
  it('go through cmd.exe with one finished line', () => {
    const result = launchCommand('C:\\Program Files\\npx.cmd', ['-y', 'a b', '50% off', 'x"y'], {
      platform: 'win32',
      env: { SystemRoot: 'C:\\Windows' },
    });
    expect(result).toEqual({
      ok: true,
      value: {
        file: 'C:\\Windows\\System32\\cmd.exe',
        args: [
          '/d',
          '/e:on',
          '/v:off',
          '/s',
          '/c',
          '""C:\\Program Files\\npx.cmd" "-y" "a b" "50%%cd:~,% off" "x""y""',
        ],
        verbatim: true,
      },
    });
  });
  it('an executable or another platform takes the arguments as they are', () => {
    for (const [file, platform] of [
      ['C:\\a.exe', 'win32'],
      ['/a.cmd', 'linux'],
    ] as const) {
      expect(launchCommand(file, ['a b'], { platform, env: {} })).toEqual({
        ok: true,
        value: { file, args: ['a b'], verbatim: false },
      });
    }
  });
  it('a line break is refused', () => {
    expect(launchCommand('C:\\a.cmd', ['a\r\nb'], { platform: 'win32', env: {} })).toMatchObject({
      ok: false,
    });
  });
  it.each([
    ['', '""'],
    ['plain', '"plain"'],
    ['two words', '"two words"'],
    ['say "hi" & del', '"say ""hi"" & del"'],
    ['a&b|c<d>e^f(g)!h', '"a&b|c<d>e^f(g)!h"'],
    ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
    ['C:\\dir\\', '"C:\\dir\\\\"'],
    ['tail\\"quote', '"tail\\\\""quote"'],
    ['größe 日本', '"größe 日本"'],
  ])('quotes %s', (word, expected) => {
    expect(quoteForBatch(word)).toBe(expected);
  });
});
