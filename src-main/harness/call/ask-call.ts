import type { TakenAllowance } from '../approvals';
import type { AskReason, JsonObject, NewSessionEvent } from '../protocol';
import { canonicalDigest } from '../validation';
import { allowance, openRequest } from './approval-request';
import {
  deniedEvents,
  expiredEvents,
  factsOf,
  neverStarted,
  readyCall,
  resolvedEvent,
  type ReadyCall,
} from './call-events';
import type { CallDeps, CallEnd, CallPlan } from './call-port';
import { decideCall } from './decide-call';
import { prepareCall } from './prepare-call';
import { close, run, stopped } from './start-call';

interface Why {
  readonly reason: AskReason;
  readonly grant_id?: string;
}

/** A call that is asked about, and the request that was answered. */
interface Answered {
  readonly deps: CallDeps;
  readonly plan: CallPlan;
  readonly ready: ReadyCall;
  readonly approval_id: string;
  /** What is to be recorded with the answer. */
  readonly unrecorded: readonly NewSessionEvent[];
  readonly signal: AbortSignal;
}

/** The call with the arguments that the person edited, through every check that the model's own went through. */
async function edit(
  { deps, plan, ready, signal }: Answered,
  edited: JsonObject,
): Promise<{ readonly plan: CallPlan; readonly ready: ReadyCall | null }> {
  const { tool, classified } = ready;
  const { proposed } = plan.prepared;
  const { call_id, name, qualified_name } = proposed;
  const prepared = await prepareCall(
    deps,
    { call_id, name, qualified_name, arguments: edited },
    tool,
    signal,
  );
  const next: CallPlan = { ...plan, pending: null, prepared: { ...prepared, proposed } };
  const { released } = prepared;
  if (prepared.problem || released === null) return { plan: next, ready: null };
  return { plan: next, ready: readyCall(tool, classified, released) };
}

/** An allowed call: the policy has its word once more, then it runs with exactly what was allowed. */
async function runAllowed(answered: Answered, answer: TakenAllowance): Promise<CallEnd> {
  const { deps, plan, ready, approval_id, unrecorded, signal } = answered;
  const decision = decideCall(deps, plan, ready);
  if (decision.type === 'refuse') {
    const resolved = resolvedEvent(factsOf(plan), approval_id, { type: 'refused' });
    const finished = neverStarted(factsOf(plan), 'rejected', decision.error, decision.rule);
    return close(deps, [...unrecorded, resolved, finished]);
  }
  const { rule, grant } = allowance(deps, plan, ready, answer);
  const resolved = resolvedEvent(factsOf(plan), approval_id, answer, plan.prepared.withheld);
  return run(deps, plan, ready, rule, [...unrecorded, resolved, ...grant], signal);
}

/** Runs what the person edited; where a guardrail changes it, they are asked about what it became (S1-43). */
async function runEdited(answered: Answered, answer: TakenAllowance, args: JsonObject): Promise<CallEnd> {
  const { deps, approval_id, unrecorded, signal } = answered;
  const { plan, ready } = await edit(answered, args);
  const facts = factsOf(plan);
  const { problem, withheld } = plan.prepared;
  if (!ready) {
    const finished = problem ? [neverStarted(facts, 'rejected', problem)] : [];
    return close(deps, [...unrecorded, resolvedEvent(facts, approval_id, answer, withheld), ...finished]);
  }
  if (ready.digest() === canonicalDigest(args)) return runAllowed({ ...answered, plan, ready }, answer);
  const recorded = deps.record([...unrecorded, resolvedEvent(facts, approval_id, { type: 'rewritten' })]);
  if (!recorded.ok) return { type: 'not_recorded', error: recorded.error };
  return ask(deps, plan, ready, { reason: 'arguments_changed' }, signal);
}

/** Asks, waits, and runs or ends the call as it was answered. */
export async function ask(
  deps: CallDeps,
  plan: CallPlan,
  ready: ReadyCall,
  { reason, grant_id }: Why,
  signal: AbortSignal,
): Promise<CallEnd> {
  const about = grant_id === undefined ? {} : { grant_id };
  const request = openRequest(deps, plan, ready, { reason, ...about, identity: deps.identity }, signal);
  if (request.type === 'not_recorded') return request;
  const { approval_id } = request;
  const unrecorded = request.type === 'answered' ? request.events : [];
  const answer = await request.answer;
  if (answer.type === 'deny') {
    // A person's denial was on record before it was acknowledged.
    if (request.type === 'open') return { type: 'answered' };
    return close(deps, [...unrecorded, ...deniedEvents(factsOf(plan), approval_id, answer)]);
  }
  if (answer.type === 'expired') return close(deps, expiredEvents(factsOf(plan), approval_id));
  if (answer.type === 'cancelled' || signal.aborted) {
    const resolved = resolvedEvent(factsOf(plan), approval_id, { type: 'cancelled' });
    const finished = stopped(plan, 'the turn was stopped while the request waited.');
    return close(deps, [...unrecorded, resolved, finished]);
  }
  const answered = { deps, plan, ready, approval_id, unrecorded, signal };
  return answer.arguments === undefined
    ? runAllowed(answered, answer)
    : runEdited(answered, answer, answer.arguments);
}
