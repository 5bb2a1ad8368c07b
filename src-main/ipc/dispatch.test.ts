import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { commandSchemas, querySchemas } from '../../src-preload/contract';
import { ok } from '../harness';
import { createDispatch } from './dispatch';

const handlers = Object.fromEntries(
  [...Object.keys(commandSchemas), ...Object.keys(querySchemas)].map((name) => [name, vi.fn(() => ok(null))]),
);
const schemas = { ...commandSchemas, ...querySchemas };
const dispatch = createDispatch(schemas, handlers);
const names = Object.keys(schemas);

const limits = (given: Record<string, unknown>) => ({
  tokens: null,
  cost_usd: null,
  turns: null,
  minutes: null,
  ...given,
});

describe('the bridge (hazard 44)', () => {
  it('passes a payload that fits its schema on to its handler', async () => {
    expect(await dispatch('session.stop', { session_id: 's_1' })).toEqual(ok(null));
    expect(handlers['session.stop']).toHaveBeenCalledWith({ session_id: 's_1' });
  });

  it.each<[string, unknown]>([
    [
      'session.queue',
      { session_id: 's', text: 'x', attachments: ['a'], mentions: [], delivery: 'this_turn' },
    ],
    [
      'session.settle',
      { session_id: 's', turn_id: 't', call_id: 'call/1+=', settlement: 'run_again', note: '' },
    ],
    ['session.set_limits', { session_id: 's', limits: limits({ tokens: 1, cost_usd: 0.01, minutes: 0.5 }) }],
    ['session.set_effort', { session_id: 's', effort: null }],
    ['session.continue_as_new', { session_id: 's' }],
    ['attachment.restore', { session_id: 's', digest: 'a'.repeat(64), name: 'a.txt' }],
  ])('passes %s on with %j', async (name, payload) => {
    for (const handler of Object.values(handlers)) handler.mockClear();
    expect(await dispatch(name, payload)).toEqual(ok(null));
    expect(handlers[name]).toHaveBeenCalledWith(payload);
  });

  it.each<[unknown, unknown]>([
    ['session.stop', {}],
    ['session.stop', { session_id: 7 }],
    ['session.stop', { session_id: 's_1', more: true }],
    ['session.stop', { session_id: '../../etc' }],
    ['session.stop', JSON.parse('{"session_id":"s_1","__proto__":{"x":1}}')],
    ['session.stop', null],
    ['session.stop', undefined],
    ['session.submit', { session_id: 's_1', text: 'x'.repeat(300_000), attachments: [], mentions: [] }],
    [
      'session.create',
      { coworker_id: 'c', model: { provider: 'p', name: 'm' }, mode: 'root', workspace: null },
    ],
    [
      'approval.answer',
      {
        session_id: 's',
        approval_id: 'a',
        shown: { arguments_digest: 'short', pin: 'a'.repeat(64) },
        answer: { type: 'allow', scope: 'once' },
      },
    ],
    [
      'approval.answer',
      {
        session_id: 's',
        approval_id: 'a',
        shown: { arguments_digest: 'a'.repeat(64), pin: 'a'.repeat(64) },
        answer: { type: 'allow', scope: 'always' },
      },
    ],
    ['session.edit', { session_id: 's', text: '', attachments: [], mentions: [] }],
    ['session.queue', { session_id: 's', text: '', attachments: [], mentions: [], delivery: 'later' }],
    [
      'session.queue',
      { session_id: 's', text: '', attachments: Array(11).fill('a'), mentions: [], delivery: 'next_turn' },
    ],
    ['session.settle', { session_id: 's', turn_id: 't', call_id: '', settlement: 'happened', note: '' }],
    ['session.settle', { session_id: 's', turn_id: 't', call_id: 'c', settlement: 'forget', note: '' }],
    [
      'session.settle',
      { session_id: 's', turn_id: 't', call_id: 'c', settlement: 'happened', note: 'x'.repeat(4001) },
    ],
    ['session.answer_pause', { session_id: 's', pause_id: 'p', go_on: 'yes' }],
    ['session.set_effort', { session_id: 's', effort: 'utmost' }],
    ['session.set_limits', { session_id: 's', limits: { tokens: 1 } }],
    ['session.set_limits', { session_id: 's', limits: limits({ tokens: 0 }) }],
    ['session.set_limits', { session_id: 's', limits: limits({ turns: 1.5 }) }],
    ['session.set_limits', { session_id: 's', limits: limits({ cost_usd: -1 }) }],
    ['session.set_limits', { session_id: 's', limits: limits({ minutes: 1e9 }) }],
    ['session.set_limits', { session_id: 's', limits: { ...limits({}), requests: 1 } }],
    ['session.image', { session_id: 's', image_id: 'i' }],
    ['session.standing', {}],
    ['journal.problems', { file: 'journal.db' }],
    ['journal.accept_loss', { sure: true }],
    [
      'session.create',
      {
        coworker_id: 'c',
        model: { provider: 'p', name: 'n' },
        mode: 'ask',
        effort: 'utmost',
        workspace: null,
      },
    ],
    ['attachment.restore', { session_id: 's', digest: '../a', name: 'a.txt' }],
    ['setting.set', { key: 'providers', value: [] }],
    ['constructor', {}],
    ['__proto__', {}],
    ['toString', {}],
    ['unknown.verb', {}],
    [{ toString: () => 'session.stop' }, { session_id: 's_1' }],
    [7, {}],
  ])('refuses %j with %j before any handler sees it', async (name, payload) => {
    for (const handler of Object.values(handlers)) handler.mockClear();
    const answer = await dispatch(name, payload);
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    for (const handler of Object.values(handlers)) expect(handler).not.toHaveBeenCalled();
  });

  it('answers a result, and never throws, whatever comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constantFrom(...names), fc.string()),
        fc.anything(),
        async (name, payload) => {
          const answer = await dispatch(name, payload);
          expect(typeof answer.ok).toBe('boolean');
        },
      ),
      { numRuns: 500 },
    );
  });

  it('turns a defect of a handler into words without a stack', async () => {
    const failing = createDispatch(querySchemas, {
      'app.info': () => {
        throw new Error('the disk is gone');
      },
    });
    const answer = await failing('app.info', {});
    expect(answer).toMatchObject({ ok: false, error: { code: 'internal' } });
    expect(JSON.stringify(answer)).not.toMatch(/\.ts|at /);
  });
});
