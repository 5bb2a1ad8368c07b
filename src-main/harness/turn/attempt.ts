import type { ModelCall, ModelFailure, ModelPart, ModelRequest } from '../model';
import {
  isJsonObject,
  type AssistantMessage,
  type Json,
  type JsonObject,
  type ProposedCall,
  type TokenUsage,
} from '../protocol';
import { isBoundedJson } from '../validation';
import type { TurnDeps, TurnPlan } from './turn-port';

/** Longest answer that is kept of one attempt, in UTF-16 units; a longer stream is cut off as a failure. */
export const maxAnswerLength = 8_000_000;

export type AttemptEnd =
  | {
      readonly type: 'message';
      readonly message: Omit<AssistantMessage, 'message_id' | 'attempt' | 'partial'>;
    }
  | { readonly type: 'failed'; readonly error: ModelFailure; readonly partial_text: string }
  | { readonly type: 'stopped'; readonly text: string; readonly reasoning: string };

/** As much of unusable arguments is kept, in UTF-16 units: enough to see what went wrong. */
const maxMalformedText = 100_000;

/** A JSON object of bearable size and depth, or null. */
function parseArguments(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return isJsonObject(value) && isBoundedJson(value) ? value : null;
  } catch {
    return null;
  }
}

/** A call as it is recorded. Broken arguments are kept as they came and never repaired. */
export function proposedCall(call: ModelCall, plan: TurnPlan): ProposedCall {
  const tool = plan.tools.find((candidate) => candidate.model_alias === call.name);
  const args = parseArguments(call.arguments_text);
  return {
    call_id: call.call_id,
    name: call.name,
    qualified_name: tool?.descriptor.qualified_name ?? null,
    arguments: args,
    ...(args === null ? { arguments_text: call.arguments_text.slice(0, maxMalformedText) } : {}),
    ...(call.provider_metadata ? { provider_metadata: call.provider_metadata } : {}),
  };
}

interface Gathered {
  text: string;
  reasoning: string;
  readonly calls: ProposedCall[];
  readonly provider_parts: Json[];
  end: { readonly reason: string; readonly usage: TokenUsage } | ModelFailure | null;
}

function gather(into: Gathered, part: ModelPart, plan: TurnPlan, deps: TurnDeps, attempt: number): void {
  switch (part.type) {
    case 'text':
    case 'reasoning': {
      const offset = into[part.type].length;
      into[part.type] += part.text;
      deps.onLiveText(attempt, into.text, into.reasoning);
      deps.emit({
        type: 'text_delta',
        turn_id: plan.turn_id,
        attempt,
        channel: part.type,
        offset,
        text: part.text,
      });
      return;
    }
    case 'call':
      into.calls.push(proposedCall(part.call, plan));
      return;
    case 'provider_part':
      into.provider_parts.push(part.part);
      return;
    case 'finished':
      into.end = { reason: part.reason, usage: part.usage };
      return;
    case 'failed':
      into.end = part.error;
  }
}

const cutOff: ModelFailure = {
  code: 'limit_reached',
  message: `The model's answer grew past ${maxAnswerLength} characters and was cut off. Nothing of it was run. Ask for a shorter answer.`,
  retryable: false,
};

const noEnd: ModelFailure = {
  code: 'model_stream_cut',
  message: "The model's answer broke off before its end. Nothing of it was run.",
  retryable: true,
};

/** One request to the model: streams it, passes deltas on, and answers what came of it. Runs nothing. Never throws. */
export async function runAttempt(
  deps: TurnDeps,
  plan: TurnPlan,
  attempt: number,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const request: ModelRequest = {
    model: plan.model.name,
    system: plan.system,
    messages: deps.history.messages(),
    tools: plan.tools.map((tool) => ({
      name: tool.model_alias,
      description: tool.descriptor.description,
      input_schema: tool.descriptor.input_schema,
    })),
    session_id: plan.session_id,
    turn_id: plan.turn_id,
    attempt,
  };
  const gathered: Gathered = { text: '', reasoning: '', calls: [], provider_parts: [], end: null };
  const stream = new AbortController();
  const linked = AbortSignal.any([signal, stream.signal]);
  for await (const part of plan.provider.stream(request, linked)) {
    if (signal.aborted) break;
    gather(gathered, part, plan, deps, attempt);
    if (gathered.text.length + gathered.reasoning.length > maxAnswerLength) {
      gathered.end = cutOff;
      break;
    }
  }
  stream.abort();
  if (signal.aborted) return { type: 'stopped', text: gathered.text, reasoning: gathered.reasoning };
  const { text, reasoning, calls, provider_parts, end } = gathered;
  if (end === null || 'code' in end) return { type: 'failed', error: end ?? noEnd, partial_text: text };
  return {
    type: 'message',
    message: {
      text,
      reasoning,
      ...(provider_parts.length > 0 ? { provider_parts } : {}),
      calls,
      finish_reason: end.reason,
      usage: end.usage,
    },
  };
}
