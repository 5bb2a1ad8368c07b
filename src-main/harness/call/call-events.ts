import type { Answer, Denial } from '../approvals';
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

/** What the events of a call say of it, whether it is planned or was left behind by a restart. */
export interface CallFacts {
  readonly turn_id: string;
  readonly names: CallNames;
  /** What the input guardrails did. */
  readonly guardrails: readonly GuardrailFact[];
}

function inputFacts({ guardrails }: Pick<CallFacts, 'guardrails'>): {
  readonly guardrails?: readonly GuardrailFact[];
} {
  return guardrails.length > 0 ? { guardrails } : {};
}

export function namesOf(plan: CallPlan): CallNames {
  return {
    call_id: plan.prepared.proposed.call_id,
    name: plan.prepared.proposed.name,
    qualified_name: plan.tool?.descriptor.qualified_name ?? null,
    model_alias: plan.tool?.model_alias ?? plan.prepared.proposed.name,
  };
}

export function factsOf(plan: CallPlan): CallFacts {
  return { turn_id: plan.turn_id, names: namesOf(plan), guardrails: plan.prepared.guardrails };
}

export function neverStarted(
  call: CallFacts,
  outcome: Outcome,
  error: Failure,
  rule?: DecisionRule,
): NewSessionEvent {
  return {
    turn_id: call.turn_id,
    type: 'tool_finished',
    data: {
      ...call.names,
      outcome,
      duration_ms: null,
      result: null,
      error,
      progress: [],
      ...(rule ? { rule } : {}),
      ...inputFacts(call),
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
      ...inputFacts(plan.prepared),
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
      ...inputFacts(plan.prepared),
    },
  };
}

/** The call that is run again settles the first one by its start, in the same transaction. */
export function settledEvents({ rerun }: CallPlan): NewSessionEvent[] {
  if (!rerun) return [];
  const { turn_id, call_id } = rerun.of;
  const data = { call_id, settlement: 'run_again', note: rerun.note ?? '' } as const;
  return [{ turn_id, type: 'call_settled', data }];
}

/**
 * How a request ended without or with an answer. `outdated`: its tool or arguments changed; `refused`: the policy
 * changed.
 */
export type Resolution = Answer | { readonly type: 'cancelled' | 'outdated' | 'refused' };

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

export function resolvedEvent(call: CallFacts, approvalId: string, answer: Resolution): NewSessionEvent {
  const { call_id } = call.names;
  const data = { approval_id: approvalId, call_id, ...resolutionOf(answer) };
  return { turn_id: call.turn_id, type: 'approval_resolved', data };
}

/** A denial is final: it is recorded, and the model reads it with the person's words. */
export function deniedEvents(call: CallFacts, approvalId: string, answer: Denial): NewSessionEvent[] {
  const person = answer.by === 'person';
  const words = answer.note === '' ? '' : person ? ` They say: ${answer.note}` : ` ${answer.note}`;
  const who = person ? 'The person denied this call.' : 'This call was denied by the host.';
  const error = failure('denied', `${who} ${call.names.name} was not run.${words}`);
  const rule: DecisionRule = { rule: person ? 'asked_person' : 'host_denies' };
  return [resolvedEvent(call, approvalId, answer), neverStarted(call, 'denied', error, rule)];
}
