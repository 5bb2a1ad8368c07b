import { failure, type Failure, type NewSessionEvent } from '../protocol';
import { ask } from './ask-call';
import {
  factsOf,
  neverStarted,
  readyCall,
  resolvedEvent,
  type ReadyCall,
  type Resolution,
} from './call-events';
import type { CallDeps, CallEnd, CallPlan } from './call-port';
import { decideCall } from './decide-call';
import { close, run, stopped } from './start-call';

/** Ends a call that will not start, and the request of before a restart with it. */
function closeUnasked(deps: CallDeps, plan: CallPlan, how: Resolution, finished: NewSessionEvent): CallEnd {
  const { pending } = plan;
  if (!pending) return close(deps, [finished]);
  deps.desk.withdraw(pending.approval_id);
  return close(deps, [resolvedEvent(factsOf(plan), pending.approval_id, how), finished]);
}

/** Select, and what `prepareCall` found: what must hold before anybody is asked (S0-63). */
function check(deps: CallDeps, plan: CallPlan): ReadyCall | { readonly problem: Failure } {
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
  return readyCall(tool, deps.classified(tool), released);
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
  const ready = check(deps, plan);
  if ('problem' in ready) {
    return closeUnasked(
      deps,
      plan,
      { type: 'outdated' },
      neverStarted(factsOf(plan), 'rejected', ready.problem),
    );
  }
  // A person was asked before a restart: their answer counts, whatever the policy would say by now.
  if (plan.pending) return ask(deps, plan, ready, { reason: 'not_read_only' }, signal);
  const decision = decideCall(deps, plan, ready);
  switch (decision.type) {
    case 'refuse':
      return close(deps, [neverStarted(factsOf(plan), 'rejected', decision.error, decision.rule)]);
    case 'ask':
      return ask(deps, plan, ready, plan.rerun ? { reason: 'run_again' } : decision, signal);
    case 'allow':
      if (plan.rerun) return ask(deps, plan, ready, { reason: 'run_again' }, signal);
      return run(deps, plan, ready, decision.rule, [], signal);
  }
}
