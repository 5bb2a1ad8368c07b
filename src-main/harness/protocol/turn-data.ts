import type { Failure } from './failure';
import type { Json, JsonObject } from './json';
import type { Effort, Mode, ModelChoice, ModelPrice, ToolFacts, TurnOutcome } from './vocabulary';

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
  /** The turn that this one follows, null for the first of a conversation. Absent in old events: the one before it. */
  readonly follows?: string | null;
  /** Says that this turn is another branch beside `of`: its message edited, or asked again as it was. */
  readonly branch?: { readonly kind: 'edited' | 'regenerated'; readonly of: string };
  /** The queued message that this is, now that it is sent. */
  readonly queued_id?: string;
}

/** A turn that goes on from one that failed or was stopped, without a new message. */
export interface TurnRetried {
  readonly follows: string;
}

/** A turn in which a person has one call of unknown outcome run again; no model is asked. */
export interface CallRerun {
  readonly follows: string | null;
  readonly of: { readonly turn_id: string; readonly call_id: string };
  readonly call: ProposedCall;
  /** The person's words on it; absent where there are none. */
  readonly note?: string;
}

/** The person looks at another branch: the newest of its turns. */
export interface BranchSelected {
  readonly turn_id: string;
}

/** A message that waits: for the end of the running turn, or (`this_turn`) for its next request to the model. */
export interface MessageQueued {
  readonly queued_id: string;
  readonly text: string;
  readonly attachments: readonly AttachmentFacts[];
  readonly mentions: readonly string[];
  readonly delivery: 'next_turn' | 'this_turn';
}

/** The person took a queued message back. */
export interface MessageUnqueued {
  readonly queued_id: string;
}

/** A message of the person that reached the model in the middle of a turn. */
export interface MessageSteered {
  readonly message_id: string;
  readonly queued_id: string;
  readonly text: string;
  readonly attachments: readonly AttachmentFacts[];
  readonly mentions: readonly string[];
  /** The attempt that carries it first. */
  readonly attempt: number;
}

export interface TurnStarted {
  readonly model: ModelChoice;
  /** Whether attached images reach the model; it is told in words of those that do not. */
  readonly sees_images: boolean;
  readonly mode: Mode;
  readonly bundle_digest: string;
  readonly tools: readonly ToolFacts[];
  readonly effort?: Effort | null;
  /** Tokens that fit into one request to the model; null where nobody knows. */
  readonly context_window?: number | null;
  /** Null where the price is not known. */
  readonly price?: ModelPrice | null;
}

export interface AttemptStarted {
  /** Counts from 1 within the turn; a retry is one more. */
  readonly attempt: number;
  readonly model: ModelChoice;
  /** The image whose pixels went along (S1-75); absent when none did. */
  readonly image_id?: string;
}

/** Text that has streamed so far, kept at intervals so that a crash does not lose it. Superseded by the message. */
export interface TextSaved {
  readonly attempt: number;
  readonly channel: 'text' | 'reasoning';
  /** Position of `text` in the whole text of the attempt, in UTF-16 units. */
  readonly offset: number;
  readonly text: string;
}

export interface AttemptFailed {
  readonly attempt: number;
  readonly error: Failure;
  /** What had streamed before the failure; it never becomes context. */
  readonly partial_text: string;
  /** Milliseconds until the next attempt, or null when there is none. */
  readonly retry_in_ms: number | null;
  /** The tool that the provider refused; the next attempt and the rest of the turn go without it. */
  readonly left_out?: string;
  /** What a response cost that came and was refused, or broke off behind its first words; absent where none came. */
  readonly usage?: TokenUsage;
}

/** A call as the model proposed it. `arguments` is null where the text is not a JSON object. */
export interface ProposedCall {
  readonly call_id: string;
  /** The name as the model wrote it: a model alias. */
  readonly name: string;
  readonly qualified_name: string | null;
  readonly arguments: JsonObject | null;
  /** Digest of arguments that a guardrail keeps out of every record; `arguments` is null then. */
  readonly withheld_digest?: string;
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
  /** What the harness reckons from the length of the texts where the provider gave no count, in tokens. */
  readonly estimate?: { readonly input_tokens: number; readonly output_tokens: number };
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

/** A limit that the person set for the session, or the bound on requests in one turn. */
export type LimitKind = 'tokens' | 'cost_usd' | 'turns' | 'minutes' | 'requests_in_turn';

/** Limits of a session; null or absent is none. `minutes` counts the time in which turns worked, not waits for a person. */
export interface SessionLimits {
  readonly tokens?: number | null;
  readonly cost_usd?: number | null;
  readonly turns?: number | null;
  readonly minutes?: number | null;
}

/** A limit is reached: the turn waits for the person's word. */
export interface PauseStarted {
  readonly pause_id: string;
  readonly kind: LimitKind;
  readonly used: number;
  readonly limit: number;
}

/** `continued` allows the same amount once more. */
export interface PauseEnded {
  readonly pause_id: string;
  readonly outcome: 'continued' | 'stopped';
  readonly by: 'person' | 'host' | 'turn_end';
}

/**
 * The context had grown towards the window, so its older part gave way to a summary. The journal keeps all of it; only
 * what a model reads from here on is shorter.
 */
export interface ContextCompacted {
  readonly compaction_id: string;
  /** The attempt before which it happened. */
  readonly attempt: number;
  readonly model: ModelChoice;
  /** The model's own words; where it gave none, a plain list of what was asked. */
  readonly summary: string;
  readonly by: 'model' | 'app';
  /** Events up to here are represented by the summary alone. */
  readonly summarised_to_seq: number;
  /** Results of tools up to here are shortened, with a marker. */
  readonly shortened_to_seq: number;
  /** Estimates, in tokens. */
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly usage: TokenUsage;
}

export interface TurnFinished {
  /** Milliseconds that the turn took in this run of the app, by a monotonic clock; absent where it ended with the app. */
  readonly duration_ms?: number;
  /** The share of it in which something ran or streamed: without the time in which it only waited for a person. */
  readonly worked_ms?: number;
  readonly outcome: TurnOutcome;
  readonly error: Failure | null;
}
