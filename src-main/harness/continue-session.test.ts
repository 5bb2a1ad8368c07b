import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { carryOver } from './continue-session';
import { createMemorySecrets, openHarness, type Harness } from './index';
import { activeTurns, turnEnd, type SessionCreated, type SessionView } from './protocol';
import { ran, read, write } from './testing/bench-tools';
import { calls, fails, says, scriptedModel } from './testing/scripted-model';
import { answer, began, benches, only, request, say, start, words } from './testing/session-acts';
import { until, type SessionBench } from './testing/session-bench';

const bench = benches();

describe('a session that is continued as new', () => {
  async function carry(
    made: SessionBench,
    from: string,
    to: string,
    changed: Partial<SessionCreated> = {},
  ): Promise<void> {
    const created = (view: SessionView) => {
      if (!view.coworker || !view.model || !view.mode) throw new Error('no beginning');
      const value: SessionCreated = {
        title: view.title?.data ?? '',
        coworker: view.coworker,
        workspace: view.workspace,
        model: view.model.data,
        mode: view.mode.data === 'bypass' ? 'ask' : view.mode.data,
        app_version: '1',
        continues: { session_id: from, last_seq: view.last_seq },
        ...changed,
      };
      return { ok: true, value } as const;
    };
    began(await carryOver(made.journal, from, to, created));
  }

  it('S0-58: has the visible branch with its times, attachments and settings; no grant, no Bypass, nothing queued', async () => {
    const made = bench({
      model: scriptedModel(says('Hidden.'), calls(['c1', 'test__write', { what: 'x' }]), says('Shown.'), [
        'hang',
      ]),
      tools: [write],
    });
    const session = made.create();
    const { session_id: id } = session;
    await say(session, 'hidden');
    const [hidden = ''] = made.view(id).turns.keys();
    const bytes = Buffer.from('in the file');
    const edited = began(
      session.edit(hidden, words('shown', [{ name: 'a.txt', media_type: 'text/plain', bytes }])),
    );
    answer(session, await request(made, session), 'session');
    await edited.done;
    began(session.setMode('bypass'));
    began(session.setLimits({ tokens: 1_000 }));
    const last = await start(session, 'last');
    await until(() => only(made.events(id), 'attempt_started').length === 4);
    began(session.queue(words('x'), 'next_turn'));
    await session.stop();
    await last.done;
    await carry(made, id, 's_new');
    const [before, after] = [made.view(id), made.view('s_new')];
    const shown = activeTurns(before);
    expect(activeTurns(after).map((turn) => turn.turn_id)).toEqual(shown.map((turn) => turn.turn_id));
    expect(shown).toHaveLength(2);
    expect([...after.turns.keys()]).not.toContain(hidden);
    expect([after.grants, after.queue.size, after.mode?.data]).toEqual([[], 0, 'ask']);
    expect(after.limits?.data).toEqual({ tokens: 1_000 });
    expect(after.continues).toMatchObject({ session_id: id });
    const times = (view: SessionView) =>
      activeTurns(view).map((turn) => [turn.submitted?.at, turn.finished?.at, turnEnd(turn)?.outcome]);
    expect(times(after)).toEqual(times(before));
    const digest = activeTurns(after)[0]?.submitted?.data.attachments[0]?.digest ?? '';
    expect(made.journal.readAttachment('s_new', digest)).toMatchObject({ ok: true });
    expect(activeTurns(after)[0]?.submitted?.data).not.toHaveProperty('branch');
  });

  it('S0-58: is gone on with as the former was: the model reads the same, asks anew, and the title stays', async () => {
    ran.length = 0;
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }]), says('Done.')),
      tools: [write],
    });
    const session = made.create();
    const { done } = await start(session, 'first');
    answer(session, await request(made, session), 'session');
    await done;
    began(session.rename('My own title'));
    await carry(made, session.session_id, 's_new');
    const model = scriptedModel(calls(['c2', 'test__write', { what: 'y' }]), says('ok'));
    const fresh = made.reopen('s_new', { model });
    const turn = await start(fresh, 'second');
    expect(model.requests[0]?.messages ?? []).toEqual([]);
    const pending = await request(made, fresh);
    expect(pending.request.data.reason).toBe('not_read_only');
    answer(fresh, pending, 'once');
    await turn.done;
    expect(model.requests[0]?.messages.map((message) => message.text)).toEqual([
      'first',
      '',
      'wrote x',
      'Done.',
      'second',
    ]);
    expect(made.view('s_new').title?.data).toBe('My own title');
    expect(ran).toEqual(['x', 'y']);
  });

  it('carries its compactions over: the context is as it was', async () => {
    const long = (id: string, n: number) => calls([id, 'test__read', { what: 'r'.repeat(n) }]);
    const answers = () => [long('c1', 8_000), long('c2', 300)];
    const overflowing = [...answers(), fails('context_overflow', false), says('SUMMARY'), says('Done.')];
    const made = bench({ model: scriptedModel(...overflowing, says('old way')), tools: [read] });
    const session = made.create();
    await say(session, 'first');
    await carry(made, session.session_id, 's_new');
    const [old, fresh] = [scriptedModel(says('ok')), scriptedModel(says('ok'))];
    await say(made.reopen(session.session_id, { model: old }), 'next');
    await say(made.reopen('s_new', { model: fresh }), 'next');
    expect(fresh.requests[0]?.messages).toEqual(old.requests[0]?.messages);
    expect(fresh.requests[0]?.messages[0]?.text).toContain('SUMMARY');
  });
});

describe('the door', () => {
  async function harnessOf(folder: string, codeDigest: string): Promise<Harness> {
    return began(
      await openHarness({
        dataFolder: join(folder, 'data'),
        appVersion: '0',
        libraryFolders: [],
        bundleFolders: [join(folder, 'bundle')],
        serversFile: null,
        serversTrust: 'owner',
        registerNative: () => ({ ok: true, value: null }),
        secrets: createMemorySecrets(),
        ownerProvider: null,
        resolveSecret: () => null,
        env: {},
        codeDigest,
        toolImages: true,
        guardrailsFile: null,
        standing: 'ask',
        log: () => undefined,
      }),
    );
  }

  it('S0-57 S0-58: stores the identity with the session, refuses another build, and continues as a new session', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'continue-'));
    const put = (name: string, text: string): void => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    };
    put(
      'bundle/coworker/manifest.md',
      '---\nid: tester\nname: Tester\ndescription: Tests.\nversion: 1.0.0\n---\n\nTest.\n',
    );
    put('bundle/coworker/tools.json', '{"version":3,"tools":[]}');
    const first = await harnessOf(folder, 'a'.repeat(64));
    const model = { provider: 'practice', name: 'practice' };
    const fresh = { coworker_id: 'tester', model, mode: 'bypass', workspace: null } as const;
    const { session_id: id } = began(await first.sessions.create(fresh));
    const session = began(first.sessions.get(id));
    const { turn_id: turn, done } = began(session.submit(words('first')));
    await until(() => first.practice(id, turn, { type: 'reply', text: 'Done.' }).ok);
    await done;
    await first.close();

    const second = await harnessOf(folder, 'b'.repeat(64));
    const old = began(second.sessions.get(id));
    const standing = began(await old.standing(new AbortController().signal));
    expect(standing).toMatchObject({ type: 'changed', parts: ['app'] });
    expect(old.submit(words('more'))).toMatchObject({ ok: false, error: { code: 'identity_changed' } });
    const { session_id: next } = began(await second.sessions.continueAsNew(id));
    const list = second.sessions.list();
    expect(list.map((summary) => summary.session_id).sort()).toEqual([id, next].sort());
    const carried = began(second.sessions.get(next));
    expect(began(await carried.standing(new AbortController().signal))).toEqual({ type: 'current' });
    const more = began(carried.submit(words('more')));
    expect(await second.sessions.continueAsNew(next)).toMatchObject({
      ok: false,
      error: { code: 'session_busy' },
    });
    await until(() => second.practice(next, more.turn_id, { type: 'reply', text: 'Again.' }).ok);
    expect(await more.done).toMatchObject({ outcome: 'completed' });
    expect(await second.sessions.continueAsNew('s_nowhere')).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
    const summary = second.sessions.list().find((one) => one.session_id === next);
    expect(summary).toMatchObject({ title: 'first (2)', meter: { turns: 2 } });
    await second.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
