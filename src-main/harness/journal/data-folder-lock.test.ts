import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childProgram } from '../testing/child-program';
import { noTracer } from '../testing/chaos/tracer';
import { lockDataFolder } from './data-folder-lock';

const script = childProgram(
  'journal-lock',
  import.meta.dirname,
  `import { lockDataFolder } from './data-folder-lock';
const lock = lockDataFolder(process.argv[2]);
console.log(lock.ok ? 'locked' : lock.error.code + ': ' + lock.error.message);
if (lock.ok && process.argv[3] === 'once') lock.value.close();
else if (lock.ok) setInterval(() => {}, 1000);`,
);
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function holder(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  expect(String(said)).toBe('locked\n');
  return child;
}

describe('hazard 84: the lock of a data folder', () => {
  it('is held by one at a time, and free again after it was closed', () => {
    const first = lockDataFolder(folder);
    expect(first.ok).toBe(true);
    expect(lockDataFolder(folder)).toMatchObject({ ok: false, error: { code: 'data_folder_in_use' } });
    if (first.ok) first.value.close();
    expect(existsSync(join(folder, 'lock.owner'))).toBe(false);
    const third = lockDataFolder(folder);
    expect(third.ok).toBe(true);
    if (third.ok) third.value.close();
  });

  it('names the process that has it, and ends with that process, also by a kill', async () => {
    const child = await holder();
    const refused = lockDataFolder(folder);
    expect(!refused.ok && refused.error.message).toContain(`process ${child.pid} on ${hostname()}`);
    expect(!refused.ok && refused.error.message).toMatch(/Close that window or command first/);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(join(folder, 'lock.owner'))).toBe(true);
    const lock = lockDataFolder(folder);
    expect(lock.ok).toBe(true);
    if (lock.ok) lock.value.close();
  });

  it('on a network share respects the process of another computer, and says how to go on', () => {
    const owner = JSON.stringify({ host: 'desk-2', pid: 7 });
    writeFileSync(join(folder, 'lock.owner'), owner);
    const there = lockDataFolder(folder, { isNetwork: () => true, host: 'desk-1' });
    expect(there).toMatchObject({ ok: false, error: { code: 'data_folder_in_use' } });
    expect(!there.ok && there.error.message).toMatch(
      /another computer \(process 7 on desk-2\).*delete .*lock\.owner.*network share/,
    );
    for (const options of [
      { isNetwork: () => true, host: 'desk-2' },
      { isNetwork: () => false, host: 'desk-1' },
    ]) {
      writeFileSync(join(folder, 'lock.owner'), owner);
      const lock = lockDataFolder(folder, options);
      expect(lock.ok).toBe(true);
      if (lock.ok) lock.value.close();
    }
  });

  it('says that it cannot be taken where the folder takes no files', ({ skip }) => {
    if (process.getuid?.() === 0 || process.platform === 'win32') {
      writeFileSync(join(folder, 'lock.db'), 'this is a note, not a database. '.repeat(100));
    } else {
      chmodSync(folder, 0o500);
    }
    const refused = lockDataFolder(folder);
    chmodSync(folder, 0o700);
    if (refused.ok) {
      refused.value.close();
      skip();
    }
    expect(refused).toMatchObject({ ok: false, error: { code: 'journal_unavailable' } });
    expect(!refused.ok && refused.error.message).toMatch(
      /data folder .* cannot be locked .*choose another folder/,
    );
  });

  const reason = noTracer();
  it(
    `says that it cannot be taken where the file system has no locks${reason ? ` (skipped: ${reason})` : ''}`,
    { skip: reason !== null },
    () => {
      const log = join(folder, 'trace');
      const trace = ['-qq', '-o', log, '-e', 'trace=fcntl'];
      execFileSync('strace', [...trace, process.execPath, script, folder, 'once']);
      const first =
        readFileSync(log, 'utf8')
          .split('\n')
          .findIndex((line) => line.includes('F_SETLK')) + 1;
      expect(first).toBeGreaterThan(0);
      const inject = ['-e', `inject=fcntl:error=ENOLCK:when=${first}`];
      const ran = spawnSync('strace', [...trace, ...inject, process.execPath, script, folder], {
        encoding: 'utf8',
        timeout: 15_000,
      });
      expect(ran.stdout).toMatch(/data folder .* cannot be locked: .* its file system has no locks/);
      expect(ran.stdout).toContain('choose another folder');
      expect(existsSync(join(folder, 'lock.owner'))).toBe(false);
    },
  );
});
