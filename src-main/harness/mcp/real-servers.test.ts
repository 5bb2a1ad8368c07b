import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpWorkbench, type McpWorkbench } from '../testing/mcp-workbench';
import { commonDefaults, hostPlacement, type StdioServerConfig } from './config/server-config';

const require = createRequire(import.meta.url);
let folder: string;
let bench: McpWorkbench;

function published(name: string, args: readonly string[] = [], env = {}): StdioServerConfig {
  const home = path.dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`));
  return {
    name: name.replaceAll('-', '_'),
    transport: 'stdio',
    program: process.execPath,
    args: [path.join(home, 'dist/index.js'), ...args],
    env,
    cwd: folder,
    folder,
    ...commonDefaults,
    ...hostPlacement,
  };
}

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'openworker-real-')));
  for (const name of ['own', 'one', 'two']) {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, 'note.txt'), `In ${name}.\n`);
  }
  bench = createMcpWorkbench([
    published('filesystem', [path.join(folder, 'own')]),
    { ...published('filesystem'), name: 'bare' },
    published('memory', [], { MEMORY_FILE_PATH: path.join(folder, 'memory.json') }),
    published('sequential-thinking'),
  ]);
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = (name: string, workspace?: string) =>
  bench.run(
    'filesystem',
    'read_text_file',
    { path: path.join(folder, name, 'note.txt') },
    workspace === undefined ? {} : { workspace: path.join(folder, workspace) },
  );

describe('published servers', () => {
  it('the file server works in the folder of the session that calls, and in no other', async () => {
    expect(await read('own')).toMatchObject({ type: 'output' });
    expect(await read('one')).toMatchObject({ type: 'error', error: { code: 'tool_failed' } });
    expect(await read('one', 'one')).toMatchObject({
      type: 'output',
      output: { text: expect.stringContaining('In one.') as string },
    });
    expect(await read('two', 'one')).toMatchObject({ type: 'error' });
    expect(await read('two', 'two')).toMatchObject({ type: 'output' });
    const both = await Promise.all([read('one', 'one'), read('two', 'two')]);
    expect(both.map((end) => end.type)).toEqual(['output', 'output']);
    expect(await read('one', 'two')).toMatchObject({ type: 'error' });
  });

  it('a file server without folders of its own starts for a session that has one', async () => {
    const workspace = path.join(folder, 'one');
    const source = bench.servers.source('bare');
    const signal = new AbortController().signal;
    expect(await source?.discover({ session_id: 's', workspace }, signal)).toMatchObject({ ok: true });
    const args = { path: path.join(workspace, 'note.txt') };
    expect(await bench.run('bare', 'read_text_file', args, { workspace })).toMatchObject({ type: 'output' });
  });

  it('the memory server keeps what it is told, with structured results', async () => {
    const entity = { name: 'Ada', entityType: 'person', observations: ['likes tea'] };
    expect(await bench.run('memory', 'create_entities', { entities: [entity] })).toMatchObject({
      type: 'output',
    });
    expect(await bench.run('memory', 'search_nodes', { query: 'tea' })).toMatchObject({
      type: 'output',
      output: { structured: { entities: [{ name: 'Ada' }] } },
    });
  });

  it('the thinking server counts thoughts', async () => {
    const thought = { thought: 'First.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    const end = await bench.run('sequential_thinking', 'sequentialthinking', thought);
    expect(end).toMatchObject({ type: 'output', output: { structured: { thoughtHistoryLength: 1 } } });
  });
});
