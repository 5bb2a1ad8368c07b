import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
// Inside the repository, so that the database driver is found where it is installed.
const folder = join(root, 'out', 'plain-node-test');
const work = mkdtempSync(join(tmpdir(), 'plain-node-'));

const script = `
import { writeFileSync } from 'node:fs';
import { openHarness, registerFilesTools, createMemorySecrets } from './harness.mjs';
const [data, bundles, workspace] = process.argv.slice(2);
const opened = await openHarness({
  dataFolder: data, appVersion: '0', libraryFolders: [{ folder: bundles, source: 'shipped' }], bundleFolders: [],
  serversFile: null, serversTrust: 'owner', registerNative: registerFilesTools, secrets: createMemorySecrets(), ownerProvider: null,
  resolveSecret: () => null, env: {}, codeDigest: null, toolImages: true, guardrailsFile: null, standing: 'once', log: () => {},
});
if (!opened.ok) throw new Error(opened.error.message);
const harness = opened.value;
const created = await harness.sessions.create({ coworker_id: 'file-organizer', model: { provider: 'practice', name: 'practice' }, mode: 'ask', workspace });
if (!created.ok) throw new Error(created.error.message);
const { session_id } = created.value;
const session = harness.sessions.get(session_id).value;
const acts = [
  { type: 'call', name: 'files__move_file', arguments: { source: 'a.txt', destination: 'b/a.txt' } },
  { type: 'reply', text: 'Moved.' },
];
const types = [];
session.subscribe(0, ({ events }) => {
  for (const event of events) {
    types.push(event.type);
    if (event.type === 'attempt_started') setImmediate(() => harness.practice(session_id, event.turn_id, acts.shift()));
  }
});
const submitted = session.submit({ text: 'Go', files: [], mentions: [] });
await submitted.value.done;
await harness.close();
console.log(JSON.stringify({ types, electron: process.versions.electron ?? null }));
`;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const built = await build({
    entryPoints: [join(root, 'src-main/harness/index.ts')],
    outfile: join(folder, 'harness.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    mainFields: ['module', 'main'],
    external: ['libsql'],
    metafile: true,
    banner: {
      js: "import { createRequire as bannerRequire } from 'node:module'; const require = bannerRequire(import.meta.url);",
    },
  });
  writeFileSync(join(folder, 'inputs.json'), JSON.stringify(Object.keys(built.metafile.inputs)));
  writeFileSync(join(folder, 'run.mjs'), script);
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(work, { recursive: true, force: true });
});

describe('the harness without Electron', () => {
  it('bundles with nothing of Electron, of the preload or of the window in it', () => {
    const inputs = JSON.parse(readFileSync(join(folder, 'inputs.json'), 'utf8')) as string[];
    expect(inputs.length).toBeGreaterThan(50);
    expect(
      inputs.filter((input) =>
        /node_modules\/electron\/|src-preload|src-renderer|src-main\/(app|ipc)\//.test(input),
      ),
    ).toEqual([]);
    expect(readFileSync(join(folder, 'harness.mjs'), 'utf8')).not.toMatch(
      /require\(["']electron["']\)|from ["']electron["']/,
    );
  });

  it('runs a session with an approved call in plain Node (S0-39)', () => {
    const workspace = join(work, 'folder');
    mkdirSync(workspace);
    writeFileSync(join(workspace, 'a.txt'), 'hello');
    const args = [join(folder, 'run.mjs'), join(work, 'data'), join(root, 'assets/coworkers'), workspace];
    const said = execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 });
    expect(JSON.parse(said)).toEqual({
      electron: null,
      types: [
        'session_created',
        'message_submitted',
        'session_renamed',
        'turn_started',
        'attempt_started',
        'assistant_message',
        'approval_requested',
        'approval_resolved',
        'tool_started',
        'tool_finished',
        'attempt_started',
        'assistant_message',
        'turn_finished',
      ],
    });
    expect(readFileSync(join(workspace, 'b/a.txt'), 'utf8')).toBe('hello');
  });
});
