import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { launchCommand, resolveProgram, type LaunchCommand } from './launch-command';

/** Arguments that reach a server as they are written, on every system (field reports 43 and 44). */
const words: readonly (readonly [string, string])[] = [
  ['nothing special', 'plain'],
  ['empty', ''],
  ['a space', 'two words'],
  ['only spaces', '   '],
  ['a tab', 'a\tb'],
  ['double quotes', 'say "hi" to'],
  ['one double quote', '"'],
  ['double quotes side by side', 'a""b'],
  ['single quotes', "it's 'so'"],
  ['percent signs', '50% of %PATH% and 100%'],
  ['two percent signs', '%%PATH%%'],
  ['percent and quote', '%"PATH"%'],
  ['an ampersand', 'a&b & calc.exe'],
  ['ampersand between quotes', '" & calc.exe & "'],
  ['pipes and arrows', 'a|b<c>d'],
  ['a caret', 'a^b ^& ^'],
  ['an exclamation mark', 'wow! !PATH!'],
  ['brackets', '(a) [b] {c}'],
  ['a backslash at the end', 'C:\\Program Files\\'],
  ['backslashes at the end', 'x\\\\\\'],
  ['backslash and quote', 'a\\"b\\\\"c'],
  ['backslash and quote at the end', 'tail\\"'],
  ['a UNC path', '\\\\server\\share\\'],
  ['non-ASCII', 'größe 日本 🙂'],
  ['JSON', '{"a":[1,"x y"],"p":"C:\\\\dir\\\\"}'],
  ['options of a shell', '; $(id) `id` $HOME * ~'],
  ['a dash', '--flag=a b'],
];
const long = 'long word, '.repeat(600);
const env = { SystemRoot: 'C:\\Windows', PATH: 'C:\\Windows;secret' };

function command(file: string, args: readonly string[], platform: NodeJS.Platform): LaunchCommand {
  const result = launchCommand(file, args, { platform, env });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** How Node writes the command line of a program on Windows, where the arguments are no finished line. */
function nodeLine({ file, args }: LaunchCommand): string {
  const quote = (word: string) => {
    if (word === '') return '""';
    if (!/[ \t"]/.test(word)) return word;
    return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
  };
  return [file, ...args].map(quote).join(' ');
}

/**
 * The words of a command line as a Windows program reads them. The first is taken up to the next quote or space. Two
 * quotes inside quotes are one quote; whether the quotes then go on (the C runtime, so node.exe and python.exe) or end
 * (CommandLineToArgvW) is where the readers differ.
 */
function readWords(line: string, reader: 'runtime' | 'CommandLineToArgvW'): string[] {
  const first = /^(?:"([^"]*)"|([^ \t]*))/.exec(line) ?? ['', '', ''];
  const result = [first[1] ?? first[2] ?? ''];
  let at = first[0].length;
  while (at < line.length) {
    while (line[at] === ' ' || line[at] === '\t') at += 1;
    if (at >= line.length) break;
    let word = '';
    let quoted = false;
    for (; at < line.length && (quoted || !/[ \t]/.test(line[at] ?? ''));) {
      const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
      at += slashes;
      if (line[at] !== '"') {
        word += '\\'.repeat(slashes);
        if (slashes === 0) word += line[at++];
        continue;
      }
      word += '\\'.repeat(Math.floor(slashes / 2));
      if (slashes % 2 === 1) word += '"';
      else if (quoted && line[at + 1] === '"') {
        word += '"';
        at += 1;
        if (reader === 'CommandLineToArgvW') quoted = false;
      } else quoted = !quoted;
      at += 1;
    }
    result.push(word);
  }
  return result;
}

/** `%NAME%` and `%NAME:~,%` as a line typed into cmd.exe has them replaced; a percent sign that begins no name stays. */
function expandLine(line: string): string {
  const variables: Record<string, string> = { PATH: 'C:\\Windows;secret', CD: 'C:\\anywhere' };
  let result = '';
  for (let at = 0; at < line.length;) {
    const end = line[at] === '%' ? line.indexOf('%', at + 1) : -1;
    const [name = '', ...rest] = line.slice(at + 1, end).split(':');
    const value = variables[name.toUpperCase()];
    if (end === -1 || value === undefined) {
      result += line[at];
      at += 1;
      continue;
    }
    result += rest.join(':') === '~,' ? '' : value;
    at = end + 1;
  }
  return result;
}

/** Fails where cmd.exe would see an operator: outside quotes, which every quote turns on or off. */
function expectNoOperators(line: string): void {
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && '&|<>^()'.includes(character))
      throw new Error(`cmd.exe sees ${character} in ${line}`);
  }
}

/** What a program sees that a batch file such as npx.cmd starts with `node script.js %*`. */
function throughBatchFile({ args }: LaunchCommand): string[] {
  const [line = ''] = args.slice(-1);
  // First reading: /s takes the outermost quotes off, then variables are replaced, then operators count.
  const typed = expandLine(line.slice(1, -1));
  expectNoOperators(typed);
  const file = /^"[^"]*" ?/.exec(typed)?.[0] ?? '';
  // Second reading: %* is what followed the file's name, and is not looked at for variables again.
  const inner = `node script.js ${typed.slice(file.length)}`;
  expectNoOperators(inner);
  return readWords(inner, 'runtime').slice(2);
}

describe.runIf(process.platform !== 'win32')('field report 44: a real process gets, on POSIX,', () => {
  const print = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
  it.each([...words, ['very long', long.repeat(15)] as const])('%s', (_, word) => {
    const { file, args } = command(process.execPath, ['-e', print, '--', word, 'last'], process.platform);
    const { stdout } = spawnSync(file, [...args], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual([word, 'last']);
  });
  it('a line break', () => {
    const { file, args } = command(process.execPath, ['-e', print, '--', 'a\r\nb\n'], process.platform);
    expect(JSON.parse(spawnSync(file, [...args], { encoding: 'utf8' }).stdout)).toEqual(['a\r\nb\n']);
  });
});

describe('field report 44: a program on Windows gets', () => {
  it.each([...words, ['very long', long.repeat(4)] as const])('%s', (_, word) => {
    const given = command('C:\\Program Files\\nodejs\\node.exe', ['x y.js', word, 'last'], 'win32');
    expect(given.verbatim).toBe(false);
    for (const reader of ['runtime', 'CommandLineToArgvW'] as const) {
      expect(readWords(nodeLine(given), reader)).toEqual([given.file, 'x y.js', word, 'last']);
    }
  });
});

describe('field report 43: a batch file on Windows passes on', () => {
  it.each([...words, ['long', long] as const])('%s', (_, word) => {
    const given = command('C:\\Program Files\\nodejs\\npx.cmd', ['-y', word, 'last'], 'win32');
    expect(given).toMatchObject({ file: 'C:\\Windows\\System32\\cmd.exe', verbatim: true });
    expect(given.args.slice(0, 5)).toEqual(['/d', '/e:on', '/v:off', '/s', '/c']);
    expect(throughBatchFile(given)).toEqual(['-y', word, 'last']);
  });
  it('all of them at once, from a folder with special characters', () => {
    const all = words.map(([, word]) => word);
    const given = command('C:\\R&D (100%) größe\\tool.bat', all, 'win32');
    expect(throughBatchFile(given)).toEqual(all);
    const typed = expandLine((given.args.at(-1) ?? '').slice(1, -1));
    expect(readWords(typed, 'runtime')[0]).toBe('C:\\R&D (100%) größe\\tool.bat');
  });
  it('the simulation itself finds what naive quoting would do', () => {
    const naive = (word: string): LaunchCommand => ({
      file: 'cmd.exe',
      args: ['/c', `""C:\\a.cmd" "${word.replaceAll('"', '\\"')}""`],
      verbatim: true,
    });
    expect(() => throughBatchFile(naive('" & calc.exe & "'))).toThrow('cmd.exe sees &');
    expect(throughBatchFile(naive('%PATH%'))).toEqual(['C:\\Windows;secret']);
    expect(throughBatchFile(naive('C:\\dir\\'))).not.toEqual(['C:\\dir\\']);
  });
});

describe('what no system can hand over is refused before the start', () => {
  it.each([
    ['a batch file', 'C:\\npx.cmd', 'win32', 'x'.repeat(8_200), 'longer than'],
    ['a batch file, by its percent signs', 'C:\\npx.cmd', 'win32', '%'.repeat(1_100), 'longer than'],
    ['a program on Windows', 'C:\\node.exe', 'win32', 'x'.repeat(33_000), 'longer than'],
    ['a program on Linux', '/usr/bin/node', 'linux', 'ö'.repeat(70_000), 'longer than'],
    ['NUL, on Windows', 'C:\\node.exe', 'win32', 'a\0b', 'NUL'],
    ['NUL, for a batch file', 'C:\\npx.cmd', 'win32', 'a\0b', 'NUL'],
    ['NUL, on macOS', '/usr/bin/node', 'darwin', 'a\0b', 'NUL'],
    ['a line break for a batch file', 'C:\\npx.cmd', 'win32', 'a\nb', 'line break'],
  ] as const)('%s', (_, file, platform, word, said) => {
    const result = launchCommand(file, [word], { platform, env });
    expect(!result.ok && [result.error.code, result.error.message]).toEqual([
      'server_unavailable',
      expect.stringContaining(said),
    ]);
  });
  it('Windows ignores dots and spaces at the end of a name, so they make no other kind of file', () => {
    expect(command('C:\\a.bat. .', ['x'], 'win32').verbatim).toBe(true);
    expect(command('C:\\a.CMD ', ['x'], 'win32').verbatim).toBe(true);
  });
});

describe('field report 42: PATHEXT', () => {
  const find = (program: string, files: readonly string[], pathext: string | undefined, key = 'PATHEXT') =>
    resolveProgram(program, {
      platform: 'win32',
      env: { Path: 'C:\\a;C:\\b', ...(pathext === undefined ? {} : { [key]: pathext }) },
      folder: 'C:\\ow',
      // As Windows compares names.
      exists: (file) => files.some((other) => other.toLowerCase() === file.toLowerCase()),
    });
  const usual = '.COM;.EXE;.BAT;.CMD;.VBS;.VBE;.JS;.JSE;.WSF;.WSH;.MSC';
  it.each([
    ['npx', ['C:\\a\\npx', 'C:\\a\\npx.ps1', 'C:\\a\\npx.cmd'], usual, 'C:\\a\\npx.cmd'],
    ['uvx', ['C:\\b\\uvx.exe', 'C:\\b\\uvx.cmd'], usual, 'C:\\b\\uvx.exe'],
    ['uvx', ['C:\\b\\uvx.exe', 'C:\\a\\uvx.cmd'], usual, 'C:\\a\\uvx.cmd'],
    ['x', ['C:\\a\\x.exe', 'C:\\a\\x.cmd'], '.CMD;.EXE', 'C:\\a\\x.cmd'],
    ['npx.cmd', ['C:\\a\\npx.cmd'], '.EXE', 'C:\\a\\npx.cmd'],
    ['NPX', ['C:\\a\\npx.CMD'], '.exe;.cmd', 'C:\\a\\NPX.cmd'],
    ['tool.v2', ['C:\\a\\tool.v2.exe'], usual, 'C:\\a\\tool.v2.exe'],
    ['tool', ['C:\\a\\tool.js', 'C:\\b\\tool.cmd'], usual, 'C:\\b\\tool.cmd'],
    ['npx', ['C:\\a\\npx.cmd'], undefined, 'C:\\a\\npx.cmd'],
    ['npx', ['C:\\a\\npx.cmd'], '', 'C:\\a\\npx.cmd'],
    ['npx', ['C:\\a\\npx.cmd'], '.JS; ;', 'C:\\a\\npx.cmd'],
    ['npx', ['C:\\a\\npx.cmd'], ' .exe ; .cmd ', 'C:\\a\\npx.cmd'],
  ] as const)('%s among %j with "%s"', (program, files, pathext, expected) => {
    expect(find(program, files, pathext)).toEqual({ ok: true, value: expected });
    expect(find(program, files, pathext, 'PathExt')).toEqual({ ok: true, value: expected });
  });
  it('takes no script that only a shell would open, and no file without an extension', () => {
    expect(find('server', ['C:\\a\\server', 'C:\\a\\server.js', 'C:\\a\\server.ps1'], usual).ok).toBe(false);
    expect(find('.\\server.js', ['C:\\ow\\server.js'], usual).ok).toBe(false);
  });
});
