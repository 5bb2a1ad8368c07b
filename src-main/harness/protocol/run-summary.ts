import type { SessionEvent } from './events';
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

/** The typed summary of an event, or undefined for a type that has none. Source: S1-46, S1-78..S1-86. */
export function summarizeEvent(event: SessionEvent): RunSummary | undefined {
  if (event.type !== 'tool_started' && event.type !== 'tool_finished') return undefined;
  const names = {
    callId: event.data.call_id,
    tool: event.data.name,
    ...(event.data.qualified_name === null ? {} : { qualifiedName: event.data.qualified_name }),
    modelAlias: event.data.model_alias,
  };
  return event.type === 'tool_started'
    ? { type: 'tool_started', ...names, arguments: event.data.arguments }
    : { type: 'tool_finished', ...names, outcome: event.data.outcome };
}
