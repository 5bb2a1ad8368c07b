import { describe, expect, it } from 'vitest';
import { pendingApprovals } from '../protocol';
import { ran, read, write } from '../testing/bench-tools';
import { calls, says, scriptedModel } from '../testing/scripted-model';
import { answer, began, benches, only, request, say, start, types, words } from '../testing/session-acts';
import type { BenchOptions } from '../testing/session-bench';
import type { CatalogSource } from '../tools';
import { presentNativeTool } from '../tools/native-tool';
import type { Session } from './session-port';

const bench = benches();
const code = 'c'.repeat(64);
const quiet = new AbortController().signal;

const standingOf = async (session: Session) => began(await session.standing(quiet));

/** A server that offers one tool, described by `description`. */
function server(description: string, program = '/bin/acer'): CatalogSource {
  const descriptor = {
    qualified_name: 'acer.fan',
    description,
    input_schema: { type: 'object' },
    version: '1',
  };
  const made = presentNativeTool(
    { descriptor: () => descriptor, call: () => Promise.resolve({ text: '900 rpm' }) },
    {},
  );
  const tool = { ...made, origin: { kind: 'mcp', server: 'acer' }, placement: 'host_process' } as const;
  return {
    namespace: 'acer',
    origin: { transport: 'stdio', program },
    discover: () =>
      Promise.resolve({
        ok: true,
        value: { namespace: 'acer', tools: new Map([['fan', tool]]), unusable: new Map() },
      }),
  };
}

describe('the execution identity of a session', () => {
  const base: BenchOptions = { model: scriptedModel(), tools: [read], codeDigest: code };

  it.each<[string, Partial<BenchOptions>, readonly string[], RegExp]>([
    ['bundle', { bundleDigest: 'e'.repeat(64) }, ['bundle'], /coworker's folder/],
    ['policies', { policies: { policy_version: 2 } }, ['policies'], /rules of approval/],
    ['selection', { tools: [read, write] }, ['registry', 'native'], /selected tools/],
    ['native descriptor', { tools: [{ ...read, description: 'Reads otherwise.' }] }, ['native'], /tools/],
    ['version of a tool (S0-59)', { tools: [{ ...read, version: '2' }] }, ['native'], /tools/],
    ["app's own code", { codeDigest: 'f'.repeat(64) }, ['app'], /app/],
  ])(
    'S0-57 S0-58: another %s refuses to go on, and names the part; reading stays',
    async (_, changed, parts, said) => {
      const made = bench({ ...base, model: scriptedModel(says('ok')) });
      const session = made.create();
      await say(session);
      expect(await standingOf(session)).toEqual({ type: 'current' });
      await session.close();
      const model = scriptedModel();
      const again = made.reopen(session.session_id, { ...changed, model });
      // Without anybody having asked, the turn itself refuses.
      const end = await say(again);
      expect(end).toMatchObject({ outcome: 'failed', error: { code: 'identity_changed', data: { parts } } });
      expect(end.error?.message).toMatch(said);
      expect(model.requests).toEqual([]);
      expect(await standingOf(again)).toMatchObject({ type: 'changed', parts });
      const refused = { ok: false, error: { code: 'identity_changed' } };
      expect(again.submit(words('x'))).toMatchObject(refused);
      expect(again.queue(words('x'), 'next_turn')).toMatchObject(refused);
      expect(again.retry()).toMatchObject(refused);
      const [turn] = made.view(session.session_id).turns.keys();
      expect(again.edit(turn ?? '', words('x'))).toMatchObject(refused);
      const seen: string[] = [];
      again.subscribe(0, ({ events }) => seen.push(...types(events)))();
      expect(seen).toEqual(types(made.events(session.session_id)));
      expect(again.rename('Still named').ok).toBe(true);
    },
  );

  it('S0-57: where a server is configured to be is a part of it; what the server says is not', async () => {
    const made = bench({
      model: scriptedModel(says('ok')),
      sources: [server('one')],
      selected: ['acer.fan'],
      codeDigest: code,
    });
    const session = made.create();
    const { session_id: id } = session;
    expect(await standingOf(made.reopen(id, { sources: [server('two')] }))).toEqual({ type: 'current' });
    const moved = made.reopen(id, { sources: [server('one', '/bin/other')] });
    expect(await standingOf(moved)).toMatchObject({ type: 'changed', parts: ['registry'] });
  });

  it('S0-58: closes what waits for a person, with the reason; nothing of it runs', async () => {
    ran.length = 0;
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }])),
      tools: [write],
      codeDigest: code,
    });
    const session = made.create();
    await start(session);
    const pending = await request(made, session);
    await session.close();
    const again = made.reopen(session.session_id, { codeDigest: 'f'.repeat(64), model: scriptedModel() });
    expect(pendingApprovals(made.view(session.session_id))).toHaveLength(1);
    await standingOf(again);
    expect(pendingApprovals(made.view(session.session_id))).toEqual([]);
    expect(answer(again, pending, 'once')).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    expect(only(made.events(session.session_id), 'approval_resolved')[0]?.data).toMatchObject({
      outcome: 'cancelled',
      by: 'turn_end',
      note: expect.stringMatching(/Since this session began, this has changed/) as string,
    });
    expect([made.states(session.session_id), ran]).toEqual([{ c1: 'cancelled' }, []]);
  });

  it('S0-58: a call of unknown outcome can still be settled, and not be run again', async () => {
    const breaking = { ...read, call: () => Promise.reject(new Error('boom')) };
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__read', { what: 'x' }])),
      tools: [breaking],
      codeDigest: code,
    });
    const session = made.create();
    await say(session);
    const again = made.reopen(session.session_id, { codeDigest: 'f'.repeat(64) });
    await standingOf(again);
    const [turn = ''] = made.view(session.session_id).turns.keys();
    expect(again.settle(turn, 'c1', 'run_again', '')).toMatchObject({
      ok: false,
      error: { code: 'identity_changed' },
    });
    expect(began(again.settle(turn, 'c1', 'happened', ''))).toBeNull();
  });
});

describe('a definition that changes', () => {
  const fan = calls(['c1', 'acer__fan', {}]);
  const two = calls(['c2', 'acer__fan', {}]);

  it('S0-55 S0-56 C7: is recorded field by field at the next turn, and inherits no grant', async () => {
    const made = bench({
      model: scriptedModel(fan, says('ok')),
      sources: [server('Shows the fan.')],
      selected: ['acer.fan'],
    });
    const session = made.create();
    const { done } = await start(session);
    answer(session, await request(made, session), 'session');
    await done;
    await session.close();
    const model = scriptedModel(two, says('ok'));
    const again = made.reopen(session.session_id, { sources: [server('Stops the fan.')], model });
    const second = await start(again);
    const pending = await request(made, again, 'c2');
    expect(pending.request.data.reason).toBe('definition_changed');
    const [changed] = only(made.events(session.session_id), 'definition_changed');
    expect(changed).toMatchObject({
      turn_id: second.turn_id,
      data: {
        qualified_name: 'acer.fan',
        after_pin: pending.request.data.pin,
        changes: [expect.objectContaining({ before: 'Shows the fan.', after: 'Stops the fan.' })],
      },
    });
    answer(again, pending, 'once');
    await second.done;
    await say(
      made.reopen(session.session_id, {
        sources: [server('Stops the fan.')],
        model: scriptedModel(says('ok')),
      }),
    );
    expect(only(made.events(session.session_id), 'definition_changed')).toHaveLength(1);
  });
});
