import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createReadFacts, parseCim, parsePs, parseStat, runProgram } from './process-facts';

const fields = 'S 10 42 42 0 -1 4194304 211 0 0 0 0 0 0 0 20 0 1 0 1220387 2990080';

describe('process facts', () => {
  it.each([
    [`42 (node) ${fields}`, { group: 42, ticks: '1220387' }],
    [`42 (a b) c\n) ) ${fields}`, { group: 42, ticks: '1220387' }],
    [`42 (node) ${fields.replace('S', 'Z')}`, null],
    ['', null],
    ['42 (node) S 1', null],
  ])('reads a line of /proc: %j', (text, expected) => {
    expect(parseStat(text)).toEqual(expected);
  });
  it('reads ps of macOS, with spaces in names', () => {
    const text =
      '  501   501 Tue Dec  1 12:52:33 2026     node\n 7 3 Mon Nov 30 01:02:03 2026     Some App\nps: x\n';
    expect(parsePs(text)).toEqual([
      { pid: 501, group: 501, started: 'Tue Dec 1 12:52:33 2026', program: 'node' },
      { pid: 7, group: 3, started: 'Mon Nov 30 01:02:03 2026', program: 'Some App' },
    ]);
  });
  it('reads the answer of Windows, and leaves out what may not be seen', () => {
    expect(parseCim('5|638|C:\\größe\\Node.exe\r\n6|638|\r\nerror\r\n')).toEqual([
      { pid: 5, group: null, started: '638', program: 'c:\\größe\\node.exe' },
    ]);
  });
  it.runIf(process.platform !== 'win32')(
    'tells real processes apart, and leaves out what has ended',
    async () => {
      const read = createReadFacts({ platform: process.platform, env: process.env });
      const child = spawn(process.execPath, ['-e', 'setInterval(()=>{},1e3)'], {
        stdio: 'ignore',
        detached: true,
      });
      const pid = child.pid ?? 0;
      const facts = await read([pid, process.pid, pid, -4, 1.5]);
      expect([...facts.keys()].sort()).toEqual([pid, process.pid].sort());
      expect(facts.get(pid)?.group).toBe(pid);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      expect((await read([pid])).size).toBe(0);
      expect((await read([])).size).toBe(0);
    },
  );
  it.runIf(process.platform === 'linux')('ps gives on this system what is read of it', async () => {
    const text = await runProgram(
      '/bin/ps',
      ['-o', 'pid=,pgid=,lstart=,ucomm=', '-p', `${process.pid},999999999`],
      {
        LC_ALL: 'C',
        TZ: 'UTC0',
      },
    );
    expect(parsePs(text)).toHaveLength(1);
    expect(parsePs(text)[0]?.pid).toBe(process.pid);
  });
  it('a program that does not exist has nothing to tell', async () => {
    expect(await runProgram('/nowhere/ps', [], {})).toBe('');
  });
});
