import type { Failure } from './failure';
import type { Json, JsonObject } from './json';
import type {
  AskReason,
  Classification,
  DecisionRule,
  GrantScope,
  Mode,
  ModelChoice,
  Outcome,
  Placement,
  Presentation,
  ToolFacts,
  ToolOrigin,
  TurnOutcome,
} from './vocabulary';

/** The coworker as a session knows it. */
export interface CoworkerFacts {
  readonly id: string;
  readonly name: string;
  readonly tagline: string;
  readonly icon: string;
  readonly version: string;
  /** SHA-256 over the files of the bundle. */
  readonly bundle_digest: string;
}

export interface SessionCreated {
  readonly title: string;
  readonly coworker: CoworkerFacts;
  /** Absolute path of the folder that the person chose, or null. */
  readonly workspace: string | null;
  readonly model: ModelChoice;
  readonly mode: Mode;
  readonly app_version: string;
}

export interface AttachmentFacts {
  /** SHA-256 of the bytes; they lie in the journal's attachment table under it. */
  readonly digest: string;
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
}

export interface MessageSubmitted {
  readonly message_id: string;
  readonly text: string;
  readonly attachments: readonly AttachmentFacts[];
  /** Workspace files that the person named with @, relative to the workspace. */
  readonly mentions: readonly string[];
}

export interface TurnStarted {
  readonly model: ModelChoice;
  /** Whether attached images reach the model; it is told in words of those that do not. */
  readonly sees_images: boolean;
  readonly mode: Mode;
  readonly bundle_digest: string;
  readonly tools: readonly ToolFacts[];
}

export interface AttemptStarted {
  /** Counts from 1 within the turn; a retry is one more. */
  readonly attempt: number;
  readonly model: ModelChoice;
}

export interface AttemptFailed {
  readonly attempt: number;
  readonly error: Failure;
  /** What had streamed before the failure; it never becomes context. */
  readonly partial_text: string;
  /** Milliseconds until the next attempt, or null when there is none. */
  readonly retry_in_ms: number | null;
}

/** A call as the model proposed it. `arguments` is null where the text is not a JSON object. */
export interface ProposedCall {
  readonly call_id: string;
  /** The name as the model wrote it: a model alias. */
  readonly name: string;
  readonly qualified_name: string | null;
  readonly arguments: JsonObject | null;
  /** The exact text, kept only where it does not parse. */
  readonly arguments_text?: string;
  /** Opaque facts that the provider wants back with the history. */
  readonly provider_metadata?: JsonObject;
}

export interface TokenUsage {
  /** All input, cached parts included. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  /** The share of the input that came from the provider's cache, where it says so. */
  readonly cached_input_tokens?: number;
  /** The share of the output that was reasoning, where the provider says so. */
  readonly reasoning_tokens?: number;
}

export interface AssistantMessage {
  readonly message_id: string;
  readonly attempt: number;
  readonly text: string;
  readonly reasoning: string;
  /** Opaque parts that the provider wants back with the history (signed reasoning, for example). */
  readonly provider_parts?: readonly Json[];
  readonly calls: readonly ProposedCall[];
  readonly finish_reason: string;
  readonly usage: TokenUsage;
  /** True when the person stopped the stream: the text ends where it was stopped. */
  readonly partial: boolean;
}

export interface CallNames {
  readonly call_id: string;
  /** The model alias (S1-78). */
  readonly name: string;
  /** Null when the alias names no selected tool. */
  readonly qualified_name: string | null;
  readonly model_alias: string;
}

export interface ApprovalRequested extends CallNames {
  readonly approval_id: string;
  /** The released arguments: exactly these run. Null when withheld. */
  readonly arguments: JsonObject | null;
  /** SHA-256 over the canonical JSON of the released arguments. */
  readonly arguments_digest: string;
  readonly pin: string;
  readonly classification: Classification;
  readonly placement: Placement;
  readonly presentation: Presentation;
  readonly origin: ToolOrigin;
  readonly reason: AskReason;
}

export interface ApprovalResolved {
  readonly approval_id: string;
  readonly call_id: string;
  readonly outcome: 'allowed' | 'denied' | 'expired' | 'cancelled';
  readonly scope: GrantScope | null;
  /** The person's words for the model, or the reason why nobody can answer any more. */
  readonly note: string;
  /** `person`, or the host's own standing answer on the command line. */
  readonly by: 'person' | 'host' | 'grant' | 'turn_end';
}

export interface GrantMade {
  readonly grant_id: string;
  readonly scope: 'session';
  readonly coworker_id: string;
  readonly qualified_name: string;
  readonly pin: string;
  readonly approval_id: string;
}

/** S1-46, S1-47, S1-84: recorded before the tool runs. */
export interface ToolStarted extends CallNames {
  /** Released arguments; null when withheld (S1-85). */
  readonly arguments: JsonObject | null;
  readonly classification: Classification;
  readonly placement: Placement;
  readonly presentation: Presentation;
  readonly origin: ToolOrigin;
  readonly rule: DecisionRule;
}

export interface ProgressEntry {
  /** Counts from 0 within the call. */
  readonly index: number;
  readonly message: string;
  readonly data?: Json;
  /** Share of the work that is done, 0 to 1, where the tool knows it. */
  readonly fraction?: number;
}

/** Stands in durable events for pixels that are kept nowhere (S1-73). */
export interface ImageReference {
  readonly image_id: string;
  readonly media_type: 'image/png' | 'image/jpeg';
  readonly bytes: number;
  readonly digest: string;
  readonly width: number;
  readonly height: number;
}

export interface CallResult {
  /** The text form that the model reads (S0-33). */
  readonly text: string;
  readonly structured?: Json;
  readonly image?: ImageReference;
}

/** S1-86: never repeats the arguments. */
export interface ToolFinished extends CallNames {
  readonly outcome: Outcome;
  /** Milliseconds from start to finish by a monotonic clock; null when the call never started. */
  readonly duration_ms: number | null;
  readonly result: CallResult | null;
  readonly error: Failure | null;
  /** The whole progress log of the call, so that a reopened session shows what was seen live. */
  readonly progress: readonly ProgressEntry[];
  /** The rule that stopped the call, where one did. */
  readonly rule?: DecisionRule;
}

export interface TurnFinished {
  readonly outcome: TurnOutcome;
  readonly error: Failure | null;
}

/** Every type of event in a session's stream, with its data. */
export interface SessionEventData {
  readonly session_created: SessionCreated;
  readonly session_renamed: { readonly title: string; readonly by: 'person' | 'automatic' };
  readonly session_archived: { readonly archived: boolean };
  readonly session_model_changed: { readonly model: ModelChoice };
  readonly session_mode_changed: { readonly mode: Mode };
  readonly message_submitted: MessageSubmitted;
  readonly turn_started: TurnStarted;
  readonly attempt_started: AttemptStarted;
  readonly attempt_failed: AttemptFailed;
  readonly assistant_message: AssistantMessage;
  readonly approval_requested: ApprovalRequested;
  readonly approval_resolved: ApprovalResolved;
  readonly grant_made: GrantMade;
  readonly tool_started: ToolStarted;
  readonly tool_finished: ToolFinished;
  readonly turn_finished: TurnFinished;
}

/** Every type of event in the app's own stream. */
export interface AppEventData {
  readonly setting_changed: { readonly key: string; readonly value: Json };
}

export type SessionEventType = keyof SessionEventData;

/** The version of each type's data. It goes up when a reader of the former shape would misread the new one. */
export const eventVersion = 1;

interface EventOf<Type, Data> {
  /** Numbered from 1 without holes within the stream; order is by it alone, never by clock. */
  readonly seq: number;
  readonly session_id: string;
  /** The turn that the event belongs to (S1-48), null for events about the session. */
  readonly turn_id: string | null;
  readonly type: Type;
  readonly version: number;
  /** Wall clock, ISO 8601 in UTC; for display only. */
  readonly at: string;
  readonly data: Data;
}

/** A committed event of a session. The shape is S1-61's: `event.type`, `event.turn_id`, `event.data.call_id`. */
export type SessionEvent = { [T in SessionEventType]: EventOf<T, SessionEventData[T]> }[SessionEventType];

export type SessionEventOf<T extends SessionEventType> = EventOf<T, SessionEventData[T]>;

/** An event before the journal numbers it. */
export type NewSessionEvent = {
  [T in SessionEventType]: {
    readonly turn_id: string | null;
    readonly type: T;
    readonly data: SessionEventData[T];
  };
}[SessionEventType];

export type AppEvent = {
  [T in keyof AppEventData]: {
    readonly seq: number;
    readonly type: T;
    readonly version: number;
    readonly at: string;
    readonly data: AppEventData[T];
  };
}[keyof AppEventData];

/**
 * What passes while something happens and is kept nowhere: superseded by the recorded event that follows. Signals may
 * come first, twice, late or never; the fold of any interleaving is the same once the events are there.
 */
export type Signal =
  | {
      readonly type: 'text_delta';
      readonly turn_id: string;
      readonly attempt: number;
      readonly channel: 'text' | 'reasoning';
      /** Position of `text` in the whole text of the attempt, in UTF-16 units: repeated deltas fold to one. */
      readonly offset: number;
      readonly text: string;
    }
  | {
      readonly type: 'call_progress';
      readonly turn_id: string;
      readonly call_id: string;
      readonly entry: ProgressEntry;
    }
  | {
      /** The turn is over and the journal could not take its end (a full disk, for example). */
      readonly type: 'turn_unrecorded';
      readonly turn_id: string;
      readonly error: Failure;
    }
  | {
      /** The callback channel speaks of a call that the journal's reader may not have seen yet (S1-50, S1-51). */
      readonly type: 'call_observed';
      readonly turn_id: string;
      readonly call_id: string;
      readonly qualified_name: string;
      readonly model_alias: string;
    };
