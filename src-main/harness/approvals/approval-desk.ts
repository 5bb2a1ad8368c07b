import {
  fail,
  ok,
  type ArgumentPattern,
  type GrantMade,
  type GrantScope,
  type JsonObject,
  type Result,
} from '../protocol';

export type Allowance = {
  readonly type: 'allow';
  readonly scope: GrantScope;
  readonly by: 'person' | 'host' | 'grant';
  /** Narrows a lasting scope; absent: any arguments. */
  readonly pattern?: ArgumentPattern;
  /** When a lasting scope ends by itself, ISO 8601, UTC; absent: it does not. */
  readonly expires_at?: string | null;
  /** The arguments as the person edited them: these run in place of those that were asked for. */
  readonly arguments?: JsonObject;
};
export type Denial = { readonly type: 'deny'; readonly note: string; readonly by: 'person' | 'host' };
export type Answer = Allowance | Denial;

/** An answer that was taken, with the grant that came of a lasting scope. */
export type TakenAllowance = Allowance & { readonly grant?: GrantMade };
export type TakenAnswer = TakenAllowance | Denial;
/** How the wait for an answer ended. `expired`: nobody answered in the time that the owner set. */
export type WaitEnd = TakenAnswer | { readonly type: 'cancelled' } | { readonly type: 'expired' };

/** What a person saw when they answered. An answer to anything else is refused. */
export interface ShownRequest {
  readonly arguments_digest: string;
  readonly pin: string;
}

/** What a request stands for. An answer counts only for exactly this (S0-56). */
export interface ApprovalBinding extends ShownRequest {
  readonly approval_id: string;
  readonly turn_id: string;
  readonly call_id: string;
  readonly qualified_name: string;
}

/**
 * What has to be on record, or checked, before an answer is acknowledged: a denial is final, and a lasting permission
 * holds for the very next call. One that cannot be recorded is not taken.
 */
export type TakeAnswer = (answer: Answer) => Result<TakenAnswer>;

export interface RequestHandlers {
  readonly take: TakeAnswer;
  /** The answer of a grant that covers the call by now, or null. Not where a person is asked afresh. */
  readonly covered: () => Allowance | null;
  /** Milliseconds until the request expires; null: never. Counted by a timer of this run of the app. */
  readonly expires_in_ms: number | null;
}

export interface ExpectedHandlers extends Pick<RequestHandlers, 'take' | 'expires_in_ms'> {
  /** Nobody answered in time. */
  readonly expire: () => void;
}

export interface WaitingRequest extends ApprovalBinding {
  /** Settles once: with the answer, or with how the wait ended without one. */
  readonly answer: Promise<WaitEnd>;
}

/**
 * The requests of one session that wait for an answer. Each is answered once, by its id and what was shown; the first
 * answer wins. It holds no history: the journal does.
 */
export interface ApprovalDesk {
  /** A request that a restart left behind: it can be answered before its call is opened again. */
  expect(approvalId: string, shown: ShownRequest, handlers: ExpectedHandlers): void;
  /** Whether an expected request was neither denied nor opened again. */
  expects(approvalId: string): boolean;
  open(binding: ApprovalBinding, handlers: RequestHandlers, signal: AbortSignal): WaitingRequest;
  answer(approvalId: string, shown: ShownRequest, answer: Answer): Result<null>;
  /** Takes an expected request back, with the allowance that it was given meanwhile. */
  withdraw(approvalId: string): TakenAllowance | null;
  /** Lets the requests go that a grant covers by now, each with its own answer. */
  releaseCovered(): void;
  /** Requests that are open now. */
  waiting(): readonly ApprovalBinding[];
  /** Whether any request waits for an answer, open or expected. */
  waits(): boolean;
  /** Forgets what was expected and never opened. */
  clear(): void;
}

interface ExpectedRequest {
  readonly shown: ShownRequest;
  readonly take: TakeAnswer;
  readonly timer: NodeJS.Timeout | null;
  allowed: TakenAllowance | null;
}

interface OpenRequest {
  readonly binding: ApprovalBinding;
  readonly handlers: RequestHandlers;
  readonly settle: (answer: WaitEnd) => void;
}

const closed =
  'This request is closed: it was answered before, or its turn has ended. Nothing was run by your answer.';

/** Which part of what was shown is no longer so. */
function staleWords(now: ShownRequest, shown: ShownRequest): string | null {
  if (now.arguments_digest !== shown.arguments_digest) {
    return 'The arguments are not those that were shown to you, so the answer was not taken. Look at the request again.';
  }
  if (now.pin !== shown.pin) {
    return 'The definition of the tool is not the one that was shown to you, so the answer was not taken. Look at the request again.';
  }
  return null;
}

/** Longest delay that a timer keeps, in milliseconds. */
const maxDelayMs = 2 ** 31 - 1;

function timerFor(ms: number | null, expire: () => void): NodeJS.Timeout | null {
  if (ms === null) return null;
  const timer = setTimeout(expire, Math.min(ms, maxDelayMs));
  timer.unref();
  return timer;
}

const stop = (timer: NodeJS.Timeout | null): void => {
  if (timer) clearTimeout(timer);
};

/** Puts the request among the open ones until its wait ends; `early` is an allowance that it was given before. */
function wait(
  open: Map<string, OpenRequest>,
  request: Omit<OpenRequest, 'settle'>,
  early: TakenAllowance | null,
  signal: AbortSignal,
): Promise<WaitEnd> {
  const { approval_id } = request.binding;
  return new Promise((resolve) => {
    const expires = early ? null : request.handlers.expires_in_ms;
    const timer = timerFor(expires, () => settle({ type: 'expired' }));
    const settle = (value: WaitEnd): void => {
      if (!open.delete(approval_id)) return;
      stop(timer);
      signal.removeEventListener('abort', cancel);
      resolve(value);
    };
    const cancel = (): void => settle({ type: 'cancelled' });
    open.set(approval_id, { ...request, settle });
    if (signal.aborted) cancel();
    else if (early) settle(early);
    else signal.addEventListener('abort', cancel, { once: true });
  });
}

export function createApprovalDesk(): ApprovalDesk {
  const expected = new Map<string, ExpectedRequest>();
  const open = new Map<string, OpenRequest>();
  /** The request whose answer is being recorded: its own grant does not answer it. */
  let answering: string | null = null;
  const withdraw = (approvalId: string): TakenAllowance | null => {
    const entry = expected.get(approvalId);
    stop(entry?.timer ?? null);
    expected.delete(approvalId);
    return entry?.allowed ?? null;
  };
  return {
    expect(approvalId, shown, { take, expires_in_ms, expire }) {
      const onTime = (): void => {
        if (expected.get(approvalId)?.allowed === null) expire();
      };
      expected.set(approvalId, { shown, take, timer: timerFor(expires_in_ms, onTime), allowed: null });
    },
    expects: (approvalId) => expected.has(approvalId),
    open(binding, handlers, signal) {
      const early = withdraw(binding.approval_id);
      return { ...binding, answer: wait(open, { binding, handlers }, early, signal) };
    },
    answer(approvalId, shown, answer) {
      const entry = open.get(approvalId);
      const early = expected.get(approvalId);
      const now = entry?.binding ?? early?.shown;
      const take = entry?.handlers.take ?? early?.take;
      if (!now || !take || early?.allowed) return fail('stale_answer', closed);
      const stale = staleWords(now, shown);
      if (stale !== null) return fail('stale_answer', stale);
      answering = approvalId;
      const taken = take(answer);
      answering = null;
      if (!taken.ok) return taken;
      if (entry) entry.settle(taken.value);
      else if (taken.value.type === 'deny') withdraw(approvalId);
      else if (early) early.allowed = taken.value;
      return ok(null);
    },
    withdraw,
    releaseCovered() {
      for (const [id, { handlers, settle }] of [...open]) {
        const allowed = id === answering ? null : handlers.covered();
        if (allowed) settle(allowed);
      }
    },
    waiting: () => [...open.values()].map((entry) => entry.binding),
    waits: () => open.size > 0 || [...expected.values()].some((early) => early.allowed === null),
    clear() {
      for (const id of [...expected.keys()]) withdraw(id);
    },
  };
}
