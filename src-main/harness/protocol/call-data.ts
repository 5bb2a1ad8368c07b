import type { Failure } from './failure';
import type { Json, JsonObject } from './json';
import type {
  AskReason,
  Classification,
  DecisionRule,
  GrantScope,
  Outcome,
  Placement,
  Presentation,
  ToolOrigin,
} from './vocabulary';

export interface CallNames {
  readonly call_id: string;
  /** The model alias (S1-78). */
  readonly name: string;
  /** Null when the alias names no selected tool. */
  readonly qualified_name: string | null;
  readonly model_alias: string;
}

/** Something that a guardrail found; never the text itself. */
export interface GuardrailFinding {
  /** What kind of thing, in the guardrail's words: `private_key`, `hidden_characters`, for example. */
  readonly kind: string;
  /** SHA-256 of each distinct span that was replaced, where spans were. */
  readonly digests?: readonly string[];
  readonly count: number;
  /**
   * How many of them were replaced or taken out; the rest stayed. Absent where the guardrail does not say, as in older
   * records, and where it changed nothing.
   */
  readonly replaced?: number;
}

/** What one guardrail did to the arguments or the result of a call (S1-43). */
export interface GuardrailFact {
  readonly guardrail: string;
  readonly stage: 'input' | 'output';
  readonly action: 'passed' | 'transformed' | 'withheld' | 'blocked';
  readonly findings: readonly GuardrailFinding[];
  /** The guardrail's own words for the person; empty where it has none. */
  readonly note: string;
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
  /** Digest of the session's execution identity; absent where none is kept, and in older records. */
  readonly identity?: string;
  /** The grant that does not cover the call, where `reason` speaks of one. */
  readonly grant_id?: string;
  /** What input guardrails did before the person was asked; absent when none had anything to say. */
  readonly guardrails?: readonly GuardrailFact[];
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
  /** The arguments as the person edited them, where they did: exactly these run. */
  readonly arguments?: JsonObject;
  /** SHA-256 over the canonical JSON of the edited arguments. */
  readonly arguments_digest?: string;
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
  /** Digest of the released arguments where they are withheld. */
  readonly withheld_digest?: string;
  readonly guardrails?: readonly GuardrailFact[];
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
  /** What output guardrails did, and what an input guardrail that blocked the call did. */
  readonly guardrails?: readonly GuardrailFact[];
}

/**
 * A person's word on a call whose outcome is unknown. The outcome stays; nothing runs by this alone. `run_again` is
 * recorded with the start of the call that they had run again: one that was denied, or never began, settles nothing.
 */
export interface CallSettled {
  readonly call_id: string;
  readonly settlement: 'happened' | 'did_not_happen' | 'run_again';
  readonly note: string;
}

/** The definition of a selected tool is another than in the session's last turn (S0-56, C7). */
export interface DefinitionChanged {
  readonly qualified_name: string;
  readonly before_pin: string;
  readonly after_pin: string;
  /** Field by field; empty where the former definition is not on record. */
  readonly changes: readonly DefinitionChange[];
}

export interface DefinitionChange {
  /** JSON Pointer into the definition. */
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}
