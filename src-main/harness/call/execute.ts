import {
  guardEchoes,
  mergeFacts,
  type GuardedCall,
  type GuardedOutput,
  type Guardrails,
} from '../guardrails';
import {
  failure,
  type CallResult,
  type Failure,
  type GuardrailFact,
  type JsonObject,
  type Outcome,
  type ProgressEntry,
} from '../protocol';
import type { Tool, ToolContext, ToolEnd, ToolImage } from '../tools';
import { createCallGuard, type End } from './call-guard';
import type { CallDeps, CallPlan } from './call-port';
import { createCallProgress } from './call-progress';
import { brokenByResult, hasNativeLimits, nativeLimits } from './limits';
import { normaliseFailure, normaliseOutput } from './normalise';

export { cancelGraceMs } from './call-guard';

export interface Execution {
  readonly outcome: Outcome;
  /** From the start to the tool's end; guardrails come after it. */
  readonly duration_ms: number;
  readonly result: CallResult | null;
  readonly error: Failure | null;
  readonly progress: readonly ProgressEntry[];
  /** What output guardrails did; absent when none had anything to say. */
  readonly guardrails?: readonly GuardrailFact[];
}

/** What a tool's end means, before any guardrail has seen it. */
interface Judgement extends GuardedOutput {
  readonly outcome: Outcome;
  readonly image?: ToolImage;
}

const failedImage = '[The tool returned an image with its failure; it is not passed on.]';

function inWords(result: CallResult, words: string): CallResult {
  return { ...result, text: result.text === '' ? words : `${result.text}\n${words}` };
}

function judgeError(end: Extract<ToolEnd, { type: 'error' }>, stopped: boolean): Judgement {
  const error = normaliseFailure(end.error);
  if (stopped && error.code === 'cancelled') return { outcome: 'cancelled', result: null, error };
  if (!end.output) return { outcome: 'failed', result: null, error };
  const result = normaliseOutput(end.output);
  const said = end.output.image ? inWords(result, failedImage) : result;
  return { outcome: 'failed', result: said, error };
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
      const error = brokenByResult(tool, result);
      if (error) return { outcome: 'outcome_unknown', result: null, error };
      const { image } = end.output;
      return { outcome: 'completed', result, error: null, ...(image ? { image } : {}) };
    }
    case 'error':
      return judgeError(end, stopped);
    case 'unknown': {
      const outcome = stopped ? 'cancelled_may_have_run' : 'outcome_unknown';
      return { outcome, result: null, error: end.error };
    }
  }
}

/** Keeps the image for minutes and refers to it (S1-72, S1-73), or says in words why it was refused. */
function withImage(
  deps: CallDeps,
  plan: CallPlan,
  call: GuardedCall,
  result: CallResult,
  image: ToolImage,
): CallResult {
  const source = { qualified_name: call.qualified_name, turn_id: plan.turn_id, call_id: call.call_id };
  const kept = deps.images.put(plan.session_id, source, image);
  if (kept.ok) return { ...result, image: kept.value };
  return inWords(result, `[The tool returned an image, which was refused. ${kept.error.message}]`);
}

/** Where arguments are withheld, nothing that the tool repeats of them goes on (S1-85, S1-86). */
function guardrailsOf(deps: CallDeps, plan: CallPlan, tool: Tool, args: JsonObject): Guardrails {
  const { withheld, guardrails } = plan.prepared;
  if (!withheld) return deps.guardrails;
  const name = guardrails.find(({ action }) => action === 'withheld')?.guardrail ?? 'withheld_arguments';
  return guardEchoes(deps.guardrails, { name, arguments: args, schema: tool.descriptor.input_schema });
}

/** Output guardrails, then the image: one whose result is withheld is never kept. */
async function release(
  deps: CallDeps,
  plan: CallPlan,
  call: GuardedCall,
  { outcome, result, error, image }: Judgement,
  seen: readonly GuardrailFact[],
): Promise<Pick<Execution, 'outcome' | 'result' | 'error' | 'guardrails'>> {
  const released = await deps.guardrails.output(call, { result, error });
  const { output, blocked_by } = released;
  const facts = mergeFacts([...released.facts, ...seen]);
  const said = facts.length > 0 ? { guardrails: facts } : {};
  if (blocked_by !== null && outcome === 'completed') {
    const words = `${call.qualified_name} ran, and guardrail ${blocked_by} keeps its result back.`;
    return { outcome: 'failed', result: null, error: failure('guardrail_blocked', words), ...said };
  }
  const withPixels =
    image && output.result && released.released
      ? withImage(deps, plan, call, output.result, image)
      : output.result;
  return { outcome, result: withPixels, error: output.error, ...said };
}

async function runTool(tool: Tool, context: ToolContext, args: JsonObject): Promise<ToolEnd> {
  try {
    // A copy: what is on record stays as it is, whatever the tool does to its arguments.
    return await tool.run(context, JSON.parse(JSON.stringify(args)) as JsonObject);
  } catch {
    const words = `${context.qualified_name} broke off with an unexpected error, so nobody knows what it did. Check, then settle the call.`;
    return { type: 'unknown', error: failure('tool_threw', words) };
  }
}

/** A tool that was left behind may still end; nobody waits for what it says (S0-70). */
function logLateEnd(deps: CallDeps, plan: CallPlan, call: GuardedCall, running: Promise<ToolEnd>): void {
  const id = JSON.stringify(call.call_id.slice(0, 100));
  void running.then(() =>
    deps.log(
      `Tool ${call.qualified_name} ended after it had been left behind (call ${id} of turn ${plan.turn_id}); its late result was dropped.`,
    ),
  );
}

/**
 * Runs a started call to its end and says truthfully how it ended (S0-73..S0-79). A tool that ignores cancellation or
 * its time limit is left behind; its late result is dropped and logged. Never throws.
 */
export async function execute(
  harness: CallDeps,
  plan: CallPlan,
  tool: Tool,
  args: JsonObject,
  signal: AbortSignal,
): Promise<Execution> {
  const deps = { ...harness, guardrails: guardrailsOf(harness, plan, tool, args) };
  const call: GuardedCall = {
    call_id: plan.prepared.proposed.call_id,
    qualified_name: tool.descriptor.qualified_name,
    model_alias: tool.model_alias,
    classification: tool.classification,
  };
  const began = deps.clock();
  const deadline = hasNativeLimits(tool) ? nativeLimits.call_ms : null;
  const guard = createCallGuard(deadline, call.qualified_name, signal);
  const progress = createCallProgress(deps, plan.turn_id, call, tool, guard.breakLimit);
  const context: ToolContext = {
    session_id: plan.session_id,
    turn_id: plan.turn_id,
    call_id: call.call_id,
    qualified_name: call.qualified_name,
    model_alias: call.model_alias,
    workspace: plan.workspace,
    signal: guard.signal,
    progress: progress.report,
  };
  const running = runTool(tool, context, args);
  const end = await Promise.race([running, guard.ended]);
  guard.close();
  progress.end();
  const duration_ms = Math.round((deps.clock() - began) * 10) / 10;
  if (end.type === 'left_behind' || end.type === 'limit') logLateEnd(deps, plan, call, running);
  const judged = judge(end, tool, signal.aborted);
  const ended = await release(deps, plan, call, judged, progress.facts);
  return { ...ended, duration_ms, progress: progress.entries };
}
