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

describe('the bridge (hazard 44)', () => {
  it('passes a payload that fits its schema on to its handler', async () => {
    expect(await dispatch('session.stop', { session_id: 's_1' })).toEqual(ok(null));
    expect(handlers['session.stop']).toHaveBeenCalledWith({ session_id: 's_1' });
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
        arguments_digest: 'short',
        answer: { type: 'allow', scope: 'once' },
      },
    ],
    [
      'approval.answer',
      {
        session_id: 's',
        approval_id: 'a',
        arguments_digest: 'a'.repeat(64),
        answer: { type: 'allow', scope: 'always' },
      },
    ],
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
