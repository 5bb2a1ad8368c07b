import { decide, type PolicyQuestion } from '../approvals';
import { failure, type AskReason, type DecisionRule, type Failure, type NewSessionEvent } from '../protocol';
import type { Tool } from '../tools';
import { canonicalDigest } from '../validation';
import { allowance, openRequest } from './approval-request';
import {
  deniedEvents,
  factsOf,
  namesOf,
  neverStarted,
  resolvedEvent,
  settledEvents,
  startEvent,
  type ReadyCall,
  type Resolution,
} from './call-events';
import type { CallDeps, CallEnd, CallPlan } from './call-port';
import { execute } from './execute';

/** Records events that end the call before it starts. */
function close(deps: CallDeps, events: readonly NewSessionEvent[]): CallEnd {
  const recorded = deps.record(events);
  return recorded.ok ? { type: 'answered' } : { type: 'not_recorded', error: recorded.error };
}

/** Ends a call that will not start, and the request of before a restart with it. */
function closeUnasked(deps: CallDeps, plan: CallPlan, how: Resolution, finished: NewSessionEvent): CallEnd {
  const { pending } = plan;
  if (!pending) return close(deps, [finished]);
  deps.desk.withdraw(pending.approval_id);
  return close(deps, [resolvedEvent(factsOf(plan), pending.approval_id, how), finished]);
}

/** Select, and what `prepareCall` found: what must hold before anybody is asked (S0-63). */
function check(plan: CallPlan): ReadyCall | { readonly problem: Failure } {
  const { tool, prepared } = plan;
  const { name } = prepared.proposed;
  if (!tool) {
    const known =
      plan.aliases.length > 0 ? `Call one of: ${plan.aliases.join(', ')}.` : 'This coworker has no tools.';
    return { problem: failure('tool_unknown', `There is no tool "${name}" here. ${known}`) };
  }
  const { problem, released } = prepared;
  if (problem) return { problem };
  if (released === null) {
    return {
      problem: failure('internal', `${name} was not prepared, so it was not run. Please report this.`),
    };
  }
  let digest: string | null = null;
  return { tool, args: released, digest: () => (digest ??= canonicalDigest(released)) };
}

/** Records what led to the start and the start itself in one transaction, runs the tool, records its end. */
async function run(
  deps: CallDeps,
  plan: CallPlan,
  ready: ReadyCall,
  rule: DecisionRule,
  before: readonly NewSessionEvent[],
  signal: AbortSignal,
): Promise<CallEnd> {
  const events = [...before, ...settledEvents(plan), startEvent(plan, ready, rule)];
  const started = await deps.gather(events, 'microtask');
  if (!started.ok) return { type: 'not_recorded', error: started.error };
  if (signal.aborted) return close(deps, [stopped(plan, 'the turn was stopped just before it began.')]);
  const execution = await execute(deps, plan, ready.tool, ready.args, signal);
  const finished = await deps.gather(
    [{ turn_id: plan.turn_id, type: 'tool_finished', data: { ...namesOf(plan), ...execution } }],
    'tick',
  );
  if (!finished.ok) return { type: 'not_recorded', error: finished.error };
  return { type: execution.outcome === 'outcome_unknown' ? 'unknown' : 'answered' };
}

function stopped(plan: CallPlan, words: string): NewSessionEvent {
  const message = `${plan.prepared.proposed.name} was not run: ${words}`;
  return neverStarted(factsOf(plan), 'cancelled', failure('cancelled', message));
}

async function ask(
  deps: CallDeps,
  plan: CallPlan,
  ready: ReadyCall,
  reason: AskReason,
  signal: AbortSignal,
): Promise<CallEnd> {
  const request = openRequest(deps, plan, ready, reason, signal);
  if (request.type === 'not_recorded') return request;
  const { approval_id } = request;
  const unrecorded = request.type === 'answered' ? request.events : [];
  const answer = await request.answer;
  if (answer.type === 'deny') {
    // A person's denial was on record before it was acknowledged.
    if (request.type === 'open') return { type: 'answered' };
    return close(deps, [...unrecorded, ...deniedEvents(factsOf(plan), approval_id, answer)]);
  }
  if (answer.type === 'cancelled' || signal.aborted) {
    const resolved = resolvedEvent(factsOf(plan), approval_id, { type: 'cancelled' });
    const finished = stopped(plan, 'the turn was stopped while the request waited.');
    return close(deps, [...unrecorded, resolved, finished]);
  }
  const decision = decide(questionOf(deps, plan, ready.tool));
  if (decision.type === 'refuse') {
    const resolved = resolvedEvent(factsOf(plan), approval_id, { type: 'refused' });
    const finished = neverStarted(factsOf(plan), 'rejected', decision.error, decision.rule);
    return close(deps, [...unrecorded, resolved, finished]);
  }
  const { rule, grant } = allowance(deps, plan, ready.tool, approval_id, answer);
  const before = [...unrecorded, resolvedEvent(factsOf(plan), approval_id, answer), ...grant];
  return run(deps, plan, ready, rule, before, signal);
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
 * One prepared call of any kind of tool to its recorded end, on one path: select, decide, ask, record the start, run,
 * normalise, output guardrails, record the finish (S0-63, S1-43, S1-49). An allowed call makes two records, its start
 * and its finish. Never throws; every failure on the way is recorded and readable by the model, or ends the turn.
 */
export async function runCall(deps: CallDeps, plan: CallPlan, signal: AbortSignal): Promise<CallEnd> {
  // A person denied it before its request was open again, and that is on record.
  if (plan.pending && !deps.desk.expects(plan.pending.approval_id)) return { type: 'answered' };
  if (signal.aborted) {
    return closeUnasked(deps, plan, { type: 'cancelled' }, stopped(plan, 'the turn was stopped.'));
  }
  const ready = check(plan);
  if ('problem' in ready) {
    return closeUnasked(
      deps,
      plan,
      { type: 'outdated' },
      neverStarted(factsOf(plan), 'rejected', ready.problem),
    );
  }
  // A person was asked before a restart: their answer counts, whatever the policy would say by now.
  if (plan.pending) return ask(deps, plan, ready, 'not_read_only', signal);
  const decision = decide(questionOf(deps, plan, ready.tool));
  switch (decision.type) {
    case 'refuse':
      return close(deps, [neverStarted(factsOf(plan), 'rejected', decision.error, decision.rule)]);
    case 'ask':
      return ask(deps, plan, ready, plan.rerun ? 'run_again' : decision.reason, signal);
    case 'allow':
      if (plan.rerun) return ask(deps, plan, ready, 'run_again', signal);
      return run(deps, plan, ready, decision.rule, [], signal);
  }
}
