import type { ModelCall, ModelFailure, ModelPart, ModelRequest, ModelTool } from '../model';
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

/** Longest answer that is kept of one attempt, its arguments included, in UTF-16 units; a longer stream is cut off. */
export const maxAnswerLength = 8_000_000;

/** Most calls of one answer. */
export const maxCalls = 500;

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

/** How often streaming text is kept, in milliseconds: a crash loses no more than came in this time. */
export const saveTextEveryMs = 2_000;

interface Gathered {
  text: string;
  reasoning: string;
  readonly calls: ProposedCall[];
  readonly provider_parts: Json[];
  /** Of text, reasoning and arguments. */
  length: number;
  end: { readonly reason: string; readonly usage: TokenUsage } | ModelFailure | null;
  /** How much of the text is kept already. */
  readonly saved: { text: number; reasoning: number };
}

/** Keeps what has streamed since the last time, so that a crash does not lose it. */
function saveText(from: Gathered, plan: TurnPlan, deps: TurnDeps, attempt: number): void {
  const { saved } = from;
  for (const channel of ['text', 'reasoning'] as const) {
    const text = from[channel].slice(saved[channel]);
    if (text === '') continue;
    const data = { attempt, channel, offset: saved[channel], text };
    deps.defer([{ turn_id: plan.turn_id, type: 'text_saved', data }]);
    saved[channel] = from[channel].length;
  }
}

function gather(into: Gathered, part: ModelPart, plan: TurnPlan, deps: TurnDeps, attempt: number): void {
  switch (part.type) {
    case 'text':
    case 'reasoning': {
      const offset = into[part.type].length;
      into[part.type] += part.text;
      into.length += part.text.length;
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
      into.length += part.call.arguments_text.length;
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
  message: `The model's answer grew past ${maxAnswerLength} characters or ${maxCalls} calls and was cut off. Nothing of it was run. Ask for a shorter answer.`,
  retryable: false,
};

const noEnd: ModelFailure = {
  code: 'model_stream_cut',
  message: "The model's answer broke off before its end. Nothing of it was run.",
  retryable: true,
};

/** The plan's tools as a model is told of them; the same objects at every attempt of the turn. */
const toolsOfPlan = new WeakMap<TurnPlan, readonly ModelTool[]>();

export function modelTools(plan: TurnPlan): readonly ModelTool[] {
  const known = toolsOfPlan.get(plan);
  if (known) return known;
  const tools = plan.tools.map((tool) => ({
    name: tool.model_alias,
    description: tool.descriptor.description,
    input_schema: tool.descriptor.input_schema,
  }));
  toolsOfPlan.set(plan, tools);
  return tools;
}

/** One request to the model: streams it, passes deltas on, and answers what came of it. Runs nothing. Never throws. */
export async function runAttempt(
  deps: TurnDeps,
  plan: TurnPlan,
  attempt: number,
  transient: NonNullable<ModelRequest['transient']>,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const request: ModelRequest = {
    model: plan.model.name,
    system: plan.system,
    messages: deps.history.messages(),
    transient,
    effort: plan.effort,
    tools: modelTools(plan),
    session_id: plan.session_id,
    turn_id: plan.turn_id,
    attempt,
  };
  const gathered: Gathered = {
    text: '',
    reasoning: '',
    calls: [],
    provider_parts: [],
    length: 0,
    end: null,
    saved: { text: 0, reasoning: 0 },
  };
  const saving = setInterval(() => saveText(gathered, plan, deps, attempt), saveTextEveryMs);
  try {
    for await (const part of plan.provider.stream(request, signal)) {
      if (signal.aborted) break;
      gather(gathered, part, plan, deps, attempt);
      if (gathered.length > maxAnswerLength || gathered.calls.length > maxCalls) {
        gathered.end = cutOff;
        break;
      }
    }
  } finally {
    clearInterval(saving);
  }
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
