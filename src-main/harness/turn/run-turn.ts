import { setMaxListeners } from 'node:events';
import { runCall, type CallEnd, type CallPlan } from '../call';
import type { ModelFailure } from '../model';
import { failure, type Failure, type NewSessionEvent, type ProposedCall } from '../protocol';
import { runAttempt, type AttemptEnd } from './attempt';
import type { StopReason, TurnDeps, TurnEnd, TurnPlan } from './turn-port';

/** Requests to a model that one turn may make, retries included: a bound on a model that never ends. */
export const maxAttemptsPerTurn = 250;
/** How often one request is made again after a passing failure. */
export const maxRetries = 3;
const longestWaitMs = 60_000;

/** A response whose calls wait to be run: the one that was just recorded, or the one that a restart left behind. */
export interface OpenResponse {
  readonly calls: readonly ProposedCall[];
  readonly pending: ReadonlyMap<
    string,
    { readonly approval_id: string; readonly arguments_digest: string; readonly pin: string }
  >;
}

function waitBeforeRetry(retry: number, error: ModelFailure): number {
  return Math.min(error.retry_after_ms ?? 1_000 * 2 ** (retry - 1), longestWaitMs);
}

function stopEnd(signal: AbortSignal): TurnEnd {
  return (signal.reason as StopReason) === 'closing'
    ? { outcome: 'interrupted', error: failure('interrupted', 'The app was closed while this turn ran.') }
    : { outcome: 'stopped', error: null };
}

function publicError(error: ModelFailure): Failure {
  return failure(error.code, error.message, error.data);
}

type Step =
  | { readonly type: 'calls'; readonly calls: readonly ProposedCall[] }
  | { readonly type: 'again'; readonly wait_ms: number }
  | { readonly type: 'end'; readonly end: TurnEnd };

function notRecorded(error: Failure): Step {
  return { type: 'end', end: { outcome: 'failed', error } };
}

function commit(deps: TurnDeps, plan: TurnPlan, event: Omit<NewSessionEvent, 'turn_id'>, next: Step): Step {
  const recorded = deps.record([{ ...event, turn_id: plan.turn_id } as NewSessionEvent]);
  return recorded.ok ? next : notRecorded(recorded.error);
}

/** A repeated call id makes the whole response worthless: nothing of it is dispatched (S1-55). */
function reusedCallId(deps: TurnDeps, calls: readonly ProposedCall[]): string | null {
  const seen = new Set<string>();
  for (const { call_id } of calls) {
    if (seen.has(call_id) || deps.history.hasCall(call_id)) return call_id;
    seen.add(call_id);
  }
  return null;
}

function failedStep(
  deps: TurnDeps,
  plan: TurnPlan,
  attempt: number,
  retry: number,
  error: ModelFailure,
  partial: string,
): Step {
  const again = error.retryable && retry < maxRetries;
  const wait = again ? waitBeforeRetry(retry + 1, error) : null;
  const data = { attempt, error: publicError(error), partial_text: partial, retry_in_ms: wait };
  const next: Step =
    wait === null
      ? { type: 'end', end: { outcome: 'failed', error: publicError(error) } }
      : { type: 'again', wait_ms: wait };
  return commit(deps, plan, { type: 'attempt_failed', data }, next);
}

function messageStep(
  deps: TurnDeps,
  plan: TurnPlan,
  attempt: number,
  end: Extract<AttemptEnd, { type: 'message' }>,
): Step {
  const reused = reusedCallId(deps, end.message.calls);
  if (reused !== null) {
    const error: ModelFailure = {
      code: 'call_id_reused',
      message: `The model reused the call id "${reused}" of this conversation, so its response was refused before anything ran. Calls that completed earlier stay completed. Send the message again, or choose another model.`,
      retryable: false,
    };
    return failedStep(deps, plan, attempt, 0, error, end.message.text);
  }
  const message_id = deps.newId('message');
  const next: Step =
    end.message.calls.length > 0
      ? { type: 'calls', calls: end.message.calls }
      : { type: 'end', end: { outcome: 'completed', error: null } };
  return commit(
    deps,
    plan,
    { type: 'assistant_message', data: { ...end.message, message_id, attempt, partial: false } },
    next,
  );
}

async function attemptStep(
  deps: TurnDeps,
  plan: TurnPlan,
  attempt: number,
  retry: number,
  signal: AbortSignal,
): Promise<Step> {
  const begun = deps.record([
    { turn_id: plan.turn_id, type: 'attempt_started', data: { attempt, model: plan.model } },
  ]);
  if (!begun.ok) return notRecorded(begun.error);
  const end = await runAttempt(deps, plan, attempt, signal);
  switch (end.type) {
    case 'message':
      return messageStep(deps, plan, attempt, end);
    case 'failed':
      return failedStep(deps, plan, attempt, retry, end.error, end.partial_text);
    case 'stopped': {
      const stop: Step = { type: 'end', end: stopEnd(signal) };
      if (end.text === '' && end.reasoning === '') return stop;
      const data = {
        message_id: deps.newId('message'),
        attempt,
        text: end.text,
        reasoning: end.reasoning,
        calls: [],
        finish_reason: 'stopped',
        usage: { input_tokens: null, output_tokens: null },
        partial: true,
      };
      return commit(deps, plan, { type: 'assistant_message', data }, stop);
    }
  }
}

function callPlan(
  plan: TurnPlan,
  response: OpenResponse,
  call: ProposedCall,
  aliases: readonly string[],
): CallPlan {
  return {
    session_id: plan.session_id,
    turn_id: plan.turn_id,
    coworker_id: plan.coworker_id,
    workspace: plan.workspace,
    call,
    tool: plan.tools.find((tool) => tool.model_alias === call.name) ?? null,
    aliases,
    pending: response.pending.get(call.call_id) ?? null,
  };
}

async function runCalls(
  deps: TurnDeps,
  plan: TurnPlan,
  response: OpenResponse,
  signal: AbortSignal,
): Promise<TurnEnd | null> {
  const aliases = plan.tools.map((tool) => tool.model_alias);
  // A call whose outcome or record is lost ends the turn: its siblings need not be waited for.
  const giveUp = new AbortController();
  const together = AbortSignal.any([signal, giveUp.signal]);
  setMaxListeners(0, together);
  const ends: CallEnd[] = await Promise.all(
    response.calls.map(async (call) => {
      const end = await runCall(deps, callPlan(plan, response, call, aliases), together);
      if (end.type !== 'answered') giveUp.abort('stopped' satisfies StopReason);
      return end;
    }),
  );
  const lost = ends.find((end) => end.type === 'not_recorded');
  if (lost) return { outcome: 'failed', error: lost.error };
  if (signal.aborted) return stopEnd(signal);
  if (ends.some((end) => end.type === 'unknown')) {
    return {
      outcome: 'failed',
      error: failure(
        'outcome_unknown',
        'A tool broke off after it had begun, so its outcome is unknown. The turn was stopped and nothing is run again by itself. Check what happened before you go on.',
      ),
    };
  }
  return null;
}

/**
 * Runs a turn to its end: attempt, calls, next attempt. `response` continues the calls of before a restart first. A
 * failed request is made again only while no call of its response was dispatched, which holds by construction. The
 * caller records the end that this answers.
 */
export async function runTurn(
  deps: TurnDeps,
  plan: TurnPlan,
  from: { readonly attempt: number; readonly response: OpenResponse | null },
  signal: AbortSignal,
): Promise<TurnEnd> {
  let { attempt, response } = from;
  let retry = 0;
  for (;;) {
    if (response) {
      const end = await runCalls(deps, plan, response, signal);
      if (end) return end;
      response = null;
    }
    if (signal.aborted) return stopEnd(signal);
    attempt += 1;
    if (attempt > maxAttemptsPerTurn) {
      const message = `The turn made ${maxAttemptsPerTurn} requests to the model without an end and was stopped. Everything that completed stays. Send a message to go on.`;
      return { outcome: 'failed', error: failure('limit_reached', message) };
    }
    const step = await attemptStep(deps, plan, attempt, retry, signal);
    if (step.type === 'end') return step.end;
    if (step.type === 'again') {
      retry += 1;
      await deps.sleep(step.wait_ms, signal);
      continue;
    }
    retry = 0;
    response = { calls: step.calls, pending: new Map() };
  }
}
