import { failure, type Failure, type LimitKind, type ReachedLimit } from '../protocol';
import { stopEnd } from './turn-end';
import type { TurnDeps, TurnEnd, TurnPlan } from './turn-port';

/** Requests to a model that one turn may make before a person is asked: a bound on a model that never ends. */
export const requestsPerTurn = 250;

const things: Readonly<Record<LimitKind, string>> = {
  tokens: 'tokens',
  cost_usd: 'US dollars',
  turns: 'turns',
  minutes: 'minutes of work',
  requests_in_turn: 'requests to the model in one turn',
};

/** Says that a turn stands, or was stopped, at a limit. */
export function limitReached({ kind, limit }: Pick<ReachedLimit, 'kind' | 'limit'>): Failure {
  return failure(
    'limit_reached',
    `The session has reached its limit of ${limit} ${things[kind]}, so the turn was stopped. What completed stays. Send a message to go on, or set another limit.`,
  );
}

/**
 * Stands at a limit of the session until a person says to go on (each time for the same amount once more) or to stop.
 * A host that answers for the person does not go on. Answers null when the turn may go on.
 */
export async function passLimits(
  deps: TurnDeps,
  plan: TurnPlan,
  signal: AbortSignal,
): Promise<TurnEnd | null> {
  for (;;) {
    const reached = deps.reachedLimit();
    if (!reached) return null;
    const pauseId = deps.newId('pause');
    const { kind, used, limit } = reached;
    const data = { pause_id: pauseId, kind, used, limit };
    const begun = deps.record([{ turn_id: plan.turn_id, type: 'pause_started', data }]);
    if (!begun.ok) return { outcome: 'failed', error: begun.error };
    const host = deps.standing !== 'ask';
    const answer = host ? 'stopped' : await deps.waitAtPause(pauseId, signal);
    const goOn = answer === 'continued';
    const by = answer === 'cancelled' ? 'turn_end' : host ? 'host' : 'person';
    const ended = deps.record([
      {
        turn_id: plan.turn_id,
        type: 'pause_ended',
        data: { pause_id: pauseId, outcome: goOn ? 'continued' : 'stopped', by },
      },
    ]);
    if (!ended.ok) return { outcome: 'failed', error: ended.error };
    if (answer === 'cancelled') return stopEnd(signal);
    if (!goOn) return { outcome: 'stopped', error: limitReached(reached) };
  }
}
