import { failure, type DecisionRule, type NewSessionEvent } from '../protocol';
import { factsOf, namesOf, neverStarted, settledEvents, startEvent, type ReadyCall } from './call-events';
import type { CallDeps, CallEnd, CallPlan } from './call-port';
import { execute } from './execute';

/** Records events that end the call before it starts. */
export function close(deps: CallDeps, events: readonly NewSessionEvent[]): CallEnd {
  const recorded = deps.record(events);
  return recorded.ok ? { type: 'answered' } : { type: 'not_recorded', error: recorded.error };
}

/** Records what led to the start and the start itself in one transaction, runs the tool, records its end. */
export async function run(
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

/** The end of a call that was stopped before it began. */
export function stopped(plan: CallPlan, words: string): NewSessionEvent {
  const message = `${plan.prepared.proposed.name} was not run: ${words}`;
  return neverStarted(factsOf(plan), 'cancelled', failure('cancelled', message));
}
