import type { Failure, ProposedCall } from '../protocol';
import { attemptStep } from './attempt-step';
import { compact, mustCompact, type Room } from './compact';
import { passLimits } from './pass-limits';
import { prepareCalls, runCalls, type PendingRequests, type Response } from './run-calls';
import { stopEnd } from './turn-end';
import type { TurnDeps, TurnEnd, TurnPlan } from './turn-port';

/** Calls that wait to be run when the turn begins: those that a restart left behind, or one that a person has run again. */
export interface OpenResponse {
  readonly calls: readonly ProposedCall[];
  readonly pending: PendingRequests;
  readonly rerun: Response['rerun'];
}

/** Where a turn begins: `attempt` counts the requests that were made before. */
export interface TurnStart {
  readonly attempt: number;
  readonly response: OpenResponse | null;
}

function failed(error: Failure): TurnEnd {
  return { outcome: 'failed', error };
}

async function opened(
  deps: TurnDeps,
  plan: TurnPlan,
  response: OpenResponse | null,
  signal: AbortSignal,
): Promise<Response | null> {
  return response && { ...response, calls: await prepareCalls(deps, plan, response.calls, signal) };
}

/** The provider refused a request as too long, so many times in a row. */
interface Overflow {
  readonly error: Failure;
  readonly times: number;
}

/** Makes room in the context where that is due. Answers null when the turn can go on. */
async function makeRoom(
  deps: TurnDeps,
  plan: TurnPlan,
  attempt: number,
  overflow: Overflow | null,
  signal: AbortSignal,
): Promise<TurnEnd | null> {
  if (!overflow && !mustCompact(deps, plan)) return null;
  const room: Room = !overflow ? 'soon' : overflow.times > 1 ? 'much' : 'now';
  const made = await compact(deps, plan, attempt, room, signal);
  if (!made.ok) return failed(made.error);
  return overflow && !made.value && !signal.aborted ? failed(overflow.error) : null;
}

/** Runs calls that a person asked for, each with a fresh approval, and asks no model. */
export async function runCallsAlone(
  deps: TurnDeps,
  plan: TurnPlan,
  calls: OpenResponse,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const response = await opened(deps, plan, calls, signal);
  const end = response && (await runCalls(deps, plan, response, signal));
  return end ?? { outcome: 'completed', error: null };
}

/** How often the context gives way for one request before the provider's refusal is taken as final. */
const maxOverflows = 2;

/**
 * Runs a turn to its end: attempt, calls, next attempt; steered messages join before each request. A failed request is
 * made again only while no call of its response was dispatched, which holds by construction. The caller records the
 * end that this answers.
 */
export async function runTurn(
  deps: TurnDeps,
  whole: TurnPlan,
  from: TurnStart,
  signal: AbortSignal,
): Promise<TurnEnd> {
  let plan = whole;
  let { attempt } = from;
  let response = await opened(deps, plan, from.response, signal);
  let retry = 0;
  let overflows = 0;
  let overflow: Overflow | null = null;
  const slow = new Set<string>();
  for (;;) {
    if (response) {
      const end = await runCalls(deps, plan, response, signal);
      if (end) return end;
      response = null;
    }
    if (signal.aborted) return stopEnd(signal);
    const halted =
      (await passLimits(deps, plan, signal)) ?? (await makeRoom(deps, plan, attempt + 1, overflow, signal));
    if (halted) return halted;
    if (signal.aborted) return stopEnd(signal);
    overflow = null;
    attempt += 1;
    const joined = deps.takeSteered(attempt);
    if (!joined.ok) return failed(joined.error);
    const mayLeaveOut = plan === whole;
    const place = { attempt, retry, mayCompact: overflows < maxOverflows, mayLeaveOut, slow };
    const step = await attemptStep(deps, plan, place, signal);
    switch (step.type) {
      case 'end': {
        if (step.end.outcome !== 'completed') return step.end;
        const more = deps.takeSteered(attempt + 1);
        if (!more.ok) return failed(more.error);
        if (more.value === 0) return step.end;
        break;
      }
      case 'overflow':
        overflows += 1;
        overflow = { error: step.error, times: overflows };
        break;
      case 'without':
        plan = { ...plan, tools: plan.tools.filter((tool) => tool !== step.tool) };
        continue;
      case 'again':
        retry += 1;
        await deps.sleep(step.wait_ms, signal);
        continue;
      case 'calls':
        overflows = 0;
        response = { calls: step.calls, pending: new Map(), rerun: null };
    }
    retry = 0;
  }
}
