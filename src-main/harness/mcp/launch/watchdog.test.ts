import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { processRuns } from '../../testing/mcp-test-server';
import { createWatchdog } from './watchdog';
import { watchdogProgram } from './watchdog-program';

const folder = mkdtempSync(join(tmpdir(), 'watchdog-'));
const bundle = join(folder, 'watchdog.mjs');
const started = new Set<number>();

/** Two servers, each with a grandchild, all deaf to SIGTERM and to the end of stdin; `quit` on stdin: an orderly end. */
const app = `
import { spawn } from 'node:child_process';
import { createWatchdog } from ${JSON.stringify(bundle)};
const deaf = "process.on('SIGTERM',()=>{});process.on('SIGHUP',()=>{});setInterval(()=>{},1e3);";
const server = deaf + "const c=require('child_process').spawn(process.execPath,['-e'," + JSON.stringify(deaf) +
  "+'console.log(1)'],{stdio:['ignore','pipe','ignore']});c.stdout.once('data',()=>console.log(c.pid));";
const dog = createWatchdog({ platform: process.platform });
const pids = [];
const servers = [];
for (let i = 0; i < 2; i += 1) {
  const child = spawn(process.execPath, ['-e', server], { stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  servers.push(child);
  dog.watch(child.pid);
  const grandchild = await new Promise((resolve) => child.stdout.once('data', (d) => resolve(Number(d))));
  pids.push(child.pid, grandchild);
  child.unref(); child.stdin.unref(); child.stdout.unref();
}
console.log(JSON.stringify(pids));
process.stdin.once('data', () => {
  for (const child of servers) { process.kill(-child.pid, 'SIGKILL'); dog.unwatch(child.pid); }
  process.stdin.destroy();
});
`;

/** Watchdogs whose parent is the process. */
function watchdogsOf(pid: number): number[] {
  const list = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).stdout;
  return list.split('\n').flatMap((line) => {
    const [, own, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === pid && args?.startsWith('/bin/sh -c') ? [Number(own)] : [];
  });
}

async function until(what: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    if (what()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return what();
}

function track(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('not started');
  started.add(child.pid);
  return child.pid;
}

function sleeper(): ChildProcess {
  return spawn(
    process.execPath,
    ['-e', "process.on('SIGTERM',()=>{});setInterval(()=>{},1e3);console.log(1)"],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    },
  );
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.stdout?.once('data', () => resolve()));
}

async function startApp() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', app], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const pid = track(child);
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data) => resolve(String(data))),
  );
  const pids = JSON.parse(line) as number[];
  for (const other of pids) started.add(other);
  const dogs = watchdogsOf(pid);
  for (const other of dogs) started.add(other);
  return { child, pid, pids, dogs };
}

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, 'watchdog.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
});
afterEach(() => {
  for (const pid of started) {
    for (const target of [-pid, pid]) {
      try {
        process.kill(target, 'SIGKILL');
      } catch {
        // It is gone.
      }
    }
  }
  started.clear();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('the watchdog', () => {
  it('S0-72: ends whole process trees within 5 seconds after the app was killed, and nothing else', async () => {
    const other = sleeper();
    const unrelated = track(other);
    await ready(other);
    const { pid, pids, dogs } = await startApp();
    expect(pids).toHaveLength(4);
    expect(dogs).toHaveLength(1);
    expect(pids.every(processRuns)).toBe(true);

    process.kill(pid, 'SIGKILL');

    expect(await until(() => ![...pids, ...dogs].some(processRuns), 5_000)).toBe(true);
    expect(processRuns(unrelated)).toBe(true);
  });

  it('S0-72: does so after the whole group of the app was interrupted, hung up and killed', async () => {
    const { pid, pids, dogs } = await startApp();
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGKILL'] as const) {
      for (const dog of dogs) if (signal !== 'SIGKILL') process.kill(dog, signal);
      process.kill(-pid, signal);
      if (!processRuns(pid)) break;
    }
    expect(await until(() => ![...pids, ...dogs].some(processRuns), 5_000)).toBe(true);
  });

  it('does not keep an app alive that ends in order, and does not outlive it', async () => {
    const { child, pid, pids, dogs } = await startApp();
    child.stdin.write('quit\n');
    expect(await until(() => ![pid, ...pids, ...dogs].some(processRuns), 5_000)).toBe(true);
    await vi.waitFor(() => expect(child.exitCode).toBe(0));
  });

  it('leaves alone what is no longer watched, and ends with close()', async () => {
    const [kept, ended] = [sleeper(), sleeper()];
    const [keptPid, endedPid] = [track(kept), track(ended)];
    await Promise.all([ready(kept), ready(ended)]);
    const dog = createWatchdog({ platform: process.platform });
    dog.watch(keptPid);
    dog.watch(endedPid);
    dog.unwatch(keptPid);
    const dogs = watchdogsOf(process.pid);
    expect(dogs).toHaveLength(1);
    await dog.close();
    expect(await until(() => !processRuns(endedPid), 5_000)).toBe(true);
    expect(processRuns(keptPid)).toBe(true);
    expect(dogs.some(processRuns)).toBe(false);
    dog.watch(keptPid);
    expect(watchdogsOf(process.pid)).toEqual([]);
  });

  it('starts again when something ended it, a few times, and says so', async () => {
    const server = sleeper();
    const serverPid = track(server);
    const log: string[] = [];
    const dog = createWatchdog({ platform: process.platform, onLog: (line) => log.push(line) });
    dog.watch(serverPid);
    for (let round = 1; round <= 4; round += 1) {
      await vi.waitFor(() => expect(watchdogsOf(process.pid)).toHaveLength(1), { timeout: 5_000 });
      for (const pid of watchdogsOf(process.pid)) process.kill(pid, 'SIGKILL');
      await vi.waitFor(() => expect(log).toHaveLength(round), { timeout: 5_000 });
    }
    expect(log[0]).toBe("The watchdog over the servers' processes ended (SIGKILL).");
    expect(watchdogsOf(process.pid)).toEqual([]);
    await dog.close();
    expect(processRuns(serverPid)).toBe(true);
  });

  it.each(
    ['/bin/sh', '/bin/bash', '/bin/dash']
      .filter((shell) => existsSync(shell))
      .flatMap((shell) => [[shell, '/proc/self/stat'] as const, [shell, '/nowhere'] as const]),
  )(
    '%s, start times from %s (macOS has ps only): knows its groups again, and only those',
    async (shell, place) => {
      const server = sleeper();
      const pid = track(server);
      await ready(server);
      const program = watchdogProgram.replaceAll('/proc/self/stat', place);
      const other = program.replace('asked=\nfor', `start_${pid}='Tue Dec  1 12:00:00 2020'\nasked=\nfor`);
      expect(other).not.toBe(program);
      expect(spawnSync(shell, ['-c', other], { input: `+${pid}\n` }).status).toBe(0);
      expect(processRuns(pid)).toBe(true);
      const done = spawnSync(shell, ['-c', program], { input: `+${pid}\n`, encoding: 'utf8' });
      expect([done.status, done.stderr]).toEqual([0, '']);
      expect(await until(() => !processRuns(pid), 5_000)).toBe(true);
    },
  );

  it('takes no rubbish for a group', () => {
    const lines = ['', '+', '+0', '+1', '-1', '+1x', '+-1', '+$(kill 1)', '; exit 3', '*', '+01'].join('\n');
    const done = spawnSync('/bin/sh', ['-c', watchdogProgram], { input: `${lines}\n`, encoding: 'utf8' });
    expect([done.status, done.stderr, done.stdout]).toEqual([0, '', '']);
  });
});

it('Windows: nothing is started', async () => {
  const dog = createWatchdog({ platform: 'win32' });
  dog.watch(4_000_000);
  dog.unwatch(4_000_000);
  await dog.close();
  expect(watchdogsOf(process.pid)).toEqual([]);
});
