import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processRuns } from '../../testing/mcp-test-server';
import { endLeftovers } from './end-leftovers';
import { createReadFacts, type ProcessFacts, type RunProgram } from './process-facts';
import { createStartedRecord, readStarted, startedFileName } from './started-record';

const { platform, env } = process;
const posix = platform !== 'win32';
const realFacts = createReadFacts({ platform, env });
let folder: string;
let file: string;
let log: string[];
const pids = new Set<number>();

const deaf = "process.on('SIGTERM',()=>{});process.title='other';setInterval(()=>{},1e3);";
/** A leader and one process of its own, both deaf to SIGTERM. */
async function startTree(): Promise<{ pid: number; grandchild: number; child: ChildProcess }> {
  const code = `${deaf}const c=require('child_process').spawn(process.execPath,['-e',${JSON.stringify(`${deaf}console.log(1)`)}],{stdio:['ignore','pipe','ignore']});c.stdout.once('data',()=>console.log(c.pid));`;
  const child = spawn(process.execPath, ['-e', code], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const grandchild = await new Promise<number>((resolve) =>
    child.stdout.once('data', (data) => resolve(Number(data))),
  );
  const pid = child.pid ?? 0;
  pids.add(pid).add(grandchild);
  return { pid, grandchild, child };
}

const onLog = (line: string) => void log.push(line);
const record = () => createStartedRecord({ file, readFacts: realFacts, pid: process.pid, onLog });
async function recordOne(pid: number): Promise<void> {
  const kept = record();
  kept.add(pid, 'notes');
  await kept.close();
}
const end = (more: Partial<Parameters<typeof endLeftovers>[0]> = {}) =>
  endLeftovers({ file, platform, env, readFacts: realFacts, pid: process.pid, onLog, ...more });

/** As if another process, gone by now, had written the record. */
function asOfAnEarlierRun(change: (server: Record<string, unknown>) => void = () => undefined): void {
  const content = JSON.parse(readFileSync(file, 'utf8')) as {
    app: Record<string, unknown>;
    servers: Record<string, unknown>[];
  };
  content.app['started'] = 'earlier';
  content.servers.forEach(change);
  writeFileSync(file, JSON.stringify(content));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leftovers-'));
  file = join(folder, startedFileName);
  log = [];
});
afterEach(() => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It is gone.
    }
  }
  pids.clear();
  rmSync(folder, { recursive: true, force: true });
});

describe.runIf(posix)('with real processes', () => {
  it('S0-72: what a crash left behind is ended as a whole at the next start', async () => {
    const { pid, grandchild } = await startTree();
    const other = await startTree();
    await recordOne(pid);
    asOfAnEarlierRun();

    expect(await end()).toEqual(['notes']);

    await vi.waitFor(() => expect([pid, grandchild].some(processRuns)).toBe(false), { timeout: 5_000 });
    expect([other.pid, other.grandchild].every(processRuns)).toBe(true);
    expect(existsSync(file)).toBe(false);
    expect(log).toEqual([
      `Server "notes" still ran from an earlier start of the app (process ${pid}) and was ended.`,
    ]);
  });

  it.each([
    ['start time', 'started', 'another'],
    ['program', 'program', '/usr/bin/another'],
  ])('leaves a process alone whose %s is another', async (_, key, value) => {
    const { pid, grandchild } = await startTree();
    await recordOne(pid);
    asOfAnEarlierRun((server) => {
      server[key] = value;
    });
    expect(await end()).toEqual([]);
    expect([pid, grandchild].every(processRuns)).toBe(true);
    expect(existsSync(file)).toBe(false);
  });

  it('leaves everything alone while the app that started it runs', async () => {
    const { pid } = await startTree();
    await recordOne(pid);
    expect(await end({ pid: 999_999_999 })).toEqual([]);
    expect(processRuns(pid)).toBe(true);
    expect(existsSync(file)).toBe(true);
  });

  it('leaves a process alone that leads no group, such as a member of our own', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(()=>{},1e3)'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    pids.add(pid);
    await recordOne(pid);
    asOfAnEarlierRun();
    expect(await end()).toEqual([]);
    expect(processRuns(pid)).toBe(true);
  });
});

describe('the record', () => {
  it.runIf(posix)(
    'holds what runs, for the owner only, without arguments, and is gone after an orderly end',
    async () => {
      const [first, second] = [await startTree(), await startTree()];
      const kept = record();
      kept.add(first.pid, 'first');
      kept.add(second.pid, 'second');
      kept.remove(first.pid);
      await vi.waitFor(async () => expect((await readStarted(file))?.servers).toHaveLength(1), {
        timeout: 5_000,
      });
      const content = await readStarted(file);
      expect(content?.app).toMatchObject({ pid: process.pid });
      expect(content?.servers[0]).toMatchObject({ pid: second.pid, group: second.pid, name: 'second' });
      expect(readFileSync(file, 'utf8')).not.toContain('setInterval');
      expect(statSync(file).mode & 0o077).toBe(0);
      kept.remove(second.pid);
      await kept.close();
      expect(existsSync(file)).toBe(false);
    },
  );

  it('asks once for many starts, and once more when scripts have given way to their interpreters', async () => {
    const asked: (readonly number[])[] = [];
    let program = '/usr/bin/env';
    const readFacts = (wanted: readonly number[]) => {
      asked.push(wanted);
      return Promise.resolve(
        new Map(
          wanted.map((pid): [number, ProcessFacts] => [pid, { pid, group: pid, started: 's', program }]),
        ),
      );
    };
    const kept = createStartedRecord({ file, readFacts, pid: 7, onLog });
    for (let pid = 100; pid < 120; pid += 1) kept.add(pid, 'notes');
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 5_000 });
    program = '/usr/bin/node';
    await vi.waitFor(
      async () =>
        expect((await readStarted(file))?.servers.map((s) => s.program)).toEqual(Array(20).fill(program)),
      { timeout: 10_000 },
    );
    expect(asked).toHaveLength(2);
    await kept.close();
  });

  it('a file that cannot be written is told once', async () => {
    const readFacts = (wanted: readonly number[]) =>
      Promise.resolve(
        new Map(
          wanted.map((pid): [number, ProcessFacts] => [pid, { pid, group: pid, started: 's', program: 'p' }]),
        ),
      );
    const kept = createStartedRecord({ file: join(folder, 'gone', 'x.json'), readFacts, pid: 7, onLog });
    kept.add(100, 'a');
    await vi.waitFor(() => expect(log).toHaveLength(1), { timeout: 5_000 });
    kept.add(101, 'b');
    await kept.close();
    expect(log).toHaveLength(1);
    expect(log[0]).toContain('cannot be written');
  });

  it.each([
    ['nothing', ''],
    ['half a file', '{"version":1,"servers":[{"pid":12'],
    ['another kind of file', '[1,2]'],
    ['another version', '{"version":2,"servers":[]}'],
    ['broken entries', '{"version":1,"app":5,"servers":[null,{"pid":-1},{"pid":"3"},{"pid":1,"group":1}]}'],
    ['too much', ' '.repeat(2 * 1024 * 1024)],
  ])('S0-72: damaged (%s): nothing is ended, and the file goes', async (_, text) => {
    writeFileSync(file, text);
    const kill = vi.fn();
    expect(await end({ kill })).toEqual([]);
    expect(kill).not.toHaveBeenCalled();
    expect(existsSync(file)).toBe(false);
  });
});

describe('Windows and macOS, simulated', () => {
  const server = { pid: 4321, group: null, started: '638', program: 'c:\\node\\node.exe', name: 'notes' };

  it('Windows: asks PowerShell by its absolute path and ends the tree with taskkill', async () => {
    writeFileSync(file, JSON.stringify({ version: 1, app: null, servers: [server, { ...server, pid: 99 }] }));
    const ran: string[] = [];
    const run: RunProgram = (program, args) => {
      ran.push([program, ...args].join(' '));
      return Promise.resolve('\uFEFF4321|638|C:\\Node\\node.exe\r\n99|639|C:\\Node\\node.exe\r\n\r\n');
    };
    const windows = { SystemRoot: 'D:\\Win' };
    const readFacts = createReadFacts({ platform: 'win32', env: windows, run });
    expect(await end({ platform: 'win32', env: windows, readFacts, run })).toEqual(['notes']);
    expect(ran).toHaveLength(2);
    expect(ran[0]).toMatch(
      /^D:\\Win\\System32\\WindowsPowerShell\\v1\.0\\powershell\.exe -NoProfile .*ProcessId=4321 OR ProcessId=99/,
    );
    expect(ran[1]).toBe('D:\\Win\\System32\\taskkill.exe /PID 4321 /T /F');
  });

  it('macOS: reads ps, and looks again before it kills', async () => {
    const started = 'Tue Dec 1 12:52:33 2026';
    writeFileSync(
      file,
      JSON.stringify({
        version: 1,
        app: null,
        servers: [{ ...server, group: 4321, started, program: 'node' }],
      }),
    );
    const signals: [number, string][] = [];
    let answer = ' 4321  4321 Tue Dec  1 12:52:33 2026     node\n';
    const run: RunProgram = (program, args, given) => {
      expect([program, args.at(-1), given['TZ']]).toEqual(['/bin/ps', '4321', 'UTC0']);
      return Promise.resolve(answer);
    };
    const readFacts = createReadFacts({ platform: 'darwin', env: {}, run });
    const kill = (pid: number, signal: string) => {
      signals.push([pid, signal]);
      // It ends, and another process gets its number.
      answer = ' 4321  1000 Tue Dec  1 13:00:00 2026     Some App Helper\n';
    };
    expect(await end({ platform: 'darwin', readFacts, kill })).toEqual(['notes']);
    expect(signals).toEqual([[-4321, 'SIGTERM']]);
  });
});
