import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, ok } from '../protocol';
import {
  createApprovalDesk,
  type Allowance,
  type Answer,
  type ApprovalBinding,
  type RequestHandlers,
} from './approval-desk';

const binding: ApprovalBinding = {
  approval_id: 'a_1',
  turn_id: 't_1',
  call_id: 'c_1',
  qualified_name: 'files.move_file',
  pin: 'p',
  arguments_digest: 'd',
};
const shown = { arguments_digest: 'd', pin: 'p' };
const allow = { type: 'allow', scope: 'once', by: 'person' } as const;
const refusal = { type: 'deny', note: '', by: 'person' } as const;
const granted: Allowance = { type: 'allow', scope: 'session', by: 'grant' };
const open = (): AbortSignal => new AbortController().signal;

function handlers(more: Partial<RequestHandlers> = {}): RequestHandlers {
  return { take: (answer) => ok(answer), covered: () => null, expires_in_ms: null, ...more };
}

const expected = { ...handlers(), expire: (): void => undefined };

describe('the approval desk', () => {
  it('hazard 9: takes one answer per request, the first, and only for what was shown', async () => {
    const desk = createApprovalDesk();
    const request = desk.open(binding, handlers(), open());
    expect(desk.answer('a_2', shown, allow)).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    expect(desk.answer('a_1', shown, refusal)).toEqual({ ok: true, value: null });
    expect(desk.answer('a_1', shown, allow)).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    await expect(request.answer).resolves.toEqual(refusal);
  });

  it.each([
    ['arguments', { ...shown, arguments_digest: 'other' }],
    ['definition', { ...shown, pin: 'other' }],
  ])('hazard 3, field report 25: says that the %s are not what was shown', (what, other) => {
    const desk = createApprovalDesk();
    desk.open(binding, handlers(), open());
    desk.expect('a_9', shown, expected);
    for (const id of ['a_1', 'a_9']) {
      const refused = desk.answer(id, other, allow);
      expect(refused).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
      expect(refused.ok ? '' : refused.error.message).toContain(what);
    }
    expect(desk.waits()).toBe(true);
  });

  it('hazard 90: a stop at the same tick as an answer leaves one of them, whichever was first', async () => {
    const first = createApprovalDesk();
    const stopped = new AbortController();
    const cancelled = first.open(binding, handlers(), stopped.signal);
    stopped.abort();
    expect(first.answer('a_1', shown, allow).ok).toBe(false);
    await expect(cancelled.answer).resolves.toEqual({ type: 'cancelled' });
    const second = createApprovalDesk();
    const late = new AbortController();
    const answered = second.open(binding, handlers(), late.signal);
    expect(second.answer('a_1', shown, allow).ok).toBe(true);
    late.abort();
    await expect(answered.answer).resolves.toEqual(allow);
  });

  it('field report 17: lets every request go that a grant covers by now, and no other', async () => {
    const desk = createApprovalDesk();
    const free = desk.open(binding, handlers({ covered: () => granted }), open());
    const also = desk.open({ ...binding, approval_id: 'a_2' }, handlers({ covered: () => granted }), open());
    desk.open({ ...binding, approval_id: 'a_3' }, handlers(), open());
    desk.releaseCovered();
    await expect(free.answer).resolves.toEqual(granted);
    await expect(also.answer).resolves.toEqual(granted);
    expect(desk.waiting().map(({ approval_id }) => approval_id)).toEqual(['a_3']);
  });

  it('takes an answer before the request is open again, once, and for exactly that request', async () => {
    const desk = createApprovalDesk();
    expect(desk.answer('a_1', shown, allow).ok).toBe(false);
    desk.expect('a_1', shown, expected);
    expect(desk.waits()).toBe(true);
    expect(desk.answer('a_1', shown, allow).ok).toBe(true);
    expect(desk.waits()).toBe(false);
    expect(desk.answer('a_1', shown, refusal).ok).toBe(false);
    await expect(desk.open(binding, handlers(), open()).answer).resolves.toEqual(allow);
    desk.expect('a_2', shown, expected);
    desk.answer('a_2', shown, allow);
    expect(desk.withdraw('a_2')).toEqual(allow);
    expect(desk.answer('a_2', shown, allow).ok).toBe(false);
    desk.expect('a_3', shown, expected);
    desk.clear();
    expect(desk.answer('a_3', shown, allow).ok).toBe(false);
  });

  it.each(['open', 'expected'])(
    'an answer is taken once what belongs to it is recorded, and not if it cannot be (%s request)',
    async (state) => {
      const desk = createApprovalDesk();
      const taken: Answer[] = [];
      let full = true;
      const take = (answer: Answer) => {
        if (full) return fail('disk_full', 'The disk is full.');
        taken.push(answer);
        return ok(answer);
      };
      const request = state === 'open' ? desk.open(binding, handlers({ take }), open()) : null;
      if (!request) desk.expect('a_1', shown, { ...expected, take });
      expect(desk.answer('a_1', shown, refusal)).toMatchObject({ ok: false, error: { code: 'disk_full' } });
      expect(desk.waits()).toBe(true);
      full = false;
      expect(desk.answer('a_1', shown, refusal)).toEqual({ ok: true, value: null });
      expect(taken).toEqual([refusal]);
      expect([desk.waits(), desk.expects('a_1')]).toEqual([false, false]);
      expect(desk.answer('a_1', shown, allow).ok).toBe(false);
      if (request) await expect(request.answer).resolves.toEqual(refusal);
    },
  );
});

describe('expiry', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('field report 8: a request that nobody answers expires, which is no denial', async () => {
    const desk = createApprovalDesk();
    const request = desk.open(binding, handlers({ expires_in_ms: 60_000 }), open());
    vi.advanceTimersByTime(59_999);
    expect(desk.waits()).toBe(true);
    vi.advanceTimersByTime(1);
    await expect(request.answer).resolves.toEqual({ type: 'expired' });
    expect(desk.answer('a_1', shown, allow).ok).toBe(false);
  });

  it('an answered request does not expire, nor one without an end', async () => {
    const desk = createApprovalDesk();
    const request = desk.open(binding, handlers({ expires_in_ms: 60_000 }), open());
    desk.answer('a_1', shown, allow);
    desk.open({ ...binding, approval_id: 'a_2' }, handlers(), open());
    vi.advanceTimersByTime(2 ** 31);
    await expect(request.answer).resolves.toEqual(allow);
    expect(desk.waits()).toBe(true);
  });

  it('a request of before a restart counts from the new start, and not once it was allowed', () => {
    const desk = createApprovalDesk();
    const expired: string[] = [];
    for (const id of ['a_1', 'a_2', 'a_3']) {
      desk.expect(id, shown, { ...expected, expires_in_ms: 1_000, expire: () => void expired.push(id) });
    }
    desk.answer('a_2', shown, allow);
    desk.withdraw('a_3');
    vi.advanceTimersByTime(1_000);
    expect(expired).toEqual(['a_1']);
  });
});
