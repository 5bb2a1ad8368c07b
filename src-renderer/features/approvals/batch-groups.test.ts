import { describe, expect, it } from 'vitest';
import {
  emptySessionView,
  foldSessionEvents,
  pendingApprovals,
  type ApprovalRequested,
  type JsonObject,
} from '../../../src-preload/contract';
import { recorder } from '../../testing/fixture-data';
import { ask, beginTurn, call } from '../../testing/fixture-sessions';
import { groupRequests, lookReason, targetOf } from './batch-groups';
import { closingOf } from './closed-note';
import { batchOutcome } from './use-batch';

interface Made {
  readonly name: string;
  readonly arguments: JsonObject;
}

function waiting(made: readonly Made[]) {
  const record = recorder('s', new Date(0));
  beginTurn(record, 't', 'Go');
  for (const [at, one] of made.entries()) ask(record, 't', `a${at}`, call(`c${at}`, one.name, one.arguments));
  const view = () => foldSessionEvents(emptySessionView('s'), record.events);
  return { record, view, pending: pendingApprovals(view()) };
}

const move = (name: string, folder: string): Made => ({
  name: 'files.move_file',
  arguments: { source: name, destination: `${folder}/${name}` },
});

describe('field report 18: parallel calls on one sheet', () => {
  it('are grouped by tool and target, each call once, in the order in which they came', () => {
    const { pending } = waiting([
      move('a', 'Archive'),
      { name: 'chat.post', arguments: { to: '#shop', text: 'x' } },
      move('b', 'Photos'),
      move('c', 'Archive'),
    ]);
    const groups = groupRequests(pending);
    expect(groups.map(({ tool, target, pending: calls }) => [tool, target, calls.length])).toEqual([
      ['files.move_file', 'Archive', 2],
      ['chat.post', '#shop', 1],
      ['files.move_file', 'Photos', 1],
    ]);
    expect(groups.flatMap((group) => group.pending)).toHaveLength(4);
  });

  it('hazard 13: five hundred of them are grouped at once', () => {
    const { pending } = waiting(Array.from({ length: 500 }, (_, at) => move(`${at}.txt`, `f${at % 3}`)));
    const started = performance.now();
    expect(groupRequests(pending)).toHaveLength(3);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('the target of a call', () => {
  const target = (given: JsonObject | null, presentation: ApprovalRequested['presentation'] = 'plain') =>
    targetOf({ arguments: given, presentation } as ApprovalRequested);
  it.each([
    [{ url: 'https://a.example:8080/x?y' }, 'a.example:8080'],
    [{ path: 'src/a.ts' }, 'src'],
    [{ path: 'a.ts' }, null],
    [{ channel: '#x' }, '#x'],
    [
      {
        moves: [
          { from: 'a', to: 'b/a' },
          { from: 'c', to: 'd/c' },
        ],
      },
      null,
    ],
    [{ other: 1 }, null],
    [null, null],
  ])('%j is %s', (given, expected) => expect(target(given)).toBe(expected));

  it('is the program of a command', () => {
    expect(target({ command: ' git push' }, 'command')).toBe('git');
  });
});

describe('what cannot be judged in a list', () => {
  const reason = (given: Partial<ApprovalRequested>) =>
    lookReason({
      arguments: { a: 'b' },
      name: 'a__b',
      qualified_name: 'a.b',
      origin: { kind: 'native' },
      reason: 'not_read_only',
      ...given,
    } as ApprovalRequested);

  it('has to be opened before it can be allowed (hazards 4 and 5)', () => {
    expect(reason({})).toBeNull();
    expect(reason({ arguments: { a: 'x'.repeat(900) } })).toBe('long');
    expect(reason({ arguments: { a: 'a\u202Eb' } })).toBe('hidden');
    expect(reason({ origin: { kind: 'mcp', server: 'a\u200B' } })).toBe('hidden');
    expect(reason({ reason: 'definition_changed' })).toBe('changed');
    expect(reason({ reason: 'uninspectable' })).toBe('uninspectable');
    const fact = { guardrail: 'g', stage: 'input', action: 'withheld', findings: [], note: '' } as const;
    expect(reason({ arguments: null, guardrails: [fact] })).toBe('guardrail');
    expect(reason({ guardrails: [{ ...fact, action: 'passed' }] })).toBeNull();
  });
});

describe('requests that wait no more', () => {
  const made = () => waiting([move('a', 'x'), move('b', 'x'), move('c', 'x')]);
  const resolve = (
    given: ReturnType<typeof made>,
    at: number,
    data: {
      outcome: 'allowed' | 'denied' | 'expired' | 'cancelled';
      note?: string;
      by?: 'person' | 'grant' | 'turn_end';
    },
  ) =>
    given.record.add('t', 'approval_resolved', {
      approval_id: `a${at}`,
      call_id: `c${at}`,
      outcome: data.outcome,
      scope: null,
      note: data.note ?? '',
      by: data.by ?? 'person',
    });

  it('field report 18: each keeps the outcome of its own call', () => {
    const given = made();
    resolve(given, 0, { outcome: 'denied' });
    const [first, second] = given.pending;
    if (!first || !second) throw new Error('Three wait.');
    expect(batchOutcome(given.view(), first, false)).toBe('denied');
    expect(batchOutcome(given.view(), second, true)).toBeNull();
    expect(batchOutcome(given.view(), second, false)).toBe('cancelled');
  });

  it('field report 17: says how many others a wider permission freed', () => {
    const given = made();
    resolve(given, 0, { outcome: 'allowed' });
    resolve(given, 1, { outcome: 'allowed', by: 'grant' });
    resolve(given, 2, { outcome: 'allowed', by: 'grant' });
    expect(closingOf(given.view(), given.pending)).toMatchObject({ closed: 0, freed: 2 });
  });

  it('field report 9: says why a request closed without an answer, and nothing where the person answered', () => {
    const given = made();
    resolve(given, 0, { outcome: 'expired', note: 'Nobody answered in an hour.', by: 'turn_end' });
    resolve(given, 1, { outcome: 'denied', note: 'No.' });
    expect(closingOf(given.view(), given.pending.slice(0, 2))).toEqual({
      closed: 1,
      reason: 'Nobody answered in an hour.',
      freed: 0,
      turns: ['t'],
    });
    expect(closingOf(given.view(), given.pending.slice(1, 2))).toBeNull();
  });
});
