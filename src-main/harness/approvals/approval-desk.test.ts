import { describe, expect, it } from 'vitest';
import { fail, ok } from '../protocol';
import { createApprovalDesk, type ApprovalBinding } from './approval-desk';

const binding: ApprovalBinding = {
  approval_id: 'a_1',
  turn_id: 't_1',
  call_id: 'c_1',
  qualified_name: 'files.move_file',
  pin: 'p',
  arguments_digest: 'd',
  answered_by_grant: true,
};
const allow = { type: 'allow', scope: 'once', by: 'person' } as const;
const refusal = { type: 'deny', note: '', by: 'person' } as const;
const nothing = () => ok(null);
const open = (): AbortSignal => new AbortController().signal;

describe('the approval desk', () => {
  it('hazard 9: takes one answer per request, the first, and only for what was shown', async () => {
    const desk = createApprovalDesk();
    const request = desk.open(binding, nothing, open());
    expect(desk.answer('a_1', 'other', allow)).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    expect(desk.answer('a_2', 'd', allow)).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    expect(desk.answer('a_1', 'd', refusal)).toEqual({ ok: true, value: null });
    expect(desk.answer('a_1', 'd', allow)).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    await expect(request.answer).resolves.toEqual(refusal);
  });

  it('hazard 90: a stop at the same tick as an answer leaves one of them, whichever was first', async () => {
    const first = createApprovalDesk();
    const stopped = new AbortController();
    const cancelled = first.open(binding, nothing, stopped.signal);
    stopped.abort();
    expect(first.answer('a_1', 'd', allow).ok).toBe(false);
    await expect(cancelled.answer).resolves.toEqual({ type: 'cancelled' });
    const second = createApprovalDesk();
    const late = new AbortController();
    const answered = second.open(binding, nothing, late.signal);
    expect(second.answer('a_1', 'd', allow).ok).toBe(true);
    late.abort();
    await expect(answered.answer).resolves.toEqual(allow);
  });

  it('a request that asks afresh is answered by a person, not by a grant that is made meanwhile', async () => {
    const desk = createApprovalDesk();
    const request = desk.open({ ...binding, answered_by_grant: false }, nothing, open());
    const granted = { type: 'allow', scope: 'session', by: 'grant' } as const;
    expect(desk.answer('a_1', 'd', granted)).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    expect(desk.answer('a_1', 'd', allow).ok).toBe(true);
    await expect(request.answer).resolves.toEqual(allow);
  });

  it('takes an answer before the request is open again, once, and for exactly that request', async () => {
    const desk = createApprovalDesk();
    expect(desk.answer('a_1', 'd', allow).ok).toBe(false);
    desk.expect('a_1', 'd', nothing);
    expect(desk.waits()).toBe(true);
    expect(desk.answer('a_1', 'other', allow).ok).toBe(false);
    expect(desk.answer('a_1', 'd', allow).ok).toBe(true);
    expect(desk.waits()).toBe(false);
    expect(desk.answer('a_1', 'd', refusal).ok).toBe(false);
    await expect(desk.open(binding, nothing, open()).answer).resolves.toEqual(allow);
    desk.expect('a_2', 'd', nothing);
    desk.answer('a_2', 'd', allow);
    expect(desk.withdraw('a_2')).toEqual(allow);
    expect(desk.answer('a_2', 'd', allow).ok).toBe(false);
    desk.expect('a_3', 'd', nothing);
    desk.clear();
    expect(desk.answer('a_3', 'd', allow).ok).toBe(false);
  });

  it.each(['open', 'expected'])(
    'a denial is taken once it is recorded, and not if it cannot be (%s request)',
    async (state) => {
      const desk = createApprovalDesk();
      const denials: unknown[] = [];
      let full = true;
      const deny = (denial: unknown) => {
        if (full) return fail('disk_full', 'The disk is full.');
        denials.push(denial);
        return ok(null);
      };
      const request = state === 'open' ? desk.open(binding, deny, open()) : null;
      if (!request) desk.expect('a_1', 'd', deny);
      expect(desk.answer('a_1', 'd', refusal)).toMatchObject({ ok: false, error: { code: 'disk_full' } });
      expect(desk.waits()).toBe(true);
      full = false;
      expect(desk.answer('a_1', 'd', refusal)).toEqual({ ok: true, value: null });
      expect(denials).toEqual([refusal]);
      expect([desk.waits(), desk.expects('a_1')]).toEqual([false, false]);
      expect(desk.answer('a_1', 'd', allow).ok).toBe(false);
      if (request) await expect(request.answer).resolves.toEqual(refusal);
    },
  );
});
