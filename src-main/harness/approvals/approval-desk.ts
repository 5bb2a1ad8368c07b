import { fail, ok, type GrantScope, type Result } from '../protocol';

export type Answer =
  | { readonly type: 'allow'; readonly scope: GrantScope; readonly by: 'person' | 'host' | 'grant' }
  | { readonly type: 'deny'; readonly note: string; readonly by: 'person' | 'host' };

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
  expect(approvalId: string, argumentsDigest: string): void;
  open(binding: ApprovalBinding, signal: AbortSignal): WaitingRequest;
  answer(approvalId: string, argumentsDigest: string, answer: Answer): Result<null>;
  /** Takes an expected request back, with the answer that it was given meanwhile. */
  withdraw(approvalId: string): Answer | null;
  /** Requests that are open now. */
  waiting(): readonly ApprovalBinding[];
  /** Forgets what was expected and never opened. */
  clear(): void;
}

interface OpenRequest {
  readonly binding: ApprovalBinding;
  readonly settle: (answer: Answer | { readonly type: 'cancelled' }) => void;
}

const closed =
  'This request is closed: it was answered before, or its turn has ended. Nothing was run by your answer.';
const afresh =
  'This request waits for a person, whatever was allowed before. Nothing was run by your answer.';
const changed =
  'The arguments are not those that were shown to you, so the answer was not taken. Look at the request again.';

export function createApprovalDesk(): ApprovalDesk {
  const expected = new Map<string, { readonly digest: string; answer: Answer | null }>();
  const open = new Map<string, OpenRequest>();
  const withdraw = (approvalId: string): Answer | null => {
    const answer = expected.get(approvalId)?.answer ?? null;
    expected.delete(approvalId);
    return answer;
  };
  return {
    expect: (approvalId, digest) => void expected.set(approvalId, { digest, answer: null }),
    open(binding, signal) {
      const early = withdraw(binding.approval_id);
      const answer = new Promise<Answer | { type: 'cancelled' }>((resolve) => {
        const settle = (value: Answer | { type: 'cancelled' }): void => {
          if (!open.delete(binding.approval_id)) return;
          signal.removeEventListener('abort', cancel);
          resolve(value);
        };
        const cancel = (): void => settle({ type: 'cancelled' });
        open.set(binding.approval_id, { binding, settle });
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
      if (!entry && (!early || early.answer)) return fail('stale_answer', closed);
      if ((entry?.binding.arguments_digest ?? early?.digest) !== argumentsDigest)
        return fail('stale_answer', changed);
      if (entry) entry.settle(answer);
      else if (early) early.answer = answer;
      return ok(null);
    },
    withdraw,
    waiting: () => [...open.values()].map((entry) => entry.binding),
    clear: () => expected.clear(),
  };
}
