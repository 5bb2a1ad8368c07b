import type { CallNames, ToolStarted } from './call-data';
import type { SessionEvent, SessionEventOf } from './events';
import type { JsonObject } from './json';
import type { Outcome } from './vocabulary';

/** Typed start summary (S1-78..S1-85, C1): `arguments` absent on an older host, `null` when withheld. */
export interface ToolStartedSummary {
  readonly type: 'tool_started';
  readonly callId: string;
  /** The model alias, as ever (S1-78). */
  readonly tool: string;
  readonly qualifiedName?: string;
  readonly modelAlias?: string;
  readonly arguments?: JsonObject | null;
}

/** Typed finish summary: the same names and id, never the arguments (S1-86). */
export interface ToolFinishedSummary {
  readonly type: 'tool_finished';
  readonly callId: string;
  readonly tool: string;
  readonly qualifiedName?: string;
  readonly modelAlias?: string;
  readonly outcome: Outcome;
}

export type RunSummary = ToolStartedSummary | ToolFinishedSummary;

/** A call that waits for a person, with the names of every other word on it (S1-89). */
export interface ApprovalInterruption {
  readonly type: 'approval_requested';
  readonly approval_id: string;
  readonly call_id: string;
  readonly session_id: string;
  readonly turn_id: string | null;
  /** The model alias, as ever. */
  readonly tool: string;
  readonly qualified_name?: string;
  readonly model_alias?: string;
  /** Released arguments; null when withheld. */
  readonly arguments: JsonObject | null;
  /** An answer names it: it stands for exactly these arguments. */
  readonly arguments_digest: string;
}

/** The names that an event carries. An older host left some out, whatever the types say (S1-82). */
function namesOf(data: CallNames): { readonly qualified?: string; readonly alias?: string } {
  const { qualified_name: qualified, model_alias: alias } = data as Partial<CallNames>;
  return { ...(qualified ? { qualified } : {}), ...(alias ? { alias } : {}) };
}

/** The typed summary of an event, or undefined for a type that has none. Source: S1-46, S1-78..S1-86. */
export function summarizeEvent(event: SessionEvent): RunSummary | undefined {
  if (event.type !== 'tool_started' && event.type !== 'tool_finished') return undefined;
  const { qualified, alias } = namesOf(event.data);
  const names = {
    callId: event.data.call_id,
    tool: event.data.name,
    ...(qualified === undefined ? {} : { qualifiedName: qualified }),
    ...(alias === undefined ? {} : { modelAlias: alias }),
  };
  if (event.type === 'tool_finished') return { type: 'tool_finished', ...names, outcome: event.data.outcome };
  const { arguments: released } = event.data as Partial<ToolStarted>;
  return { type: 'tool_started', ...names, ...(released === undefined ? {} : { arguments: released }) };
}

/** What an application shows of a request, and answers it by. */
export function interruptionOf(event: SessionEventOf<'approval_requested'>): ApprovalInterruption {
  const { data, session_id, turn_id } = event;
  const { qualified, alias } = namesOf(data);
  return {
    type: 'approval_requested',
    approval_id: data.approval_id,
    call_id: data.call_id,
    session_id,
    turn_id,
    tool: data.name,
    ...(qualified === undefined ? {} : { qualified_name: qualified }),
    ...(alias === undefined ? {} : { model_alias: alias }),
    arguments: data.arguments,
    arguments_digest: data.arguments_digest,
  };
}
