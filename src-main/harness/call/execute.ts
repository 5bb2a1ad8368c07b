import {
  failure,
  type CallResult,
  type Failure,
  type JsonObject,
  type Outcome,
  type ProgressEntry,
} from '../protocol';
import type { Tool, ToolContext, ToolEnd, ToolProgress } from '../tools';
import type { CallDeps, CallPlan } from './call-port';
import { normaliseOutput } from './normalise';

/** How long a cancelled tool may take to stop before it is left behind, in milliseconds. */
export const cancelGraceMs = 2_000;
/** Progress reports of one call that are kept (S0-74). */
export const maxProgressEntries = 64;

export interface Execution {
  readonly outcome: Outcome;
  readonly duration_ms: number;
  readonly result: CallResult | null;
  readonly error: Failure | null;
  readonly progress: readonly ProgressEntry[];
}

function contextOf(
  plan: CallPlan,
  tool: Tool,
  signal: AbortSignal,
  report: (progress: ToolProgress) => void,
): ToolContext {
  return {
    session_id: plan.session_id,
    turn_id: plan.turn_id,
    call_id: plan.call.call_id,
    qualified_name: tool.descriptor.qualified_name,
    model_alias: tool.model_alias,
    workspace: plan.workspace,
    signal,
    progress: report,
  };
}

/** Resolves once the signal has been aborted for the grace time; `stop` ends the waiting. */
function leftBehind(signal: AbortSignal): { readonly promise: Promise<'left_behind'>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => undefined;
  const promise = new Promise<'left_behind'>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve('left_behind'), cancelGraceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  return {
    promise,
    stop() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

function judge(
  end: ToolEnd | 'left_behind',
  name: string,
  signal: AbortSignal,
): Omit<Execution, 'duration_ms' | 'progress'> {
  if (end === 'left_behind') {
    return {
      outcome: 'cancelled_may_have_run',
      result: null,
      error: failure(
        'cancelled',
        `${name} was stopped while it ran and did not say how far it came. It may have had an effect.`,
      ),
    };
  }
  switch (end.type) {
    case 'output':
      return { outcome: 'completed', result: normaliseOutput(end.output), error: null };
    case 'error':
      if (signal.aborted && end.error.code === 'cancelled')
        return { outcome: 'cancelled', result: null, error: end.error };
      return { outcome: 'failed', result: end.output ? normaliseOutput(end.output) : null, error: end.error };
    case 'unknown':
      return {
        outcome: signal.aborted ? 'cancelled_may_have_run' : 'outcome_unknown',
        result: null,
        error: end.error,
      };
  }
}

/**
 * Runs a started call to its end and says truthfully how it ended. A tool that ignores cancellation is left behind; its
 * late result is dropped. Never throws.
 */
export async function execute(
  deps: CallDeps,
  plan: CallPlan,
  tool: Tool,
  args: JsonObject,
  signal: AbortSignal,
): Promise<Execution> {
  const progress: ProgressEntry[] = [];
  let ended = false;
  const report = ({ message, data, fraction }: ToolProgress): void => {
    if (ended || progress.length >= maxProgressEntries) return;
    const entry: ProgressEntry = {
      index: progress.length,
      message,
      ...(data === undefined ? {} : { data }),
      ...(fraction === undefined ? {} : { fraction }),
    };
    progress.push(entry);
    deps.emit({ type: 'call_progress', turn_id: plan.turn_id, call_id: plan.call.call_id, entry });
  };
  const began = deps.clock();
  const waiter = leftBehind(signal);
  const end = await Promise.race([tool.run(contextOf(plan, tool, signal, report), args), waiter.promise]);
  waiter.stop();
  ended = true;
  return {
    ...judge(end, tool.descriptor.qualified_name, signal),
    duration_ms: Math.round((deps.clock() - began) * 10) / 10,
    progress,
  };
}
