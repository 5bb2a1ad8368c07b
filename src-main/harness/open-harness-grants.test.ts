import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openHarness,
  type Answer,
  type Harness,
  type JsonObject,
  type NativeTool,
  type Result,
  type Session,
  type SessionEvent,
} from '.';
import { harnessOptions } from './testing/harness-options';
import { mcpTestServer, type TestServer } from './testing/mcp-test-server';
import { until } from './testing/session-bench';

let folder: string;
let server: TestServer;
const open: Harness[] = [];

const notes: NativeTool = {
  descriptor: () => ({
    qualified_name: 'notes.add',
    description: 'Keeps a note.',
    input_schema: { type: 'object', properties: { text: { type: 'string' }, path: { type: 'string' } } },
    version: '1.0.0',
  }),
  call: () => Promise.resolve({ text: 'kept' }),
};

const manifest = `---
id: tester
name: Tester
description: Tests things.
version: 1.0.0
---

Add notes.
`;

function write(name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'harness-grants-')));
  server = mcpTestServer('acer');
  const { program, args, env } = server.config;
  const servers = { acer: { transport: 'stdio', program, args, env } };
  write('servers.json', JSON.stringify({ version: 1, servers }));
  write('bundle/coworker/manifest.md', manifest);
  write('bundle/coworker/tools.json', '{"version":3,"tools":["notes.add","acer.echo"]}');
  mkdirSync(join(folder, 'work', 'inner'), { recursive: true });
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((harness) => harness.close()));
  server.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

async function harnessOf(): Promise<Harness> {
  const harness = must(
    await openHarness(
      harnessOptions(join(folder, 'data'), {
        bundleFolders: [join(folder, 'bundle')],
        serversFile: join(folder, 'servers.json'),
        registerNative: (registry) => registry.registerNative(notes, { classification: 'write' }),
      }),
    ),
  );
  open.push(harness);
  return harness;
}

interface Talk {
  readonly session: Session;
  readonly events: readonly SessionEvent[];
  of<T extends SessionEvent['type']>(type: T): Extract<SessionEvent, { type: T }>['data'][];
  /** The model makes this call. */
  call(name: string, args: JsonObject): Promise<void>;
  /** Answers the next request. */
  answer(answer: Partial<Extract<Answer, { type: 'allow' }>>): Promise<string>;
  request(): Promise<Extract<SessionEvent, { type: 'approval_requested' }>['data']>;
}

async function talk(harness: Harness): Promise<Talk> {
  const { session_id } = must(
    await harness.sessions.create({
      coworker_id: 'tester',
      model: { provider: 'practice', name: 'practice' },
      mode: 'ask',
      workspace: join(folder, 'work'),
    }),
  );
  const session = must(harness.sessions.get(session_id));
  const events: SessionEvent[] = [];
  session.subscribe(0, (push) => events.push(...push.events));
  const of: Talk['of'] = (type) =>
    events.filter((event) => event.type === type).map(({ data }) => data) as ReturnType<Talk['of']> as never;
  const { turn_id } = must(session.submit({ text: 'Go', files: [], mentions: [] }));
  const request: Talk['request'] = () =>
    until(() => {
      const done = new Set(of('approval_resolved').map(({ approval_id }) => approval_id));
      return of('approval_requested').find(({ approval_id }) => !done.has(approval_id));
    }, 15_000) as ReturnType<Talk['request']>;
  return {
    session,
    events,
    of,
    request,
    async call(name, args) {
      const act = { type: 'call', name, arguments: args } as const;
      await until(() => harness.practice(session_id, turn_id, act).ok, 15_000);
    },
    async answer(terms) {
      const asked = await request();
      must(
        session.answer(asked.approval_id, asked, { type: 'allow', scope: 'once', by: 'person', ...terms }),
      );
      await until(() => of('approval_resolved').some(({ approval_id }) => approval_id === asked.approval_id));
      return asked.approval_id;
    },
  };
}

const finished = (one: Talk, count: number): Promise<boolean> =>
  until(() => one.of('tool_finished').length >= count, 15_000);

describe('the ledger of a data folder', () => {
  it('lists the grants of all sessions with their uses and where they were given, and takes each back', async () => {
    const harness = await harnessOf();
    const notices: string[] = [];
    harness.listen(({ type }) => notices.push(type));
    const one = await talk(harness);
    await one.call('notes__add', { text: 'a' });
    const approval = await one.answer({ scope: 'coworker' });
    await finished(one, 1);
    expect(notices).toContain('grants_changed');
    await one.call('notes__add', { text: 'b' });
    await finished(one, 2);
    await one.call('acer__echo', { message: 'hi' });
    await one.answer({ scope: 'session' });
    await finished(one, 3);
    const { session_id } = one.session;
    expect(must(harness.grants.list())).toMatchObject([
      { grant: { scope: 'session', qualified_name: 'acer.echo', session_id }, uses: 1, ended: null },
      {
        grant: { scope: 'coworker', coworker_id: 'tester', approval_id: approval, session_id },
        uses: 2,
        ended: null,
      },
    ]);
    for (const { grant } of must(harness.grants.list())) {
      expect(harness.grants.revoke(grant.grant_id)).toEqual({ ok: true, value: null });
    }
    expect(must(harness.grants.list()).map(({ ended }) => ended?.how)).toEqual(['revoked', 'revoked']);
    expect(harness.grants.revoke('g_none')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    await one.call('notes__add', { text: 'c' });
    expect((await one.request()).reason).toBe('not_read_only');
    await one.session.stop();
  });

  it('keeps a grant of the coworker when its session is deleted, and forgets that of the session', async () => {
    const harness = await harnessOf();
    const one = await talk(harness);
    for (const scope of ['coworker', 'session'] as const) {
      await one.call(scope === 'coworker' ? 'notes__add' : 'acer__echo', { text: 'a', message: 'a' });
      await one.answer({ scope });
    }
    await finished(one, 2);
    must(await harness.sessions.delete(one.session.session_id));
    expect(must(harness.grants.list()).map(({ grant, uses }) => [grant.scope, uses])).toEqual([
      ['coworker', 1],
    ]);
    await harness.close();
    open.pop();
    const again = await harnessOf();
    expect(must(again.grants.list())).toMatchObject([{ grant: { scope: 'coworker' }, uses: 1 }]);
  });

  it('field report 32: shows before a wider scope which calls on record it would have covered, and warns', async () => {
    const harness = await harnessOf();
    const before = await talk(harness);
    for (const path of ['inner/a', 'b', 'inner/../c']) {
      await before.call('notes__add', { path });
      await before.answer({});
    }
    await finished(before, 3);
    const now = await talk(harness);
    await now.call('notes__add', { path: 'inner/d' });
    const { approval_id } = await now.request();
    const inner = [{ type: 'folder', at: '/path', folder: 'inner' }] as const;
    const look = (scope: 'session' | 'coworker', pattern: readonly (typeof inner)[number][] = []) =>
      must(harness.grants.preview(now.session.session_id, approval_id, scope, pattern));
    expect(look('coworker')).toMatchObject({ calls: 3, covered: 3, more: false, warning: null });
    expect(look('session')).toMatchObject({ calls: 0, covered: 0 });
    const narrowed = look('coworker', inner);
    expect(narrowed).toMatchObject({ calls: 3, covered: 1 });
    expect(narrowed.examples.map(({ covered, arguments: args }) => [covered, args?.['path']])).toEqual([
      [true, 'inner/a'],
      [false, 'inner/../c'],
      [false, 'b'],
    ]);
    await now.answer({});
    await now.call('acer__echo', { message: 'x' });
    const external = (await now.request()).approval_id;
    const warned = harness.grants.preview(now.session.session_id, external, 'coworker', []);
    expect(must(warned).warning).toBe('external_without_pattern');
    expect(harness.grants.preview(now.session.session_id, 'a_none', 'coworker', [])).toMatchObject({
      ok: false,
      error: { code: 'stale_answer' },
    });
    await now.session.stop();
  });
});

describe('tools of a server', () => {
  it('field report 33: are classified by a person, many at once, for exactly their definition', async () => {
    const harness = await harnessOf();
    const signal = new AbortController().signal;
    const tools = must(await harness.servers.tools('acer', signal));
    const echo = tools.find(({ qualified_name }) => qualified_name === 'acer.echo');
    expect(echo).toMatchObject({ classification: 'external', classified_by: 'host', classified_at: null });
    const usable = tools.flatMap(({ qualified_name, pin }) =>
      pin === null ? [] : [{ qualified_name, pin }],
    );
    expect(usable.length).toBeGreaterThan(3);
    must(harness.servers.classify(usable.map((tool) => ({ ...tool, classification: 'read' }))));
    expect(must(await harness.servers.tools('acer', signal))).toMatchObject(
      usable.map(({ qualified_name }) => ({
        qualified_name,
        classification: 'read',
        classified_by: 'person',
      })),
    );
    const one = await talk(harness);
    await one.call('acer__echo', { message: 'unasked' });
    await finished(one, 1);
    expect(one.of('tool_started')[0]?.rule).toMatchObject({ rule: 'classification_read', by: 'person' });
    must(
      harness.servers.classify([{ qualified_name: 'acer.echo', pin: echo?.pin ?? '', classification: null }]),
    );
    await one.call('acer__echo', { message: 'asked' });
    expect((await one.request()).classification).toBe('external');
    await one.session.stop();
    expect(await harness.servers.tools('none', signal)).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
  });
});
