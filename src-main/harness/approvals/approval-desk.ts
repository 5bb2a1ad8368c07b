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
}

export interface WaitingRequest extends ApprovalBinding {
  /** Settles once: with the answer, or with `cancelled` when the wait was aborted. */
  readonly answer: Promise<Answer | { readonly type: 'cancelled' }>;
}

/**
 * The requests of one session that wait now. Each is answered once, by its id and the digest of what was shown; the
 * first answer wins. It holds no history: the journal does.
 */
export interface ApprovalDesk {
  open(binding: ApprovalBinding, signal: AbortSignal): WaitingRequest;
  /** Takes an answer before its request is open again after a restart; it counts for exactly this id and digest. */
  prepare(approvalId: string, argumentsDigest: string, answer: Answer): void;
  answer(approvalId: string, argumentsDigest: string, answer: Answer): Result<ApprovalBinding>;
  waiting(): readonly ApprovalBinding[];
}

export function createApprovalDesk(): ApprovalDesk {
  const prepared = new Map<string, { readonly digest: string; readonly answer: Answer }>();
  const open = new Map<
    string,
    { binding: ApprovalBinding; settle: (answer: Answer | { type: 'cancelled' }) => void }
  >();
  return {
    open(binding, signal) {
      const answer = new Promise<Answer | { type: 'cancelled' }>((resolve) => {
        const settle = (value: Answer | { type: 'cancelled' }): void => {
          if (!open.delete(binding.approval_id)) return;
          signal.removeEventListener('abort', cancel);
          resolve(value);
        };
        const cancel = (): void => settle({ type: 'cancelled' });
        open.set(binding.approval_id, { binding, settle });
        const early = prepared.get(binding.approval_id);
        prepared.delete(binding.approval_id);
        if (signal.aborted) cancel();
        else if (early?.digest === binding.arguments_digest) settle(early.answer);
        else signal.addEventListener('abort', cancel, { once: true });
      });
      return { ...binding, answer };
    },
    prepare(approvalId, argumentsDigest, answer) {
      prepared.set(approvalId, { digest: argumentsDigest, answer });
    },
    answer(approvalId, argumentsDigest, answer) {
      const entry = open.get(approvalId);
      if (!entry) {
        return fail(
          'stale_answer',
          'This request is closed: it was answered before, or its turn has ended. Nothing was run by your answer.',
        );
      }
      if (entry.binding.arguments_digest !== argumentsDigest) {
        return fail(
          'stale_answer',
          'The arguments are not those that were shown to you, so the answer was not taken. Look at the request again.',
        );
      }
      entry.settle(answer);
      return ok(entry.binding);
    },
    waiting: () => [...open.values()].map((entry) => entry.binding),
  };
}
