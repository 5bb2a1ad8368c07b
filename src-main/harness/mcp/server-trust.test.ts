import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal, type Journal } from '../journal';
import {
  commonDefaults,
  hostPlacement,
  type HttpServerConfig,
  type ServerConfig,
  type StdioServerConfig,
} from './config/server-config';
import { openTrust, type TrustBook } from './server-trust';

let folder: string;
let journal: Journal;

function must<T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'openworker-trust-'));
  mkdirSync(path.join(folder, 'data'));
  journal = must(openJournal({ folder: path.join(folder, 'data'), now: Date.now }));
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const stdio = (change: Partial<StdioServerConfig> = {}): StdioServerConfig => ({
  name: 'notes',
  transport: 'stdio',
  program: 'node',
  args: ['server.mjs', '--folder', 'data'],
  env: { TOKEN: '${secret:NOTES}' },
  cwd: folder,
  folder,
  ...commonDefaults,
  ...hostPlacement,
  ...change,
});
const remote: HttpServerConfig = {
  name: 'company',
  transport: 'streamable_http',
  url: 'https://mcp.example.com/mcp',
  headers: {},
  oauth: null,
  ...commonDefaults,
};

const open = (configured: readonly ServerConfig[] = [], platform: NodeJS.Platform = 'linux'): TrustBook =>
  must(openTrust({ journal, platform }, configured));

describe('trust in servers', () => {
  it('takes what is there when a data folder is first opened as the owner’s own, and nothing that comes later', () => {
    expect(open([stdio(), remote]).of(stdio()).state).toBe('trusted');
    const again = open([stdio(), remote, stdio({ name: 'other' })]);
    expect(again.of(remote).state).toBe('trusted');
    expect(again.of(stdio({ name: 'other' }))).toMatchObject({ state: 'new', changes: [] });
    expect(again.refusal(stdio({ name: 'other' }))).toMatchObject({ code: 'server_untrusted' });
  });

  it('begins also where nothing was configured, so that the first server of all is asked about', () => {
    open([]);
    expect(open([stdio()]).of(stdio()).state).toBe('new');
  });

  it.each<[string, Partial<StdioServerConfig>, string]>([
    ['the program', { program: 'bash' }, '/program'],
    ['one argument', { args: ['server.mjs', '--folder', 'all'] }, '/args'],
    ['one more argument', { args: ['server.mjs', '--folder', 'data', '--all'] }, '/args'],
    ['a variable', { env: { TOKEN: '${secret:NOTES}', NODE_OPTIONS: '-r ./x.js' } }, '/env/NODE_OPTIONS'],
    ['the value of a variable', { env: { TOKEN: '${secret:OTHER}' } }, '/env/TOKEN'],
    ['the folder', { cwd: '/tmp' }, '/cwd'],
    ['the boundary', { placement: 'sandbox', sandbox: { workspace: 'none', network: [] } }, '/placement'],
  ])('hazard 16, field report 84: %s is part of it, and the difference is named', (_, change, at) => {
    const book = open([stdio()]);
    const changed = stdio(change);
    expect(book.of(changed).state).toBe('changed');
    expect(book.of(changed).changes.map((one) => one.path)).toContain(at);
    expect(book.refusal(changed)).toMatchObject({ code: 'server_untrusted', data: { server: 'notes' } });
    expect(book.refusal(stdio())).toBeNull();
  });

  it('hazard 16: the address and the headers of a remote server are part of it', () => {
    const book = open([remote]);
    expect(book.of({ ...remote, url: 'https://mcp.example.net/mcp' }).state).toBe('changed');
    expect(book.of({ ...remote, headers: { Cookie: 'x' } }).state).toBe('changed');
    expect(book.of({ ...remote, name: 'renamed' }).state).toBe('new');
  });

  it('hazard 16: the script that the command names is part of it, also when it comes or goes', () => {
    const script = path.join(folder, 'server.mjs');
    writeFileSync(script, 'one');
    const book = open([stdio()]);
    expect(book.of(stdio()).state).toBe('trusted');
    writeFileSync(script, 'two');
    const { changes } = book.of(stdio());
    expect(changes).toHaveLength(1);
    expect(changes[0]?.path).toContain('/scripts/');
    writeFileSync(script, 'one');
    expect(book.of(stdio()).state).toBe('trusted');
    rmSync(script);
    expect(book.of(stdio())).toMatchObject({ state: 'changed', changes: [{ after: 'missing' }] });
  });

  it('asks nobody again because data of a server changed, or a package was updated', () => {
    const args = ['node_modules/pkg/index.js', path.join(folder, 'memory.json')];
    writeFileSync(path.join(folder, 'memory.json'), '{}');
    const book = open([stdio({ args })]);
    writeFileSync(path.join(folder, 'memory.json'), '{"a":1}');
    expect(book.of(stdio({ args })).state).toBe('trusted');
  });

  it('whether it is enabled, and how long a call may take, is nothing that anybody has to accept', () => {
    const book = open([stdio()]);
    expect(book.of(stdio({ enabled: false, call_timeout_ms: 1_000, sampling: true })).state).toBe('trusted');
  });

  it('accepts exactly what was shown, for good', () => {
    const book = open([]);
    const { digest } = book.of(stdio());
    expect(book.accept(stdio({ args: ['other.mjs'] }), digest)).toMatchObject({
      error: { code: 'stale_answer' },
    });
    expect(book.of(stdio()).state).toBe('new');
    expect(book.accept(stdio(), digest).ok).toBe(true);
    expect(open().refusal(stdio())).toBeNull();
    expect(open().of(stdio({ program: 'bash' })).state).toBe('changed');
  });
});
