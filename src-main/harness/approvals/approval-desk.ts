import { fail, ok, type GrantScope, type Result } from '../protocol';

export type Allowance = {
  readonly type: 'allow';
  readonly scope: GrantScope;
  readonly by: 'person' | 'host' | 'grant';
};
export type Denial = { readonly type: 'deny'; readonly note: string; readonly by: 'person' | 'host' };
export type Answer = Allowance | Denial;

/** What a request stands for. An answer counts only for exactly this (S0-56). */
export interface ApprovalBinding {
  readonly approval_id: string;
  readonly turn_id: string;
  readonly call_id: string;
  readonly qualified_name: string;
  readonly pin: string;
  readonly arguments_digest: string;
  /** Whether a grant that is made meanwhile answers it; not where a person is asked afresh. */
  readonly answered_by_grant: boolean;
}

/** A denial is final, so it is on record before it is acknowledged; one that cannot be recorded is not taken. */
export type RecordDenial = (denial: Denial) => Result<unknown>;

export interface WaitingRequest extends ApprovalBinding {
  /** Settles once: with the answer, or with `cancelled` when the wait was aborted. */
  readonly answer: Promise<Answer | { readonly type: 'cancelled' }>;
}

/**
 * The requests of one session that wait for an answer. Each is answered once, by its id and the digest of what was
 * shown; the first answer wins. It holds no history: the journal does.
 */
export interface ApprovalDesk {
  /** A request that a restart left behind: it can be answered before its call is opened again. */
  expect(approvalId: string, argumentsDigest: string, deny: RecordDenial): void;
  /** Whether an expected request was neither denied nor opened again. */
  expects(approvalId: string): boolean;
  open(binding: ApprovalBinding, deny: RecordDenial, signal: AbortSignal): WaitingRequest;
  answer(approvalId: string, argumentsDigest: string, answer: Answer): Result<null>;
  /** Takes an expected request back, with the allowance that it was given meanwhile. */
  withdraw(approvalId: string): Allowance | null;
  /** Requests that are open now. */
  waiting(): readonly ApprovalBinding[];
  /** Whether any request waits for an answer, open or expected. */
  waits(): boolean;
  /** Forgets what was expected and never opened. */
  clear(): void;
}

interface ExpectedRequest {
  readonly digest: string;
  readonly deny: RecordDenial;
  allowed: Allowance | null;
}

interface OpenRequest {
  readonly binding: ApprovalBinding;
  readonly deny: RecordDenial;
  readonly settle: (answer: Answer | { readonly type: 'cancelled' }) => void;
}

const closed =
  'This request is closed: it was answered before, or its turn has ended. Nothing was run by your answer.';
const afresh =
  'This request waits for a person, whatever was allowed before. Nothing was run by your answer.';
const changed =
  'The arguments are not those that were shown to you, so the answer was not taken. Look at the request again.';

export function createApprovalDesk(): ApprovalDesk {
  const expected = new Map<string, ExpectedRequest>();
  const open = new Map<string, OpenRequest>();
  const withdraw = (approvalId: string): Allowance | null => {
    const allowed = expected.get(approvalId)?.allowed ?? null;
    expected.delete(approvalId);
    return allowed;
  };
  return {
    expect: (approvalId, digest, deny) => void expected.set(approvalId, { digest, deny, allowed: null }),
    expects: (approvalId) => expected.has(approvalId),
    open(binding, deny, signal) {
      const early = withdraw(binding.approval_id);
      const answer = new Promise<Answer | { type: 'cancelled' }>((resolve) => {
        const settle = (value: Answer | { type: 'cancelled' }): void => {
          if (!open.delete(binding.approval_id)) return;
          signal.removeEventListener('abort', cancel);
          resolve(value);
        };
        const cancel = (): void => settle({ type: 'cancelled' });
        open.set(binding.approval_id, { binding, deny, settle });
        if (signal.aborted) cancel();
        else if (early) settle(early);
        else signal.addEventListener('abort', cancel, { once: true });
      });
      return { ...binding, answer };
    },
    answer(approvalId, argumentsDigest, answer) {
      const entry = open.get(approvalId);
      if (answer.type === 'allow' && answer.by === 'grant' && entry?.binding.answered_by_grant === false)
        return fail('stale_answer', afresh);
      const early = expected.get(approvalId);
      if (!entry && (!early || early.allowed)) return fail('stale_answer', closed);
      if ((entry?.binding.arguments_digest ?? early?.digest) !== argumentsDigest)
        return fail('stale_answer', changed);
      const denied = answer.type === 'deny' ? (entry ?? early)?.deny(answer) : undefined;
      if (denied?.ok === false) return denied;
      if (entry) entry.settle(answer);
      else if (answer.type === 'deny') expected.delete(approvalId);
      else if (early) early.allowed = answer;
      return ok(null);
    },
    withdraw,
    waiting: () => [...open.values()].map((entry) => entry.binding),
    waits: () => open.size > 0 || [...expected.values()].some((early) => early.allowed === null),
    clear: () => expected.clear(),
  };
}
