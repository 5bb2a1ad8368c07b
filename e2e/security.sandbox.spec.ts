import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { launch, pickFolder, temporaryFolder, type RunningApp } from './parts/app';
import { act, command, createSession, eventsNow, must, settleIn, submit, waitForState } from './parts/bridge';

// With Chromium's own sandbox on, as it is for every user. Root cannot have it: the tests then run as another user.
test.skip(process.platform === 'linux' && process.getuid?.() === 0, 'Chromium has no sandbox for root');

let running: RunningApp;

test.beforeEach(async () => {
  running = await launch({ sandbox: true });
  await settleIn(running.page);
});

test.afterEach(async () => {
  await running.close();
});

interface Process {
  readonly pid: number;
  readonly type: string;
  readonly sandboxed?: boolean;
}

test('the window runs in a sandboxed process, and nothing turned the sandbox off', async () => {
  const { page, processes, switched } = await running.app.evaluate(({ app, BrowserWindow }) => ({
    page: BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
    processes: app.getAppMetrics() as Process[],
    switched: app.commandLine.hasSwitch('no-sandbox'),
  }));
  expect(switched).toBe(false);
  const renderer = processes.find(({ pid }) => pid === page);
  expect(renderer?.type).toBe('Tab');
  if (process.platform === 'linux') {
    const status = fs.readFileSync(`/proc/${page}/status`, 'utf8');
    // 2: a filter of system calls is in force.
    expect(status).toMatch(/^Seccomp:\s*2$/m);
    expect(status).toMatch(/^NoNewPrivs:\s*1$/m);
    const own = (kind: string, pid: number | 'self') => fs.readlinkSync(`/proc/${pid}/ns/${kind}`);
    for (const kind of ['pid', 'net', 'user']) {
      let inside: string | null = null;
      try {
        inside = own(kind, page);
      } catch {
        // Not to be looked at from outside at all: as good as another namespace.
      }
      expect(inside, kind).not.toBe(own(kind, 'self'));
    }
  } else expect(renderer?.sandboxed).toBe(true);
});

test('a whole session works over the bridge of the sandboxed window', async () => {
  const { page } = running;
  const folder = fs.realpathSync(temporaryFolder('sandboxed'));
  fs.writeFileSync(path.join(folder, 'a.txt'), 'a');
  await pickFolder(running.app, folder);
  must(await command(page, 'workspace.pick', {}));
  const session_id = await createSession(page, { workspace: folder });
  const turn_id = await submit(page, session_id, 'Tidy up');
  await act(page, session_id, turn_id, { type: 'call', name: 'files__list', arguments: { path: '.' } });
  const move = { source: 'a.txt', destination: 'Archive/a.txt' };
  await act(page, session_id, turn_id, { type: 'call', name: 'files__move_file', arguments: move });
  await waitForState(page, session_id, 'needs_you');
  const request = (await eventsNow(page, session_id)).find((event) => event.type === 'approval_requested');
  if (request?.type !== 'approval_requested') throw new Error('Nothing was asked.');
  const { approval_id, arguments_digest, pin } = request.data;
  const shown = { arguments_digest, pin };
  const allow = { type: 'allow', scope: 'once' } as const;
  must(await command(page, 'approval.answer', { session_id, approval_id, shown, answer: allow }));
  await act(page, session_id, turn_id, { type: 'reply', text: 'All tidy.' });
  await waitForState(page, session_id, 'done');
  expect(fs.existsSync(path.join(folder, 'Archive', 'a.txt'))).toBe(true);
  await page.getByText('Tidy up').first().click();
  await expect(page.getByText('All tidy.')).toBeVisible();
  fs.rmSync(folder, { recursive: true });
});
