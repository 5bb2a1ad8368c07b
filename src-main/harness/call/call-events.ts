import type { ClassifiedAs, Denial, TakenAnswer } from '../approvals';
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
import { canonicalDigest } from '../validation';
import type { CallPlan } from './call-port';

/** A call that can run: exactly `args` are what was released. */
export interface ReadyCall {
  readonly tool: Tool;
  /** What the tool may do, as it was known when the call was decided. */
  readonly classified: ClassifiedAs;
  readonly args: JsonObject;
  /** SHA-256 over the canonical JSON of `args`; computed when it is first asked for. */
  readonly digest: () => string;
}

/** The digest is computed when it is first asked for. */
export function readyCall(tool: Tool, classified: ClassifiedAs, args: JsonObject): ReadyCall {
  let digest: string | null = null;
  return { tool, classified, args, digest: () => (digest ??= canonicalDigest(args)) };
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

/** Why a person is asked, and in what (S0-57). */
export interface AskedFor {
  readonly reason: AskReason;
  readonly grant_id?: string;
  readonly identity: string | null;
}

export function requestEvent(
  plan: CallPlan,
  { tool, classified, args, digest }: ReadyCall,
  approvalId: string,
  why: AskedFor,
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
      classification: classified.classification,
      placement: tool.placement,
      presentation: tool.presentation,
      origin: tool.origin,
      reason: why.reason,
      ...(why.grant_id === undefined ? {} : { grant_id: why.grant_id }),
      ...(why.identity === null ? {} : { identity: why.identity }),
      ...inputFacts(plan.prepared),
    },
  };
}

/** S1-84, S1-85: the released arguments, or null and their digest. */
export function startEvent(
  plan: CallPlan,
  { tool, classified, args, digest }: ReadyCall,
  rule: DecisionRule,
): NewSessionEvent {
  const { withheld } = plan.prepared;
  return {
    turn_id: plan.turn_id,
    type: 'tool_started',
    data: {
      ...namesOf(plan),
      arguments: withheld ? null : args,
      classification: classified.classification,
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
 * changed; `expired`: nobody answered in time; `rewritten`: a guardrail changed what the person had edited.
 */
export type Resolution =
  TakenAnswer | { readonly type: 'cancelled' | 'outdated' | 'refused' | 'expired' | 'rewritten' };

type Resolved = Omit<ApprovalResolved, 'approval_id' | 'call_id'>;

function allowedAs(answer: Extract<Resolution, { type: 'allow' }>, withheld: boolean): Resolved {
  const edited = answer.arguments;
  return {
    outcome: 'allowed',
    scope: answer.scope,
    note: '',
    by: answer.by,
    ...(edited === undefined ? {} : { arguments_digest: canonicalDigest(edited) }),
    ...(edited === undefined || withheld ? {} : { arguments: edited }),
  };
}

function resolutionOf(answer: Resolution, withheld: boolean): Resolved {
  const closed = (note: string) => ({ outcome: 'cancelled', scope: null, note, by: 'turn_end' }) as const;
  switch (answer.type) {
    case 'allow':
      return allowedAs(answer, withheld);
    case 'deny':
      return { outcome: 'denied', scope: null, note: answer.note, by: answer.by };
    case 'cancelled':
      return closed('The turn was stopped.');
    case 'outdated':
      return closed('The tool has changed or gone since you were asked.');
    case 'refused':
      return closed('The session is in Read only mode by now.');
    case 'expired':
      return { outcome: 'expired', scope: null, note: 'Nobody answered in time.', by: 'turn_end' };
    case 'rewritten':
      return closed('A guardrail changed the arguments that you had edited, so you are asked anew.');
  }
}

/** `withheld`: the edited arguments may stand in no record; their digest does (S1-85). */
export function resolvedEvent(
  call: CallFacts,
  approvalId: string,
  answer: Resolution,
  withheld = false,
): NewSessionEvent {
  const { call_id } = call.names;
  const data = { approval_id: approvalId, call_id, ...resolutionOf(answer, withheld) };
  return { turn_id: call.turn_id, type: 'approval_resolved', data };
}

/** Nobody answered in the time that the owner set: not a denial, and the model is told so. */
export function expiredEvents(call: CallFacts, approvalId: string): NewSessionEvent[] {
  const words = `Nobody answered in time whether ${call.names.name} may run, so it was not run. That is no refusal.`;
  return [
    resolvedEvent(call, approvalId, { type: 'expired' }),
    neverStarted(call, 'expired', failure('expired', words)),
  ];
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
