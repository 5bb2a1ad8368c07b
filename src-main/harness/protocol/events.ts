import type {
  ApprovalRequested,
  ApprovalResolved,
  CallSettled,
  DefinitionChanged,
  ProgressEntry,
  ToolFinished,
  ToolStarted,
} from './call-data';
import type { ExecutionIdentity } from './execution-identity';
import type { GrantEnded, GrantMade, ToolClassified } from './grants';
import type { Failure } from './failure';
import type { Json, JsonObject } from './json';
import type {
  AssistantMessage,
  AttemptFailed,
  AttemptStarted,
  BranchSelected,
  CallRerun,
  ContextCompacted,
  MessageQueued,
  MessageSteered,
  MessageSubmitted,
  MessageUnqueued,
  PauseEnded,
  PauseStarted,
  SessionLimits,
  TextSaved,
  TurnFinished,
  TurnRetried,
  TurnStarted,
} from './turn-data';
import type { Effort, Mode, ModelChoice } from './vocabulary';

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
  /** What runs here (S0-57); absent in sessions of before it was recorded. */
  readonly identity?: ExecutionIdentity;
  /** The session whose visible history follows, carried over because its identity is no longer this app's. */
  readonly continues?: { readonly session_id: string; readonly last_seq: number };
}

/** Every type of event in a session's stream, with its data. */
export interface SessionEventData {
  readonly session_created: SessionCreated;
  readonly session_renamed: { readonly title: string; readonly by: 'person' | 'automatic' };
  readonly session_archived: { readonly archived: boolean };
  readonly session_model_changed: { readonly model: ModelChoice };
  readonly session_mode_changed: { readonly mode: Mode };
  readonly session_effort_changed: { readonly effort: Effort | null };
  readonly session_limits_changed: { readonly limits: SessionLimits };
  readonly branch_selected: BranchSelected;
  readonly message_queued: MessageQueued;
  readonly message_unqueued: MessageUnqueued;
  readonly message_submitted: MessageSubmitted;
  readonly turn_retried: TurnRetried;
  readonly call_rerun: CallRerun;
  readonly turn_started: TurnStarted;
  readonly attempt_started: AttemptStarted;
  readonly message_steered: MessageSteered;
  readonly text_saved: TextSaved;
  readonly attempt_failed: AttemptFailed;
  readonly context_compacted: ContextCompacted;
  readonly pause_started: PauseStarted;
  readonly pause_ended: PauseEnded;
  readonly definition_changed: DefinitionChanged;
  readonly assistant_message: AssistantMessage;
  readonly approval_requested: ApprovalRequested;
  readonly approval_resolved: ApprovalResolved;
  readonly grant_made: GrantMade;
  readonly grant_ended: GrantEnded;
  readonly tool_started: ToolStarted;
  readonly tool_finished: ToolFinished;
  readonly call_settled: CallSettled;
  readonly turn_finished: TurnFinished;
}

/** Every type of event in the app's own stream. */
export interface AppEventData {
  readonly setting_changed: { readonly key: string; readonly value: Json };
  /** Grants that outlive their session. */
  readonly grant_made: GrantMade;
  readonly grant_ended: GrantEnded;
  readonly tool_classified: ToolClassified;
  /** What a person lets start under a server's name. The first start of all is recorded under no name. */
  readonly server_trusted: {
    readonly name: string | null;
    readonly facts: JsonObject;
    readonly by: 'person' | 'first_start';
  };
}

export type SessionEventType = keyof SessionEventData;

/** Events inside turns that tell what a session is without its timeline; with those about the session itself. */
const keyTypes: ReadonlySet<SessionEventType> = new Set([
  'grant_made',
  'message_submitted',
  'turn_retried',
  'call_rerun',
  'message_steered',
  'context_compacted',
  'call_settled',
  'turn_finished',
]);

export function isKeyEvent(event: {
  readonly turn_id: string | null;
  readonly type: SessionEventType;
}): boolean {
  return event.turn_id === null || keyTypes.has(event.type);
}

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
 * The live facts of one tool in one attempt, or why they were left out: `secret` says that they held a credential or
 * pixels (S0-09). `bytes` are UTF-8 of the JSON text.
 */
export interface ModelContextFact {
  readonly qualified_name: string;
  readonly state:
    'included' | 'too_large' | 'over_total' | 'threw' | 'too_slow' | 'not_plain_json' | 'secret';
  readonly bytes: number;
  /** The facts themselves where they were included. */
  readonly facts?: JsonObject;
}

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
      /** What the selected tools said of their live state for this attempt (S0-04, S0-10); replaces the one before. */
      readonly type: 'model_context';
      readonly turn_id: string;
      readonly attempt: number;
      readonly facts: readonly ModelContextFact[];
      /** UTF-8 bytes of all facts that went along. */
      readonly bytes: number;
    }
  | {
      /** The older part of the context is being summarised before this attempt; ended by what is recorded next. */
      readonly type: 'compacting';
      readonly turn_id: string;
      readonly attempt: number;
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
