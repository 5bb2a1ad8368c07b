import { setMaxListeners } from 'node:events';
import { prepareCall, runCall, type CallEnd, type CallPlan, type PreparedCall } from '../call';
import { failure, type ProposedCall } from '../protocol';
import { linkedAbort, type Tool } from '../tools';
import { stopEnd } from './turn-end';
import type { StopReason, TurnDeps, TurnEnd, TurnPlan } from './turn-port';

/** Requests of before a restart that still wait for an answer, by call id. */
export type PendingRequests = ReadonlyMap<
  string,
  { readonly approval_id: string; readonly arguments_digest: string; readonly pin: string }
>;

/** The calls of one response, checked and guarded. */
export interface Response {
  readonly calls: readonly PreparedCall[];
  readonly pending: PendingRequests;
  readonly rerun: CallPlan['rerun'];
}

function toolOf(plan: TurnPlan, call: ProposedCall): Tool | null {
  return plan.tools.find((tool) => tool.model_alias === call.name) ?? null;
}

/** Checks and guards the calls of a response, before anything of them is recorded. */
export function prepareCalls(
  deps: TurnDeps,
  plan: TurnPlan,
  calls: readonly ProposedCall[],
  signal: AbortSignal,
): Promise<readonly PreparedCall[]> {
  return Promise.all(calls.map((call) => prepareCall(deps, call, toolOf(plan, call), signal)));
}

function callPlan(
  plan: TurnPlan,
  response: Response,
  prepared: PreparedCall,
  aliases: readonly string[],
): CallPlan {
  return {
    session_id: plan.session_id,
    turn_id: plan.turn_id,
    coworker_id: plan.coworker_id,
    workspace: plan.workspace,
    prepared,
    tool: toolOf(plan, prepared.proposed),
    aliases,
    pending: response.pending.get(prepared.proposed.call_id) ?? null,
    rerun: response.rerun,
  };
}

const unknownEnd: TurnEnd = {
  outcome: 'failed',
  error: failure(
    'outcome_unknown',
    'A tool broke off after it had begun, so its outcome is unknown. The turn was stopped and nothing is run again by itself. Check what happened, then settle the call.',
  ),
};

/** Runs the calls of one response side by side. Answers null when the model can go on, else how the turn ends. */
export async function runCalls(
  deps: TurnDeps,
  plan: TurnPlan,
  response: Response,
  signal: AbortSignal,
): Promise<TurnEnd | null> {
  const aliases = plan.tools.map((tool) => tool.model_alias);
  // A call whose outcome or record is lost ends the turn: its siblings need not be waited for.
  const together = linkedAbort(signal);
  setMaxListeners(0, together.signal);
  const settled = await Promise.allSettled(
    response.calls.map(async (call): Promise<CallEnd> => {
      let end: CallEnd | null = null;
      try {
        end = await runCall(deps, callPlan(plan, response, call, aliases), together.signal);
        return end;
      } finally {
        if (end?.type !== 'answered') together.abort('stopped' satisfies StopReason);
      }
    }),
  );
  together.release();
  // A defect ends the turn as well, behind its siblings: none of them goes on unwatched.
  const ends = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  const lost = ends.find((end) => end.type === 'not_recorded');
  if (lost) return { outcome: 'failed', error: lost.error };
  if (signal.aborted) return stopEnd(signal);
  return ends.some((end) => end.type === 'unknown') ? unknownEnd : null;
}
