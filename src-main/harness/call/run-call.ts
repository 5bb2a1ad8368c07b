import { decide, type PolicyQuestion } from '../approvals';
import {
  failure,
  type AskReason,
  type DecisionRule,
  type Failure,
  type JsonObject,
  type NewSessionEvent,
} from '../protocol';
import type { Tool } from '../tools';
import { allowance, openRequest } from './approval-request';
import { deniedEvents, namesOf, neverStarted, resolvedEvent } from './call-events';
import type { CallDeps, CallEnd, CallPlan } from './call-port';
import { execute } from './execute';

/** Records events that end the call before it starts. */
function close(deps: CallDeps, events: readonly NewSessionEvent[]): CallEnd {
  const recorded = deps.record(events);
  return recorded.ok ? { type: 'answered' } : { type: 'not_recorded', error: recorded.error };
}

/** Ends a call that fails its checks, and the request of before a restart with it. */
function refuse(deps: CallDeps, plan: CallPlan, problem: Failure): CallEnd {
  const { pending } = plan;
  if (!pending) return close(deps, [neverStarted(plan, 'rejected', problem)]);
  const answered = deps.desk.withdraw(pending.approval_id);
  if (answered?.type === 'deny') return close(deps, deniedEvents(plan, pending.approval_id, answered));
  return close(deps, [
    resolvedEvent(plan, pending.approval_id, { type: 'outdated' }),
    neverStarted(plan, 'rejected', problem),
  ]);
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
        `The arguments of ${call.name} are not one JSON object, or hold too many values or levels, so it was not run. Send one plain JSON object that fits its schema.`,
      ),
    };
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

async function ask(
  deps: CallDeps,
  plan: CallPlan,
  tool: Tool,
  args: JsonObject,
  reason: AskReason,
  signal: AbortSignal,
): Promise<CallEnd> {
  const request = openRequest(deps, plan, tool, args, reason, signal);
  if (request.type === 'not_recorded') return request;
  if (request.type === 'denied_before')
    return close(deps, deniedEvents(plan, request.approval_id, request.answer));
  const answer = await request.answer;
  if (answer.type === 'deny') return close(deps, deniedEvents(plan, request.approval_id, answer));
  if (answer.type === 'cancelled' || signal.aborted) {
    const message = `${plan.call.name} was not run: the turn was stopped while the request waited.`;
    const events = [resolvedEvent(plan, request.approval_id, { type: 'cancelled' })];
    return close(deps, [...events, neverStarted(plan, 'cancelled', failure('cancelled', message))]);
  }
  const decision = decide(questionOf(deps, plan, tool));
  if (decision.type === 'refuse') {
    const events = [resolvedEvent(plan, request.approval_id, { type: 'refused' })];
    return close(deps, [...events, neverStarted(plan, 'rejected', decision.error, decision.rule)]);
  }
  const { rule, grant } = allowance(deps, plan, tool, request.approval_id, answer);
  return run(
    deps,
    plan,
    tool,
    args,
    rule,
    [resolvedEvent(plan, request.approval_id, answer), ...grant],
    signal,
  );
}

function questionOf(deps: CallDeps, plan: CallPlan, tool: Tool): PolicyQuestion {
  return {
    coworker_id: plan.coworker_id,
    qualified_name: tool.descriptor.qualified_name,
    pin: tool.pin,
    classification: tool.classification,
    mode: deps.mode(),
    grants: deps.grants(),
  };
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
  if ('problem' in checked) return refuse(deps, plan, checked.problem);
  const { tool, args } = checked;
  // A person was asked before a restart: their answer counts, whatever the policy would say by now.
  if (plan.pending) return ask(deps, plan, tool, args, 'not_read_only', signal);
  const decision = decide(questionOf(deps, plan, tool));
  switch (decision.type) {
    case 'allow':
      return run(deps, plan, tool, args, decision.rule, [], signal);
    case 'refuse':
      return close(deps, [neverStarted(plan, 'rejected', decision.error, decision.rule)]);
    case 'ask':
      return ask(deps, plan, tool, args, decision.reason, signal);
  }
}
