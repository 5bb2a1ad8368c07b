import { decide, type Answer } from '../approvals';
import {
  failure,
  type CallNames,
  type DecisionRule,
  type Failure,
  type JsonObject,
  type NewSessionEvent,
  type Outcome,
} from '../protocol';
import type { Tool } from '../tools';
import { canonicalDigest, isBoundedJson } from '../validation';
import type { CallDeps, CallEnd, CallPlan } from './call-port';
import { execute } from './execute';

function namesOf(plan: CallPlan): CallNames {
  return {
    call_id: plan.call.call_id,
    name: plan.call.name,
    qualified_name: plan.tool?.descriptor.qualified_name ?? null,
    model_alias: plan.tool?.model_alias ?? plan.call.name,
  };
}

function neverStarted(
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

/** Records events that end the call before it starts. */
function close(deps: CallDeps, events: readonly NewSessionEvent[]): CallEnd {
  const recorded = deps.record(events);
  return recorded.ok ? { type: 'answered' } : { type: 'not_recorded', error: recorded.error };
}

/** Select, parse, validate: what must hold before anybody is asked (S0-63). */
function check(deps: CallDeps, plan: CallPlan): { tool: Tool; args: JsonObject } | { problem: Failure } {
  const { tool, call } = plan;
  if (!tool) {
    const known =
      plan.aliases.length > 0 ? `Call one of: ${plan.aliases.join(', ')}.` : 'This coworker has no tools.';
    return { problem: failure('tool_unknown', `There is no tool "${call.name}" here. ${known}`) };
  }
  if (call.arguments === null) {
    return {
      problem: failure(
        'arguments_malformed',
        `The arguments of ${call.name} are not a JSON object, so it was not run. Send one JSON object that fits its schema.`,
      ),
    };
  }
  if (!isBoundedJson(call.arguments)) {
    const message = `The arguments of ${call.name} hold too many values or too many levels, so it was not run. Send fewer at once.`;
    return { problem: failure('arguments_invalid', message) };
  }
  const validator = deps.schemas.compile(tool.descriptor.input_schema);
  if (!validator.ok) return { problem: validator.error };
  const checked = validator.value.check(call.arguments);
  return checked.ok ? { tool, args: call.arguments } : { problem: checked.error };
}

async function run(
  deps: CallDeps,
  plan: CallPlan,
  tool: Tool,
  args: JsonObject,
  rule: DecisionRule,
  before: readonly NewSessionEvent[],
  signal: AbortSignal,
): Promise<CallEnd> {
  const started = deps.record([
    ...before,
    {
      turn_id: plan.turn_id,
      type: 'tool_started',
      data: {
        ...namesOf(plan),
        arguments: args,
        classification: tool.classification,
        placement: tool.placement,
        presentation: tool.presentation,
        origin: tool.origin,
        rule,
      },
    },
  ]);
  if (!started.ok) return { type: 'not_recorded', error: started.error };
  const execution = await execute(deps, plan, tool, args, signal);
  const finished = deps.record([
    { turn_id: plan.turn_id, type: 'tool_finished', data: { ...namesOf(plan), ...execution } },
  ]);
  if (!finished.ok) return { type: 'not_recorded', error: finished.error };
  return { type: execution.outcome === 'outcome_unknown' ? 'unknown' : 'answered' };
}

function requestEvent(
  plan: CallPlan,
  tool: Tool,
  args: JsonObject,
  approvalId: string,
  digest: string,
  reason: 'not_read_only' | 'definition_changed',
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

interface Request {
  readonly approval_id: string;
  readonly answer: Promise<Answer | { readonly type: 'cancelled' }>;
}

/** Opens a request, or the one of before a restart again, and has the host's standing answer given where there is one. */
function openRequest(
  deps: CallDeps,
  plan: CallPlan,
  tool: Tool,
  args: JsonObject,
  reason: 'not_read_only' | 'definition_changed',
  signal: AbortSignal,
): Request | { readonly error: Failure } {
  const digest = canonicalDigest(args);
  const { pending } = plan;
  const again = pending !== null && pending.pin === tool.pin && pending.arguments_digest === digest;
  const approvalId = again ? pending.approval_id : deps.newId('approval');
  if (!again) {
    const outdated: NewSessionEvent[] = pending
      ? [resolved(plan, pending.approval_id, { type: 'outdated' })]
      : [];
    const recorded = deps.record([
      ...outdated,
      requestEvent(plan, tool, args, approvalId, digest, pending ? 'definition_changed' : reason),
    ]);
    if (!recorded.ok) return { error: recorded.error };
  }
  const binding = {
    approval_id: approvalId,
    turn_id: plan.turn_id,
    call_id: plan.call.call_id,
    qualified_name: tool.descriptor.qualified_name,
    pin: tool.pin,
    arguments_digest: digest,
  };
  const request = deps.desk.open(binding, signal);
  if (deps.standing === 'once')
    deps.desk.answer(approvalId, digest, { type: 'allow', scope: 'once', by: 'host' });
  if (deps.standing === 'deny') deps.desk.answer(approvalId, digest, { type: 'deny', note: '', by: 'host' });
  return request;
}

function resolved(
  plan: CallPlan,
  approvalId: string,
  answer: Answer | { readonly type: 'cancelled' } | { readonly type: 'outdated' },
): NewSessionEvent {
  const base = { approval_id: approvalId, call_id: plan.call.call_id };
  const data = (() => {
    switch (answer.type) {
      case 'allow':
        return { ...base, outcome: 'allowed' as const, scope: answer.scope, note: '', by: answer.by };
      case 'deny':
        return { ...base, outcome: 'denied' as const, scope: null, note: answer.note, by: answer.by };
      case 'cancelled':
        return {
          ...base,
          outcome: 'cancelled' as const,
          scope: null,
          note: 'The turn was stopped.',
          by: 'turn_end' as const,
        };
      case 'outdated':
        return {
          ...base,
          outcome: 'cancelled' as const,
          scope: null,
          note: 'The definition of the tool has changed since you were asked.',
          by: 'turn_end' as const,
        };
    }
  })();
  return { turn_id: plan.turn_id, type: 'approval_resolved', data };
}

/** What an answer allows: the rule that is recorded with the start, and the grant that it makes. */
function allowance(
  deps: CallDeps,
  plan: CallPlan,
  tool: Tool,
  approvalId: string,
  answer: Extract<Answer, { type: 'allow' }>,
): {
  rule: DecisionRule;
  grant: readonly NewSessionEvent[];
} {
  if (answer.by === 'host') return { rule: { rule: 'host_allows_once' }, grant: [] };
  if (answer.scope === 'once') return { rule: { rule: 'asked_person' }, grant: [] };
  const existing = deps
    .grants()
    .find((g) => g.pin === tool.pin && g.qualified_name === tool.descriptor.qualified_name);
  if (existing) return { rule: { rule: 'grant_session', grant_id: existing.grant_id }, grant: [] };
  const grantId = deps.newId('grant');
  return {
    rule: { rule: 'asked_person', grant_id: grantId },
    grant: [
      {
        turn_id: plan.turn_id,
        type: 'grant_made',
        data: {
          grant_id: grantId,
          scope: 'session',
          coworker_id: plan.coworker_id,
          qualified_name: tool.descriptor.qualified_name,
          pin: tool.pin,
          approval_id: approvalId,
        },
      },
    ],
  };
}

async function ask(
  deps: CallDeps,
  plan: CallPlan,
  tool: Tool,
  args: JsonObject,
  reason: 'not_read_only' | 'definition_changed',
  signal: AbortSignal,
): Promise<CallEnd> {
  const request = openRequest(deps, plan, tool, args, reason, signal);
  if ('error' in request) return { type: 'not_recorded', error: request.error };
  const answer = await request.answer;
  const resolution = resolved(plan, request.approval_id, answer);
  if (answer.type === 'cancelled' || (answer.type === 'allow' && signal.aborted)) {
    const error = failure(
      'cancelled',
      `${plan.call.name} was not run: the turn was stopped while the request waited.`,
    );
    return close(deps, [
      resolved(plan, request.approval_id, { type: 'cancelled' }),
      neverStarted(plan, 'cancelled', error),
    ]);
  }
  if (answer.type === 'deny') {
    const words = answer.note ? ` They say: ${answer.note}` : '';
    const who = answer.by === 'host' ? 'The host denies every request.' : 'The person denied this call.';
    const error = failure('denied', `${who} ${plan.call.name} was not run.${words}`);
    const rule: DecisionRule = { rule: answer.by === 'host' ? 'host_denies' : 'asked_person' };
    return close(deps, [resolution, neverStarted(plan, 'denied', error, rule)]);
  }
  const { rule, grant } = allowance(deps, plan, tool, request.approval_id, answer);
  return run(deps, plan, tool, args, rule, [resolution, ...grant], signal);
}

/**
 * One call of any kind of tool from proposal to recorded end, on one path: select, parse, validate, decide, ask, record
 * the start, run, normalise, record the finish (S0-63, S1-49). Never throws; every failure on the way is recorded and
 * readable by the model, or ends the turn.
 */
export async function runCall(deps: CallDeps, plan: CallPlan, signal: AbortSignal): Promise<CallEnd> {
  if (signal.aborted) {
    const error = failure('cancelled', `${plan.call.name} was not run: the turn was stopped.`);
    return close(deps, [neverStarted(plan, 'cancelled', error)]);
  }
  const checked = check(deps, plan);
  if ('problem' in checked) return close(deps, [neverStarted(plan, 'rejected', checked.problem)]);
  const { tool, args } = checked;
  const decision = decide({
    coworker_id: plan.coworker_id,
    qualified_name: tool.descriptor.qualified_name,
    pin: tool.pin,
    classification: tool.classification,
    mode: deps.mode(),
    grants: deps.grants(),
  });
  switch (decision.type) {
    case 'allow':
      return run(deps, plan, tool, args, decision.rule, [], signal);
    case 'refuse':
      return close(deps, [neverStarted(plan, 'rejected', decision.error, decision.rule)]);
    case 'ask':
      return ask(deps, plan, tool, args, decision.reason, signal);
  }
}
