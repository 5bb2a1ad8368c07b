import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processRuns } from '../../testing/mcp-test-server';
import { withPath } from './child-environment';
import type { FolderDisk } from './known-folders';
import { createLoginPath, readLoginPath, type ShellRun } from './login-path';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'login-path-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const disk = (...folders: string[]): FolderDisk => ({
  isFolder: (folder) => Promise.resolve(folders.includes(folder)),
  readText: () => Promise.resolve(null),
  list: () => Promise.resolve([]),
});

/** A shell of our own making: it gets `-ilc COMMAND` and does what the body says; `run "$2"` reads the command. */
function shell(name: string, body: string): string {
  const file = join(home, name);
  writeFileSync(file, `#!/bin/sh\nrun() { /bin/sh -c "$1"; }\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

const read = (SHELL: string, more: Partial<Parameters<typeof readLoginPath>[0]> = {}) =>
  readLoginPath({
    platform: process.platform,
    env: { HOME: home, PATH: '/usr/bin:/bin', SHELL },
    home,
    disk: disk(),
    timeoutMs: 10_000,
    ...more,
  });

describe.runIf(process.platform !== 'win32')('with real shells', () => {
  it.runIf(existsSync('/bin/bash'))('field report 40: bash, with noise in its files', async () => {
    const noise = 'echo Welcome back; printf "\\033]0;title\\007"; echo trouble >&2; read -r answer;';
    writeFileSync(join(home, '.bash_profile'), `${noise} . ~/.bashrc\necho done`);
    writeFileSync(
      join(home, '.bashrc'),
      `export PATH="/opt/own tools:$HOME/bin:$PATH:relative::/bin"\nset -x`,
    );
    const { path, problem } = await read('/bin/bash');
    expect(problem).toBeNull();
    // What stands between is for the system's own files to say.
    const folders = path.split(':');
    expect(folders.slice(0, 2)).toEqual(['/opt/own tools', `${home}/bin`]);
    expect(folders).toEqual(expect.arrayContaining(['/usr/bin', '/bin']));
    expect(folders).not.toContain('relative');
    expect(new Set(folders).size).toBe(folders.length);
  });

  it.runIf(existsSync('/bin/zsh'))(
    'field report 40: zsh, with noise and a hook that prints commands',
    async () => {
      writeFileSync(join(home, '.zprofile'), 'export PATH=/opt/zprofile:$PATH');
      writeFileSync(
        join(home, '.zshrc'),
        'echo hello\npreexec() { print "$1" }\npath=("/opt/own tools" $path)',
      );
      const folders = (await read('/bin/zsh')).path.split(':');
      expect(folders.slice(0, 2)).toEqual(['/opt/own tools', '/opt/zprofile']);
    },
  );

  const fish = ['/usr/bin/fish', '/opt/homebrew/bin/fish', '/usr/local/bin/fish'].find((file) =>
    existsSync(file),
  );
  it.runIf(fish !== undefined)('field report 40: fish, whose PATH is a list', async () => {
    mkdirSync(join(home, '.config/fish'), { recursive: true });
    writeFileSync(
      join(home, '.config/fish/config.fish'),
      'echo hello\nset -gx PATH "/opt/own tools" /opt/b $PATH',
    );
    const folders = (await read(fish ?? '')).path.split(':');
    expect(folders.slice(0, 2)).toEqual(['/opt/own tools', '/opt/b']);
  });

  it('a shell that prints the command before it runs it, and speaks after it', async () => {
    const file = shell('loud', 'echo "running: $2"\nexport PATH="/x:$PATH"\nrun "$2"\necho bye');
    expect(await read(file)).toEqual({ path: '/x:/usr/bin:/bin', problem: null });
  });

  it.each(['zsh', 'fish', 'tcsh', 'nu'])(
    'a stand-in for %s gets options that it takes, and a plain command',
    async (name) => {
      const file = shell(
        name,
        `echo "$@" > "${home}/args"\nPATH=/${name}:$PATH\nfor last; do :; done\nrun "$last"`,
      );
      expect((await read(file)).path).toBe(`/${name}:/usr/bin:/bin`);
      const options: Record<string, string> = { tcsh: '-ic', nu: '-i -l -c' };
      expect(readFileSync(join(home, 'args'), 'utf8')).toMatch(
        new RegExp(
          `^${options[name] ?? '-ilc'} /bin/sh -c 'printf %s%s%s%s%s \\w+ \\w+ "\\$PATH" \\w+ \\w+'\n$`,
        ),
      );
    },
  );

  it('a shell that hangs is ended with everything that it started, at its limit', async () => {
    const file = shell('hangs', `trap '' TERM\nsleep 300 &\necho "$$ $!" > "${home}/pids"\nsleep 300`);
    const begin = performance.now();
    const result = await read(file, { timeoutMs: 2_000 });
    expect(result).toEqual({ path: '/usr/bin:/bin', problem: `${file} gave no answer (limit: 2 s)` });
    expect(performance.now() - begin).toBeLessThan(10_000);
    const pids = readFileSync(join(home, 'pids'), 'utf8').trim().split(' ').map(Number);
    expect(pids).toHaveLength(2);
    await vi.waitFor(() => expect(pids.some(processRuns)).toBe(false), { timeout: 5_000 });
  });

  it('one that answers and leaves something behind is not waited for', async () => {
    const file = shell('leaves', `sleep 300 &\necho "$!" > "${home}/pids"\nrun "$2"\nsleep 300`);
    expect((await read(file, { timeoutMs: 15_000 })).problem).toBeNull();
    const pid = Number(readFileSync(join(home, 'pids'), 'utf8'));
    await vi.waitFor(() => expect(processRuns(pid)).toBe(false), { timeout: 5_000 });
  });

  it('one that never stops talking is ended', async () => {
    const file = shell(
      'talks',
      'while :; do echo "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"; done',
    );
    expect((await read(file, { timeoutMs: 15_000 })).problem).toContain('gave no answer');
  });

  it.each(['/nowhere/zsh', '/usr/bin/false', ''])(
    'a shell that is none (%j): the own PATH stays',
    async (file) => {
      const result = await read(file, { shell: null });
      expect(result.path).toBe('/usr/bin:/bin');
      expect(result.problem).not.toBeNull();
    },
  );

  it('sees none of our keys', async () => {
    const file = shell('env', `env > "${home}/env"\nrun "$2"`);
    await read(file, {
      env: { HOME: home, PATH: '/usr/bin:/bin', SHELL: file, OPENAI_API_KEY: 'k', ZDOTDIR: '/z' },
    });
    const seen = readFileSync(join(home, 'env'), 'utf8');
    expect(seen).not.toContain('OPENAI_API_KEY');
    expect(seen).toContain('ZDOTDIR=/z');
  });

  it('known folders are really looked for', async () => {
    mkdirSync(join(home, '.local/bin'), { recursive: true });
    mkdirSync(join(home, '.nvm/versions/node/v22.1.0/bin'), { recursive: true });
    mkdirSync(join(home, '.nvm/alias'), { recursive: true });
    writeFileSync(join(home, '.nvm/alias/default'), '22\n');
    const result = await readLoginPath({
      platform: 'linux',
      env: { HOME: home, PATH: '/usr/bin' },
      shell: null,
      home,
    });
    const folders = result.path.split(':');
    expect(folders[0]).toBe('/usr/bin');
    expect(folders).toContain(join(home, '.local/bin'));
    expect(folders).toContain(join(home, '.nvm/versions/node/v22.1.0/bin'));
  });
});

describe('simulated', () => {
  const answer = (value: string) => (run: ShellRun) => {
    const [, first, second] = /%s (\w+) (\w+) /.exec(run.args.join(' ')) ?? [];
    return Promise.resolve(`noise\n${first}${second}${value}${second}${first}`);
  };

  it("field report 40: the shell's order first, then the app's own, then known folders; none twice", async () => {
    const result = await readLoginPath({
      platform: 'darwin',
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', SHELL: '/bin/zsh' },
      home: '/Users/me',
      run: answer('/Users/me/x/:/opt/homebrew/bin:/usr/bin:.:bad\uFFFD:/bad\uFFFD:'),
      disk: disk('/opt/homebrew/bin', '/usr/local/bin', '/Users/me/.cargo/bin', '/usr/bin'),
    });
    expect(result).toEqual({
      path: '/Users/me/x:/opt/homebrew/bin:/usr/bin:/bin:/usr/sbin:/sbin:/Users/me/.cargo/bin:/usr/local/bin',
      problem: null,
    });
  });

  it("asks the shell of the person's account where SHELL is not set", async () => {
    const asked: string[] = [];
    await readLoginPath({
      platform: 'darwin',
      env: {},
      home: '/Users/me',
      shell: '/bin/zsh',
      disk: disk(),
      run: (run) => {
        asked.push(run.file, String(run.timeoutMs));
        return Promise.resolve('');
      },
    });
    expect(asked).toEqual(['/bin/zsh', '3000']);
  });

  it('Windows: no shell is run, and names are compared as Windows does', async () => {
    const run = vi.fn();
    const result = await readLoginPath({
      platform: 'win32',
      env: {
        Path: 'C:\\Windows;"C:\\My Tools\\";C:\\windows\\;rel;D:\\',
        AppData: 'C:\\Users\\me\\AppData\\Roaming',
      },
      home: 'C:\\Users\\me',
      run,
      disk: disk('C:\\Users\\me\\AppData\\Roaming\\npm', 'C:\\Users\\me\\scoop\\shims'),
    });
    expect(run).not.toHaveBeenCalled();
    expect(result.path).toBe(
      'C:\\Windows;C:\\My Tools;D:\\;C:\\Users\\me\\AppData\\Roaming\\npm;C:\\Users\\me\\scoop\\shims',
    );
  });

  it('is read once, at the first use, and a failure is one line of the log', async () => {
    const run = vi.fn(() => Promise.resolve(''));
    const log: string[] = [];
    const path = createLoginPath({
      platform: 'linux',
      env: { PATH: '/bin', SHELL: '/bin/zsh' },
      home: '/home/me',
      disk: disk('/usr/local/bin'),
      run,
      onLog: (line) => log.push(line),
    });
    expect(run).not.toHaveBeenCalled();
    expect(await Promise.all([path(), path()])).toEqual(['/bin:/usr/local/bin', '/bin:/usr/local/bin']);
    await path();
    expect(run).toHaveBeenCalledTimes(1);
    expect(log).toEqual([
      "The PATH of your shell is not known: /bin/zsh gave no answer (limit: 3 s). Servers get the app's own PATH and the usual folders.",
    ]);
  });

  it('field report 41: the same PATH, under its one name, is what the child gets', () => {
    expect(withPath('linux', { PATH: '/a', Path: 'x' }, '/b')).toEqual({ PATH: '/b', Path: 'x' });
    expect(withPath('win32', { PATH: 'C:\\a', Temp: 'T' }, 'C:\\b')).toEqual({ Temp: 'T', Path: 'C:\\b' });
  });
});
