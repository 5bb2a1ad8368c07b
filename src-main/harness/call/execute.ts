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
import {
  brokenByProgress,
  brokenByResult,
  hasNativeLimits,
  maxRemoteProgress,
  nativeLimits,
  timedOut,
} from './limits';
import { normaliseOutput } from './normalise';

/** How long a cancelled tool may take to stop before it is left behind, in milliseconds. */
export const cancelGraceMs = 2_000;

export interface Execution {
  readonly outcome: Outcome;
  readonly duration_ms: number;
  readonly result: CallResult | null;
  readonly error: Failure | null;
  readonly progress: readonly ProgressEntry[];
}

type Judgement = Omit<Execution, 'duration_ms' | 'progress'>;

/** How the waiting for a tool ended: by itself, by a limit, or because it ignored a cancellation. */
type End = ToolEnd | { readonly type: 'limit'; readonly error: Failure } | { readonly type: 'left_behind' };

/** Ends the waiting for a tool from outside; the first reason wins, and the tool's signal is aborted with it. */
function createGuard(deadline: number | null, name: string, stop: AbortSignal) {
  const own = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let settle: (end: End) => void = () => undefined;
  const ended = new Promise<End>((resolve) => {
    settle = resolve;
  });
  const breakLimit = (error: Failure): void => {
    settle({ type: 'limit', error });
    own.abort();
  };
  const leave = (): void => {
    timers.push(setTimeout(() => settle({ type: 'left_behind' }), cancelGraceMs));
  };
  if (stop.aborted) leave();
  else stop.addEventListener('abort', leave, { once: true });
  if (deadline !== null) timers.push(setTimeout(() => breakLimit(timedOut(name)), deadline));
  return {
    signal: AbortSignal.any([stop, own.signal]),
    ended,
    breakLimit,
    close(): void {
      timers.forEach(clearTimeout);
      stop.removeEventListener('abort', leave);
    },
  };
}

function judge(end: End, tool: Tool, stopped: boolean): Judgement {
  const name = tool.descriptor.qualified_name;
  switch (end.type) {
    case 'left_behind': {
      const message = `${name} was stopped while it ran and did not say how far it came. It may have had an effect.`;
      return { outcome: 'cancelled_may_have_run', result: null, error: failure('cancelled', message) };
    }
    case 'limit':
      return { outcome: 'outcome_unknown', result: null, error: end.error };
    case 'output': {
      const result = normaliseOutput(end.output);
      const error = hasNativeLimits(tool) ? brokenByResult(name, result) : null;
      if (error) return { outcome: 'outcome_unknown', result: null, error };
      return { outcome: 'completed', result, error: null };
    }
    case 'error':
      if (stopped && end.error.code === 'cancelled')
        return { outcome: 'cancelled', result: null, error: end.error };
      return {
        outcome: 'failed',
        result: end.output ? normaliseOutput(end.output) : null,
        error: end.error,
      };
    case 'unknown':
      return {
        outcome: stopped ? 'cancelled_may_have_run' : 'outcome_unknown',
        result: null,
        error: end.error,
      };
  }
}

/** Takes the progress of a call; what comes after its end is dropped, what breaks a native limit ends it. */
function createProgress(deps: CallDeps, plan: CallPlan, tool: Tool, breakLimit: (error: Failure) => void) {
  const entries: ProgressEntry[] = [];
  let ended = false;
  const native = hasNativeLimits(tool);
  const report = ({ message, data, fraction }: ToolProgress): void => {
    if (ended || (!native && entries.length >= maxRemoteProgress)) return;
    const entry: ProgressEntry = {
      index: entries.length,
      message,
      ...(data === undefined ? {} : { data }),
      ...(fraction === undefined ? {} : { fraction }),
    };
    const broken = native ? brokenByProgress(tool.descriptor.qualified_name, entry) : null;
    if (broken) {
      ended = true;
      breakLimit(broken);
      return;
    }
    entries.push(entry);
    deps.emit({ type: 'call_progress', turn_id: plan.turn_id, call_id: plan.call.call_id, entry });
  };
  return {
    entries,
    report,
    end: () => {
      ended = true;
    },
  };
}

/**
 * Runs a started call to its end and says truthfully how it ended (S0-73..S0-79). A tool that ignores cancellation or
 * its time limit is left behind; its late result is dropped. Never throws.
 */
export async function execute(
  deps: CallDeps,
  plan: CallPlan,
  tool: Tool,
  args: JsonObject,
  signal: AbortSignal,
): Promise<Execution> {
  const name = tool.descriptor.qualified_name;
  const began = deps.clock();
  const guard = createGuard(hasNativeLimits(tool) ? nativeLimits.call_ms : null, name, signal);
  const progress = createProgress(deps, plan, tool, guard.breakLimit);
  const context: ToolContext = {
    session_id: plan.session_id,
    turn_id: plan.turn_id,
    call_id: plan.call.call_id,
    qualified_name: name,
    model_alias: tool.model_alias,
    workspace: plan.workspace,
    signal: guard.signal,
    progress: progress.report,
  };
  const end = await Promise.race([tool.run(context, args), guard.ended]);
  guard.close();
  progress.end();
  return {
    ...judge(end, tool, signal.aborted),
    duration_ms: Math.round((deps.clock() - began) * 10) / 10,
    progress: progress.entries,
  };
}
