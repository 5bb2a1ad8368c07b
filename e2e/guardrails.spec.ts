import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { picture, temporaryFolder, type RunningApp } from './parts/app';
import { useDesk } from './parts/desk';
import { openworker, fileOrganizer, root } from './parts/openworker';
import { answer, connectAnthropic, openSession, request, row, startSession } from './parts/session';
import { startBroken } from './parts/start-broken';

const desk = useDesk();
let folder = '';
let profile = '';

// Put together here, so that no scanner takes this file for a leak.
const secret = ['ghp', 'q8Zt3mVb7Lr2Kx9Wd4Ys6Nf1Hc5Jp0Tg8AeU'].join('_');

test.beforeEach(() => {
  folder = temporaryFolder('guardrails');
  profile = temporaryFolder('profile');
});

test.afterEach(() => {
  for (const made of [folder, profile]) fs.rmSync(made, { recursive: true, force: true });
});

async function begin(): Promise<RunningApp> {
  const running = await desk.launch({ profile });
  await connectAnthropic(running.page, desk.server.baseUrl('anthropic'));
  return running;
}

/** Everything that stands below the folder, as text. */
function stored(where: string): string {
  return fs
    .readdirSync(where, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

test('a secret in the result of a tool is replaced by its type and digest: in the row, in the journal and for the model', async ({}, info) => {
  fs.writeFileSync(path.join(folder, 'deploy.txt'), `host=example.com\ntoken=${secret}\nport=22\n`);
  desk.server.enqueue(
    { answer: { calls: [{ id: 'c1', name: 'files__read', arguments: { path: 'deploy.txt' } }] } },
    { answer: { text: ['Port 22.'] } },
  );
  const first = await begin();
  const { app, page } = first;
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Which port?' });
  await expect(page.getByText('Port 22.')).toBeVisible();
  await expect(row(page, 'c1')).toContainText('changed by a guardrail');
  await row(page, 'c1').getByRole('button').first().click();
  await row(page, 'c1').getByText('Text', { exact: true }).click();
  await expect(row(page, 'c1')).toContainText('host=example.com');
  await expect(row(page, 'c1')).toContainText('GitHub token');
  await expect(row(page, 'c1')).not.toContainText(secret);
  await picture(page, info, 'guardrail-redacted');
  const [result] = desk.server.asked().at(-1)?.results ?? [];
  expect(result?.text).toContain('port=22');
  expect(JSON.stringify(desk.server.asked().map((asked) => asked.body))).not.toContain(secret);
  expect(stored(profile)).not.toContain(secret);
  await first.close();
  expect(stored(profile)).not.toContain(secret);
  const again = await desk.launch({ profile });
  await openSession(again.page, /Which port/);
  await expect(row(again.page, 'c1')).toContainText('changed by a guardrail');
});

test('guardrails.json that withholds arguments: the call runs with them, and the record holds a digest', async ({}, info) => {
  fs.writeFileSync(path.join(folder, `${secret}.txt`), 'a');
  fs.writeFileSync(
    path.join(profile, 'guardrails.json'),
    JSON.stringify({
      version: 1,
      guardrails: [{ guardrail: 'secret_redaction', tools: ['files.*'], options: { arguments: 'withhold' } }],
    }),
  );
  desk.server.enqueue(
    {
      answer: {
        calls: [
          {
            id: 'c1',
            name: 'files__move_file',
            arguments: { source: `${secret}.txt`, destination: 'safe.txt' },
          },
        ],
      },
    },
    { answer: { text: ['Renamed.'] } },
  );
  const { app, page } = await begin();
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Give it a safe name' });
  await expect(request(page)).toContainText('so they are not shown here');
  await expect(request(page)).toContainText(/[0-9a-f]{64}/);
  await expect(request(page)).toContainText(
    'the arguments of the digest above, which are not shown, and no others',
  );
  await picture(page, info, 'guardrail-withheld-request');
  await answer(page, 'Allow once');
  await expect(page.getByText('Renamed.')).toBeVisible();
  expect(fs.readdirSync(folder)).toEqual(['safe.txt']);
  await expect(row(page, 'c1')).toContainText('withheld');
  await row(page, 'c1').getByRole('button').first().click();
  await expect(row(page, 'c1')).toContainText('Arguments withheld by secret_redaction');
  await picture(page, info, 'guardrail-withheld');
  await app.close();
  expect(stored(profile)).not.toContain(secret);
});

test('hidden characters in arguments are one warning in the request, and in a result it is said which of them went', async ({}, info) => {
  const hidden = '\u202e';
  const tag = '\u{e0041}';
  fs.writeFileSync(path.join(folder, 'a.txt'), `one${tag}${tag} two${hidden}owt`);
  const moves = { source: 'a.txt', destination: `b${hidden}.txt` };
  desk.server.enqueue(
    { answer: { calls: [{ id: 'c1', name: 'files__read', arguments: { path: 'a.txt' } }] } },
    { answer: { calls: [{ id: 'c2', name: 'files__move_file', arguments: moves }] } },
    { answer: { text: ['Left there.'] } },
  );
  const { app, page } = await begin();
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Rename it' });
  await expect(request(page)).toContainText('The guardrail hidden_characters found such characters as well');
  await expect(request(page)).not.toContainText('let them pass');
  await picture(page, info, 'guardrail-hidden-request');
  await row(page, 'c1').getByRole('button').first().click();
  await expect(row(page, 'c1')).toContainText('Changed the result: hidden_characters');
  await expect(row(page, 'c1')).toContainText('hidden tag characters × 2: replaced');
  await expect(row(page, 'c1')).toContainText(
    'characters that turn the reading direction × 1: left as they are',
  );
  await picture(page, info, 'guardrail-hidden-result');
  await answer(page, 'Deny');
  await expect(page.getByText('Left there.')).toBeVisible();
});

test('a broken guardrails.json keeps the app and the command line from starting, and names the file, the place and the remedy', async () => {
  const file = path.join(profile, 'guardrails.json');
  fs.writeFileSync(
    file,
    JSON.stringify({ version: 1, guardrails: [{ guardrail: 'secret_reduction', tools: ['*'] }] }),
  );
  const ended = await startBroken(profile);
  expect(ended.code).toBe(1);
  expect(ended.said).toContain(file);
  expect(ended.said).toContain('secret_reduction');
  expect(ended.said).toContain('secret_redaction');
  const run = await openworker(
    [
      ...['run', '--bundle', fileOrganizer, '--model', 'practice', '--guardrails', file],
      ...['--data', path.join(folder, 'data'), 'Hello'],
    ],
    { cwd: root },
  );
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('secret_reduction');
});
