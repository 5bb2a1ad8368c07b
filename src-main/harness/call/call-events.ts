import type { Answer } from '../approvals';
import {
  failure,
  type ApprovalResolved,
  type AskReason,
  type CallNames,
  type DecisionRule,
  type Failure,
  type JsonObject,
  type NewSessionEvent,
  type Outcome,
} from '../protocol';
import type { Tool } from '../tools';
import type { CallPlan } from './call-port';

export function namesOf(plan: CallPlan): CallNames {
  return {
    call_id: plan.call.call_id,
    name: plan.call.name,
    qualified_name: plan.tool?.descriptor.qualified_name ?? null,
    model_alias: plan.tool?.model_alias ?? plan.call.name,
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
    },
  };
}

export function requestEvent(
  plan: CallPlan,
  tool: Tool,
  args: JsonObject,
  approvalId: string,
  digest: string,
  reason: AskReason,
): NewSessionEvent {
  return {
    turn_id: plan.turn_id,
    type: 'approval_requested',
    data: {
      ...namesOf(plan),
      approval_id: approvalId,
      arguments: args,
      arguments_digest: digest,
      pin: tool.pin,
      classification: tool.classification,
      placement: tool.placement,
      presentation: tool.presentation,
      origin: tool.origin,
      reason,
    },
  };
}

/** How a request ended without or with an answer. `outdated`: its tool changed; `refused`: the policy changed. */
export type Resolution =
  Answer | { readonly type: 'cancelled' } | { readonly type: 'outdated' } | { readonly type: 'refused' };

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
  }
}

export function resolvedEvent(plan: CallPlan, approvalId: string, answer: Resolution): NewSessionEvent {
  const { call_id } = plan.call;
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
  const error = failure('denied', `${who} ${plan.call.name} was not run.${words}`);
  const rule: DecisionRule = { rule: person ? 'asked_person' : 'host_denies' };
  return [resolvedEvent(plan, approvalId, answer), neverStarted(plan, 'denied', error, rule)];
}
