import type { Answer } from '../approvals';
import {
  failure,
  type ApprovalResolved,
  type AskReason,
  type CallNames,
  type DecisionRule,
  type Failure,
  type GuardrailFact,
  type JsonObject,
  type NewSessionEvent,
  type Outcome,
} from '../protocol';
import type { Tool } from '../tools';
import type { CallPlan } from './call-port';

/** A call that can run: exactly `args` are what was released. */
export interface ReadyCall {
  readonly tool: Tool;
  readonly args: JsonObject;
  /** SHA-256 over the canonical JSON of `args`; computed when it is first asked for. */
  readonly digest: () => string;
}

/** What the input guardrails did, where one had something to say. */
function inputFacts({ prepared }: CallPlan): { readonly guardrails?: readonly GuardrailFact[] } {
  return prepared.guardrails.length > 0 ? { guardrails: prepared.guardrails } : {};
}

export function namesOf(plan: CallPlan): CallNames {
  return {
    call_id: plan.prepared.proposed.call_id,
    name: plan.prepared.proposed.name,
    qualified_name: plan.tool?.descriptor.qualified_name ?? null,
    model_alias: plan.tool?.model_alias ?? plan.prepared.proposed.name,
  };
}

export function neverStarted(
  plan: CallPlan,
  outcome: Outcome,
  error: Failure,
  rule?: DecisionRule,
): NewSessionEvent {
  return {
    turn_id: plan.turn_id,
    type: 'tool_finished',
    data: {
      ...namesOf(plan),
      outcome,
      duration_ms: null,
      result: null,
      error,
      progress: [],
      ...(rule ? { rule } : {}),
      ...inputFacts(plan),
    },
  };
}

export function requestEvent(
  plan: CallPlan,
  { tool, args, digest }: ReadyCall,
  approvalId: string,
  reason: AskReason,
): NewSessionEvent {
  return {
    turn_id: plan.turn_id,
    type: 'approval_requested',
    data: {
      ...namesOf(plan),
      approval_id: approvalId,
      arguments: plan.prepared.withheld ? null : args,
      arguments_digest: digest(),
      pin: tool.pin,
      classification: tool.classification,
      placement: tool.placement,
      presentation: tool.presentation,
      origin: tool.origin,
      reason,
      ...inputFacts(plan),
    },
  };
}

/** S1-84, S1-85: the released arguments, or null and their digest. */
export function startEvent(
  plan: CallPlan,
  { tool, args, digest }: ReadyCall,
  rule: DecisionRule,
): NewSessionEvent {
  const { withheld } = plan.prepared;
  return {
    turn_id: plan.turn_id,
    type: 'tool_started',
    data: {
      ...namesOf(plan),
      arguments: withheld ? null : args,
      classification: tool.classification,
      placement: tool.placement,
      presentation: tool.presentation,
      origin: tool.origin,
      rule,
      ...(withheld ? { withheld_digest: digest() } : {}),
      ...inputFacts(plan),
    },
  };
}

/**
 * How a request ended without or with an answer. `outdated`: its tool or arguments changed; `refused`: the policy
 * changed; `gone`: its arguments were withheld and did not outlive the app.
 */
export type Resolution = Answer | { readonly type: 'cancelled' | 'outdated' | 'refused' | 'gone' };

function resolutionOf(answer: Resolution): Pick<ApprovalResolved, 'outcome' | 'scope' | 'note' | 'by'> {
  const closed = (note: string) => ({ outcome: 'cancelled', scope: null, note, by: 'turn_end' }) as const;
  switch (answer.type) {
    case 'allow':
      return { outcome: 'allowed', scope: answer.scope, note: '', by: answer.by };
    case 'deny':
      return { outcome: 'denied', scope: null, note: answer.note, by: answer.by };
    case 'cancelled':
      return closed('The turn was stopped.');
    case 'outdated':
      return closed('The tool has changed or gone since you were asked.');
    case 'refused':
      return closed('The session is in Read only mode by now.');
    case 'gone':
      return closed('The arguments were withheld from the record and are gone since the app was closed.');
  }
}

export function resolvedEvent(plan: CallPlan, approvalId: string, answer: Resolution): NewSessionEvent {
  const { call_id } = plan.prepared.proposed;
  const data = { approval_id: approvalId, call_id, ...resolutionOf(answer) };
  return { turn_id: plan.turn_id, type: 'approval_resolved', data };
}

/** A denial is final: it is recorded, and the model reads it with the person's words. */
export function deniedEvents(
  plan: CallPlan,
  approvalId: string,
  answer: Extract<Answer, { type: 'deny' }>,
): NewSessionEvent[] {
  const person = answer.by === 'person';
  const words = answer.note === '' ? '' : person ? ` They say: ${answer.note}` : ` ${answer.note}`;
  const who = person ? 'The person denied this call.' : 'This call was denied by the host.';
  const error = failure('denied', `${who} ${plan.prepared.proposed.name} was not run.${words}`);
  const rule: DecisionRule = { rule: person ? 'asked_person' : 'host_denies' };
  return [resolvedEvent(plan, approvalId, answer), neverStarted(plan, 'denied', error, rule)];
}
