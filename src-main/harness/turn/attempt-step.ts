import type { PreparedCall } from '../call';
import type { ModelFailure } from '../model';
import {
  failure,
  type AssistantMessage,
  type Failure,
  type NewSessionEvent,
  type ProposedCall,
  type TokenUsage,
} from '../protocol';
import type { Tool } from '../tools';
import { refusedTool } from './refused-tool';
import { noUsage, reckoned } from './token-estimate';
import { runAttempt, type AttemptEnd } from './attempt';
import { maxRetries, waitBeforeRetry } from './retry';
import { prepareCalls } from './run-calls';
import { collectTransient } from './transient';
import { stopEnd } from './turn-end';
import type { TurnDeps, TurnEnd, TurnPlan } from './turn-port';

/** What comes of one request to the model. */
export type Step =
  | { readonly type: 'calls'; readonly calls: readonly PreparedCall[] }
  | { readonly type: 'again'; readonly wait_ms: number }
  /** The provider refused the request for this tool alone: once more without it. */
  | { readonly type: 'without'; readonly tool: Tool }
  /** The request was too long for the model. */
  | { readonly type: 'overflow'; readonly error: Failure }
  | { readonly type: 'end'; readonly end: TurnEnd };

export interface StepPlace {
  readonly attempt: number;
  /** How often this request was made already. */
  readonly retry: number;
  /** Whether the context may still give way when it is too long. */
  readonly mayCompact: boolean;
  /** Whether a tool that the provider refuses may still be left out. */
  readonly mayLeaveOut: boolean;
  /** Hooks that dawdled in this turn. */
  readonly slow: Set<string>;
}

function publicError(error: ModelFailure): Failure {
  return failure(error.code, error.message, error.data);
}

function commit(deps: TurnDeps, plan: TurnPlan, event: Omit<NewSessionEvent, 'turn_id'>, next: Step): Step {
  const recorded = deps.record([{ ...event, turn_id: plan.turn_id } as NewSessionEvent]);
  return recorded.ok ? next : { type: 'end', end: { outcome: 'failed', error: recorded.error } };
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

function answerText({
  text,
  reasoning,
  calls,
}: Pick<AssistantMessage, 'text' | 'reasoning' | 'calls'>): string {
  return text + reasoning + calls.map((call) => JSON.stringify(call.arguments)).join('');
}

interface FailedAttempt {
  readonly error: ModelFailure;
  readonly partial_text: string;
  /** Of a response that was refused, or broke off behind its first words. */
  readonly usage?: TokenUsage;
}

function failedStep(
  deps: TurnDeps,
  plan: TurnPlan,
  place: StepPlace,
  { error, partial_text, usage }: FailedAttempt,
): Step {
  const overflow = error.code === 'context_overflow' && place.mayCompact;
  const refused = place.mayLeaveOut ? refusedTool(error, plan.tools) : null;
  const again = error.retryable && place.retry < maxRetries;
  const wait = overflow || refused ? 0 : again ? waitBeforeRetry(place.retry + 1, error) : null;
  const data = {
    attempt: place.attempt,
    error: publicError(error),
    partial_text,
    retry_in_ms: wait,
    ...(refused ? { left_out: refused.descriptor.qualified_name } : {}),
    ...(usage ? { usage } : {}),
  };
  const next: Step = overflow
    ? { type: 'overflow', error: publicError(error) }
    : refused
      ? { type: 'without', tool: refused }
      : wait === null
        ? { type: 'end', end: { outcome: 'failed', error: publicError(error) } }
        : { type: 'again', wait_ms: wait };
  return commit(deps, plan, { type: 'attempt_failed', data }, next);
}

async function messageStep(
  deps: TurnDeps,
  plan: TurnPlan,
  place: StepPlace,
  end: Extract<AttemptEnd, { type: 'message' }>,
  contextTokens: number,
  signal: AbortSignal,
): Promise<Step> {
  const usage = reckoned(end.message.usage, contextTokens, answerText(end.message));
  const reused = reusedCallId(deps, end.message.calls);
  if (reused !== null) {
    const error: ModelFailure = {
      code: 'call_id_reused',
      message: `The model reused the call id "${reused}" of this conversation, so its response was refused before anything ran. Calls that completed earlier stay completed. Send the message again, or choose another model.`,
      retryable: false,
    };
    const { text: partial_text } = end.message;
    return failedStep(deps, plan, { ...place, retry: maxRetries }, { error, partial_text, usage });
  }
  const calls = await prepareCalls(deps, plan, end.message.calls, signal);
  const data = {
    ...end.message,
    usage,
    calls: calls.map((call) => call.proposed),
    message_id: deps.newId('message'),
    attempt: place.attempt,
    partial: false,
  };
  // Committed with what follows at once: the start or request of a call, or the end of the turn.
  deps.defer([{ turn_id: plan.turn_id, type: 'assistant_message', data }]);
  return calls.length > 0
    ? { type: 'calls', calls }
    : { type: 'end', end: { outcome: 'completed', error: null } };
}

function stoppedStep(
  deps: TurnDeps,
  plan: TurnPlan,
  attempt: number,
  end: Extract<AttemptEnd, { type: 'stopped' }>,
  contextTokens: number,
  signal: AbortSignal,
): Step {
  const stop: Step = { type: 'end', end: stopEnd(signal) };
  if (end.text === '' && end.reasoning === '') return stop;
  const data = {
    message_id: deps.newId('message'),
    attempt,
    text: end.text,
    reasoning: end.reasoning,
    calls: [],
    finish_reason: 'stopped',
    usage: reckoned(noUsage, contextTokens, end.text + end.reasoning),
    partial: true,
  };
  return commit(deps, plan, { type: 'assistant_message', data }, stop);
}

/** One request to the model with what is fresh in it, and the record of what came back. Dispatches nothing. */
export async function attemptStep(
  deps: TurnDeps,
  plan: TurnPlan,
  place: StepPlace,
  signal: AbortSignal,
): Promise<Step> {
  const { attempt } = place;
  const { transient, image_id } = collectTransient(deps, plan, attempt, place.slow);
  const data = { attempt, model: plan.model, ...(image_id === null ? {} : { image_id }) };
  deps.defer([{ turn_id: plan.turn_id, type: 'attempt_started', data }]);
  const contextTokens = deps.history.tokens();
  const end = await runAttempt(deps, plan, attempt, transient, signal);
  switch (end.type) {
    case 'message':
      return messageStep(deps, plan, place, end, contextTokens, signal);
    case 'failed':
      return failedStep(deps, plan, place, {
        ...end,
        ...(end.partial_text === '' ? {} : { usage: reckoned(noUsage, contextTokens, end.partial_text) }),
      });
    case 'stopped':
      return stoppedStep(deps, plan, attempt, end, contextTokens, signal);
  }
}
