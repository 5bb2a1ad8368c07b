import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderStatus } from '../protocol';
import { startModelServer, type ModelServer } from '../testing/model-server';
import { redirectTo } from '../testing/model-server-wire-table';
import { findLocalProviders } from './local-discovery';
import { createPracticeModel } from './practice';
import { createProviderDirectory, type ProviderDirectoryDeps, type ProviderSettings } from './providers';
import { createEnvironmentSecrets, createMemorySecrets, type SecretStore } from './secret-store';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({ models: ['claude-x', 'gpt-x', 'gemini-x'] });
});
afterEach(async () => {
  expect(await server.close()).toEqual([]);
});

interface Bench {
  readonly directory: ReturnType<typeof createProviderDirectory>;
  readonly secrets: SecretStore;
  kept: readonly ProviderSettings[];
  readonly seen: ProviderStatus[][];
  status(id: string): ProviderStatus | undefined;
}

function createBench(
  more: Partial<ProviderDirectoryDeps> = {},
  kept: readonly ProviderSettings[] = [],
): Bench {
  const secrets = more.secrets ?? createMemorySecrets();
  let count = 0;
  const bench: Bench = {
    secrets,
    kept,
    seen: [],
    status: (id) => bench.directory.statuses().find((one) => one.id === id),
    directory: createProviderDirectory({
      settings: { load: () => kept, save: (all) => (bench.kept = all) },
      secrets,
      env: {},
      fetch: redirectTo(server),
      newId: () => String((count += 1)),
      practice: createPracticeModel().provider,
      onChanged: (statuses) => void bench.seen.push([...statuses]),
      ...more,
    }),
  };
  return bench;
}

describe('provider directory', () => {
  it('begins with the built-in providers, and practice ready', () => {
    const bench = createBench();
    expect(bench.directory.statuses().map((one) => [one.id, one.state, one.key])).toEqual([
      ['anthropic', 'needs_key', 'none'],
      ['openai', 'needs_key', 'none'],
      ['google', 'needs_key', 'none'],
      ['ollama', 'checking', 'not_needed'],
      ['lmstudio', 'checking', 'not_needed'],
      ['practice', 'ready', 'not_needed'],
    ]);
    expect(server.requests).toEqual([]);
  });

  it.each(['anthropic', 'openai', 'google'])(
    'asks %s with a new key before it is kept',
    async (provider_id) => {
      const bench = createBench();
      const refused = await bench.directory.configure({ provider_id, key: 'wrong-key-1' });
      expect(refused).toMatchObject({ ok: false, error: { code: 'model_unauthorized' } });
      expect(bench.secrets.get(`provider:${provider_id}`)).toBeNull();
      expect(bench.status(provider_id)).toMatchObject({ state: 'needs_key', key: 'none' });

      const taken = await bench.directory.configure({ provider_id, key: ' test-key ' });
      expect(taken).toMatchObject({ ok: true, value: { state: 'ready', key: 'session' } });
      expect(bench.secrets.get(`provider:${provider_id}`)).toBe('test-key');
      expect(bench.directory.get({ provider: provider_id, name: 'x' }).ok).toBe(true);
      expect(JSON.stringify([bench.seen, bench.kept, refused, taken])).not.toMatch(/test-key|wrong-key/);
    },
  );

  it('keeps a good key when a later one is refused', async () => {
    const bench = createBench();
    await bench.directory.configure({ provider_id: 'anthropic', key: 'test-key' });
    await bench.directory.configure({ provider_id: 'anthropic', key: 'wrong-key-1' });
    expect(bench.secrets.get('provider:anthropic')).toBe('test-key');
    expect(bench.status('anthropic')).toMatchObject({ state: 'ready' });
  });

  it('uses and shows a key of the environment, and prefers an entered one', async () => {
    const bench = createBench({ env: { GEMINI_API_KEY: 'test-key' } });
    expect(bench.status('google')).toMatchObject({ key: 'environment', state: 'checking' });
    await bench.directory.refresh('google');
    expect(bench.status('google')).toMatchObject({ state: 'ready' });
    expect(bench.status('google')!.models.map((model) => model.name)).toEqual([
      'claude-x',
      'gpt-x',
      'gemini-x',
    ]);
    await bench.directory.configure({ provider_id: 'google', key: 'test-key' });
    expect(bench.status('google')).toMatchObject({ key: 'session' });
    await bench.directory.configure({ provider_id: 'google', key: null });
    expect(bench.status('google')).toMatchObject({ key: 'environment', state: 'ready' });
  });

  it('shows where a key lies that the store put elsewhere than its kind', async () => {
    const memory = createMemorySecrets();
    const secrets: SecretStore = { ...memory, kind: 'keychain' };
    const bench = createBench({ secrets });
    await bench.directory.configure({ provider_id: 'openai', key: 'test-key' });
    expect(bench.status('openai')).toMatchObject({ key: 'session' });
  });

  it('forgets a key when asked to', async () => {
    const bench = createBench();
    await bench.directory.configure({ provider_id: 'openai', key: 'test-key' });
    const result = await bench.directory.configure({ provider_id: 'openai', key: null });
    expect(result).toMatchObject({ ok: true, value: { state: 'needs_key', key: 'none', models: [] } });
    expect(bench.directory.get({ provider: 'openai', name: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'model_unauthorized' },
    });
  });

  it('adds an endpoint that answers, keeps it over a restart, and removes it with its key', async () => {
    const bench = createBench();
    const added = await bench.directory.add({ label: 'My box', base_url: server.origin, key: 'test-key' });
    expect(added).toEqual({ ok: true, value: { provider_id: 'endpoint-1' } });
    expect(bench.kept).toEqual([
      { id: 'endpoint-1', kind: 'openai-compatible', label: 'My box', base_url: `${server.origin}/v1` },
    ]);
    const again = createBench({ secrets: bench.secrets }, bench.kept);
    await again.directory.refresh('endpoint-1');
    expect(again.status('endpoint-1')).toMatchObject({ state: 'ready', label: 'My box' });
    expect(again.directory.remove('endpoint-1').ok).toBe(true);
    expect(again.status('endpoint-1')).toBeUndefined();
    expect(again.kept).toEqual([]);
    expect(bench.secrets.get('provider:endpoint-1')).toBeNull();
    expect(again.directory.get({ provider: 'endpoint-1', name: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
  });

  it('adds nothing that does not answer or may not be asked', async () => {
    const bench = createBench();
    const refused = [
      await bench.directory.add({ label: 'x', base_url: 'http://example.com/v1' }),
      await bench.directory.add({ label: ' ', base_url: server.origin }),
      await bench.directory.add({ label: 'x', base_url: server.origin, key: 'two words' }),
    ];
    for (const result of refused)
      expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(await bench.directory.add({ label: 'x', base_url: server.origin })).toMatchObject({
      ok: false,
      error: { code: 'model_unauthorized' },
    });
    expect(bench.kept).toEqual([]);
    expect(bench.directory.statuses()).toHaveLength(6);
  });

  it('sends a kept key to no other address unless it is entered again', async () => {
    const bench = createBench();
    await bench.directory.configure({ provider_id: 'anthropic', key: 'test-key' });
    const before = server.requests.length;
    const base_url = 'https://gateway.example/v1';
    expect(await bench.directory.configure({ provider_id: 'anthropic', base_url })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });
    expect(server.requests).toHaveLength(before);
    const both = await bench.directory.configure({ provider_id: 'anthropic', base_url, key: 'test-key' });
    expect(both).toMatchObject({ ok: true, value: { base_url, state: 'ready' } });
    expect(bench.directory.remove('anthropic').ok).toBe(true);
    expect(bench.status('anthropic')).toMatchObject({
      base_url: 'https://api.anthropic.com/v1',
      state: 'needs_key',
    });
  });

  it('shows a local provider that does not run without an error, and one that fails with it', async () => {
    const bench = createBench({
      fetch: () => Promise.reject(new TypeError('fetch failed')),
      env: { OPENAI_API_KEY: 'k' },
    });
    await bench.directory.refresh();
    expect(bench.status('ollama')).toMatchObject({ state: 'not_running', error: null });
    expect(bench.status('openai')).toMatchObject({ state: 'failed', error: { code: 'model_unreachable' } });
    expect(bench.seen.some((all) => all.some((one) => one.state === 'checking'))).toBe(true);
  });

  it('takes no stale answer over a later change', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const held: typeof fetch = async (input, init) => {
      if (new Headers(init?.headers).get('x-api-key') === 'slow-key') {
        await gate;
        return Response.json({ error: { message: 'too late' } }, { status: 401 });
      }
      return redirectTo(server)(input, init);
    };
    const bench = createBench({ fetch: held, env: { ANTHROPIC_API_KEY: 'slow-key' } });
    const slow = bench.directory.refresh('anthropic');
    await bench.directory.configure({ provider_id: 'anthropic', key: 'test-key' });
    release();
    await slow;
    expect(bench.status('anthropic')).toMatchObject({ state: 'ready', error: null });
  });

  it('leaves out kept settings that no longer parse', () => {
    const bad = { id: 'endpoint-9', kind: 'openai-compatible', label: 'x', base_url: 'nonsense' } as const;
    expect(createBench({}, [bad]).directory.statuses()).toHaveLength(6);
  });

  it('knows no other provider', async () => {
    const { directory } = createBench();
    expect(directory.get({ provider: 'nobody', name: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
    expect(await directory.configure({ provider_id: 'practice', key: 'x' })).toMatchObject({ ok: false });
    expect(directory.remove('nobody')).toMatchObject({ ok: false });
  });
});

describe('local discovery', () => {
  const servers: Server[] = [];
  async function listen(answer: (path: string) => string | null): Promise<string> {
    const local = createServer((request, response) => {
      const body = answer(request.url ?? '');
      if (body !== null) response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    servers.push(local);
    await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(local.address() as AddressInfo).port}/v1`;
  }
  afterEach(() => {
    for (const local of servers.splice(0)) {
      local.closeAllConnections();
      local.close();
    }
  });

  it('finds what runs, and gives up on what does not answer within a second', async () => {
    const ollama = await listen((path) => (path === '/api/version' ? '{"version":"1"}' : '{}'));
    const lmstudio = await listen(() => null);
    const begin = Date.now();
    const found = await findLocalProviders({
      fetch,
      signal: new AbortController().signal,
      base_urls: { ollama, lmstudio },
    });
    expect(found).toEqual([
      { kind: 'ollama', base_url: ollama, running: true },
      { kind: 'lmstudio', base_url: lmstudio, running: false },
    ]);
    expect(Date.now() - begin).toBeLessThan(2_000);
  });
});

describe('secrets', () => {
  it('reads keys of the environment by provider and writes none', () => {
    const secrets = createEnvironmentSecrets({
      ANTHROPIC_API_KEY: ' a ',
      GEMINI_API_KEY: 'g',
      OPENAI_API_KEY: '',
    });
    expect(secrets.get('provider:anthropic')).toBe('a');
    expect(secrets.get('provider:google')).toBe('g');
    expect(secrets.get('provider:openai')).toBeNull();
    expect(secrets.get('provider:endpoint-1')).toBeNull();
    expect(secrets.set('provider:openai', 'x').ok).toBe(false);
  });
});
