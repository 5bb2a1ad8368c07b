import { describe, expect, it } from 'vitest';
import type { Allowance } from '../approvals';
import { pendingApprovals, type ArgumentPattern } from '../protocol';
import { calls, says, scriptedModel } from '../testing/scripted-model';
import { answer, began, benches, only, request, say, start } from '../testing/session-acts';
import { textOf, until, type BenchTool, type SessionBench } from '../testing/session-bench';
import type { Session } from './session-port';

const bench = benches();
const day = 24 * 60 * 60 * 1000;

const ran: string[] = [];
const write: BenchTool = {
  name: 'test.write',
  input_schema: { type: 'object', properties: { what: { type: 'string' } } },
  call: (_context, args) => {
    ran.push(textOf(args, 'what'));
    return Promise.resolve({ text: 'written' });
  },
};

type ModelStep = ReturnType<typeof calls>;
const callOf = (id: string, what: string): ModelStep => calls([id, 'test__write', { what }]);

async function allow(
  made: SessionBench,
  session: Session,
  callId: string,
  terms: Partial<Allowance> = {},
): ReturnType<typeof give> {
  return give(session, await request(made, session, callId), terms);
}

async function give(
  session: Session,
  pending: Awaited<ReturnType<typeof request>>,
  terms: Partial<Allowance>,
): Promise<ReturnType<Session['answer']>> {
  const given: Allowance = { type: 'allow', scope: 'once', by: 'person', ...terms };
  return Promise.resolve(session.answer(pending.approval_id, pending.request.data, given));
}

const ended = (made: SessionBench, session: Session): Promise<boolean> =>
  until(() => made.events(session.session_id).at(-1)?.type === 'turn_finished');

function rules(made: SessionBench, session: Session) {
  return only(made.events(session.session_id), 'tool_started').map(({ data }) => data.rule);
}

describe('a grant for the coworker', () => {
  it('field reports 4, 5, 6: holds for the very next call, in another session, and after a restart', async () => {
    const model = scriptedModel(
      callOf('c1', 'a'),
      callOf('c2', 'b'),
      says('ok'),
      callOf('c3', 'c'),
      says('ok'),
    );
    const made = bench({ model, tools: [write] });
    const first = made.create();
    await start(first);
    expect((await allow(made, first, 'c1', { scope: 'coworker' })).ok).toBe(true);
    await ended(made, first);
    const second = made.create();
    await say(second);
    expect(rules(made, first).map(({ rule }) => rule)).toEqual(['asked_person', 'grant_coworker']);
    expect(rules(made, second)).toMatchObject([{ rule: 'grant_coworker', scope: 'coworker', by: 'person' }]);
    await second.close();
    const again = made.reopen(second.session_id, { model: scriptedModel(callOf('c4', 'd'), says('ok')) });
    await say(again);
    expect(rules(made, again).at(-1)?.rule).toBe('grant_coworker');
  });

  it('field report 17: frees the requests that it covers, in every session, each with its own answer', async () => {
    const model = scriptedModel(
      calls(['c1', 'test__write', { what: 'a' }], ['c2', 'test__write', { what: 'b' }]),
      callOf('c3', 'c'),
      says('ok'),
      says('ok'),
    );
    const made = bench({ model, tools: [write] });
    const [first, second] = [made.create(), made.create()];
    await start(first);
    await request(made, first, 'c2');
    await start(second);
    await request(made, second, 'c3');
    await allow(made, first, 'c1', { scope: 'coworker' });
    await ended(made, first);
    await ended(made, second);
    const by = (session: Session) =>
      only(made.events(session.session_id), 'approval_resolved').map(({ data }) => [
        data.call_id,
        data.by,
        data.scope,
      ]);
    expect(by(first).sort()).toEqual([
      ['c1', 'person', 'coworker'],
      ['c2', 'grant', 'coworker'],
    ]);
    expect(by(second)).toEqual([['c3', 'grant', 'coworker']]);
  });

  it('that was taken back covers nothing from the very next call on', async () => {
    const model = scriptedModel(callOf('c1', 'a'), says('ok'), callOf('c2', 'b'), says('ok'));
    const made = bench({ model, tools: [write] });
    const session = made.create();
    await start(session);
    await allow(made, session, 'c1', { scope: 'session' });
    await ended(made, session);
    const [grant] = only(made.events(session.session_id), 'grant_made');
    expect(session.revokeGrant('g_none')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(session.revokeGrant(grant?.data.grant_id ?? '')).toEqual({ ok: true, value: null });
    expect(session.revokeGrant(grant?.data.grant_id ?? '')).toEqual({ ok: true, value: null });
    await start(session);
    const asked = await request(made, session, 'c2');
    expect(asked.request.data.reason).toBe('not_read_only');
    await session.stop();
    await session.close();
    expect(made.reopen(session.session_id).revokeGrant(grant?.data.grant_id ?? '').ok).toBe(true);
  });
});

describe('a narrowed grant', () => {
  const only_a: ArgumentPattern = [{ type: 'exact', at: '/what', value: 'a' }];

  it('covers what its pattern says and asks about the rest, saying so', async () => {
    const model = scriptedModel(callOf('c1', 'a'), callOf('c2', 'a'), callOf('c3', 'b'), says('ok'));
    const made = bench({ model, tools: [write] });
    const session = made.create();
    await start(session);
    expect((await allow(made, session, 'c1', { scope: 'session', pattern: only_a })).ok).toBe(true);
    const asked = await request(made, session, 'c3');
    expect(asked.request.data).toMatchObject({
      reason: 'outside_grant',
      grant_id: only(made.events(session.session_id), 'grant_made')[0]?.data.grant_id,
    });
    expect(rules(made, session).map(({ rule }) => rule)).toEqual(['asked_person', 'grant_session']);
    await session.stop();
  });

  it('frees of its siblings only those that it covers', async () => {
    const model = scriptedModel(
      calls(
        ['c1', 'test__write', { what: 'a' }],
        ['c2', 'test__write', { what: 'b' }],
        ['c3', 'test__write', { what: 'a' }],
      ),
    );
    const made = bench({ model, tools: [write] });
    const session = made.create();
    await start(session);
    await request(made, session, 'c3');
    await allow(made, session, 'c1', { scope: 'session', pattern: only_a });
    await until(() => made.states(session.session_id)['c3'] === 'completed');
    expect(made.states(session.session_id)).toEqual({ c1: 'completed', c2: 'waiting', c3: 'completed' });
    await session.stop();
  });

  it.each<[string, Partial<Allowance>]>([
    ['does not cover the call it is given with', { pattern: [{ type: 'exact', at: '/what', value: 'z' }] }],
    ['ended before it began', { expires_at: '2020-01-01T00:00:00.000Z' }],
    ['ends when nobody lives', { expires_at: '9999-01-01T00:00:00.000Z' }],
  ])('that %s is not given, and the request waits on', async (_what, terms) => {
    for (const scope of ['session', 'coworker'] as const) {
      const made = bench({ model: scriptedModel(callOf('c1', 'a')), tools: [write] });
      const session = made.create();
      await start(session);
      expect(await allow(made, session, 'c1', { scope, ...terms })).toMatchObject({
        ok: false,
        error: { code: 'invalid_input' },
      });
      expect(made.states(session.session_id)).toEqual({ c1: 'waiting' });
      await session.stop();
    }
  });

  it('lapses at its end, is asked about with that reason, and a clock set back revives nothing', async () => {
    const clock = { now: Date.parse('2026-05-01T00:00:00.000Z') };
    const model = scriptedModel(callOf('c1', 'a'), says('ok'), callOf('c2', 'a'), callOf('c3', 'a'));
    const made = bench({ model, tools: [write], wallClock: () => clock.now });
    const session = made.create();
    await start(session);
    const expires_at = new Date(clock.now + day).toISOString();
    await allow(made, session, 'c1', { scope: 'session', expires_at });
    await ended(made, session);
    clock.now += 2 * day;
    await start(session);
    expect((await request(made, session, 'c2')).request.data.reason).toBe('grant_ended');
    clock.now -= 2 * day;
    await allow(made, session, 'c2');
    expect((await request(made, session, 'c3')).request.data.reason).toBe('grant_ended');
    expect(only(made.events(session.session_id), 'grant_ended')).toMatchObject([
      { data: { how: 'expired' } },
    ]);
    await session.stop();
  });
});

describe('edited arguments', () => {
  it('field report 26: proposed, released and approved are three records, and only the approved ones run', async () => {
    ran.length = 0;
    const model = scriptedModel(callOf('c1', 'proposed'), says('ok'));
    const made = bench({ model, tools: [write] });
    const session = made.create();
    await start(session);
    expect((await allow(made, session, 'c1', { arguments: { what: 'approved' } })).ok).toBe(true);
    await ended(made, session);
    const events = made.events(session.session_id);
    expect(ran).toEqual(['approved']);
    expect(only(events, 'assistant_message')[0]?.data.calls[0]?.arguments).toEqual({ what: 'proposed' });
    expect(only(events, 'approval_requested')[0]?.data.arguments).toEqual({ what: 'proposed' });
    expect(only(events, 'approval_resolved')[0]?.data).toMatchObject({
      outcome: 'allowed',
      arguments: { what: 'approved' },
      arguments_digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(only(events, 'tool_started')[0]?.data.arguments).toEqual({ what: 'approved' });
    const told = model.requests[1]?.messages.at(-1)?.text ?? '';
    expect(told).toContain('The person changed the arguments');
    expect(told).toContain('{"what":"approved"}');
    expect(told).toContain('written');
  });

  it('that do not fit the schema are refused, and the request waits on, also after a restart', async () => {
    ran.length = 0;
    const made = bench({ model: scriptedModel(callOf('c1', 'x')), tools: [write] });
    const session = made.create();
    await start(session);
    const bad = { arguments: { what: 5 } };
    const refused = { ok: false, error: { code: 'arguments_invalid' } };
    expect(await allow(made, session, 'c1', bad)).toMatchObject(refused);
    await session.close();
    const again = made.reopen(session.session_id, { model: scriptedModel(says('ok')) });
    expect(await allow(made, again, 'c1', bad)).toMatchObject(refused);
    expect((await allow(made, again, 'c1', { arguments: { what: 'mended' } })).ok).toBe(true);
    await ended(made, again);
    expect(ran).toEqual(['mended']);
  });

  it('S1-43: pass the input guardrails; what those change is asked about anew, and what they block never runs', async () => {
    for (const [action, reasons, outcome] of [
      ['transform', ['not_read_only', 'arguments_changed'], 'completed'],
      ['block', ['not_read_only'], 'rejected'],
    ] as const) {
      ran.length = 0;
      const made = bench({
        model: scriptedModel(callOf('c1', 'plain'), says('ok')),
        tools: [write],
        guardrails: {
          guardrails: [
            {
              name: 'watch',
              input: ({ arguments: args }) =>
                args['what'] !== 'edited'
                  ? { action: 'pass' }
                  : action === 'block'
                    ? { action: 'block', note: 'No.' }
                    : { action: 'transform', arguments: { what: 'made safe' } },
            },
          ],
          selections: [{ guardrail: 'watch', tools: ['*'], options: {} }],
        },
      });
      const session = made.create();
      await start(session);
      const first = await request(made, session, 'c1');
      await give(session, first, { arguments: { what: 'edited' } });
      if (action === 'transform') {
        const second = await until(() =>
          pendingApprovals(made.view(session.session_id)).find(
            ({ approval_id }) => approval_id !== first.approval_id,
          ),
        );
        expect(second.request.data.arguments).toEqual({ what: 'made safe' });
        await give(session, second, {});
      }
      await ended(made, session);
      const events = made.events(session.session_id);
      expect(only(events, 'approval_requested').map(({ data }) => data.reason)).toEqual(reasons);
      expect(made.states(session.session_id)).toEqual({ c1: outcome });
      expect(ran).toEqual(action === 'transform' ? ['made safe'] : []);
    }
  });
});

describe('a request that nobody answers', () => {
  it('field report 8: expires where the owner set a time; the model is told that it was no refusal', async () => {
    const model = scriptedModel(callOf('c1', 'a'), says('ok'));
    const made = bench({ model, tools: [write], expiryMs: 30 });
    const session = made.create();
    await say(session);
    const events = made.events(session.session_id);
    expect(only(events, 'approval_resolved')[0]?.data).toMatchObject({ outcome: 'expired', by: 'turn_end' });
    expect(made.states(session.session_id)).toEqual({ c1: 'expired' });
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('no refusal');
  });

  it('of before a restart expires from the new start on, and ends its turn without another request', async () => {
    const made = bench({ model: scriptedModel(callOf('c1', 'a')), tools: [write] });
    const session = made.create();
    await start(session);
    const pending = await request(made, session, 'c1');
    await session.close();
    const model = scriptedModel();
    const again = made.reopen(session.session_id, { model, expiryMs: 30 });
    await until(() => made.events(session.session_id).at(-1)?.type === 'turn_finished');
    expect(made.states(session.session_id)).toEqual({ c1: 'expired' });
    expect(made.events(session.session_id).at(-1)).toMatchObject({
      data: { outcome: 'failed', error: { code: 'expired' } },
    });
    expect(answer(again, pending, 'once')).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    expect(again.busy()).toBe(false);
    expect(model.requests).toEqual([]);
    expect(began(again.submit({ text: 'x', files: [], mentions: [] })).turn_id).not.toBe('');
    await again.stop();
  });
});
