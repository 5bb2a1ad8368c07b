import type {
  Classification,
  Failure,
  GuardrailFact,
  GuardrailFinding,
  Json,
  JsonObject,
  ProgressEntry,
} from '../protocol';

/** The call that a guardrail looks at. */
export interface GuardedCall {
  readonly call_id: string;
  /** The registered name, or the name that the model's alias stands for where it names no selected tool. */
  readonly qualified_name: string;
  readonly model_alias: string;
  /** Null where there is no such tool; the call will not run then. */
  readonly classification: Classification | null;
}

export interface InputSubject extends GuardedCall {
  /** As proposed, or as the guardrail before released them. Frozen. */
  readonly arguments: JsonObject;
  /** False where the arguments do not fit their schema: the call will not run, and its record is all that is at stake. */
  readonly valid: boolean;
  /** What the app's configuration gives this guardrail for this tool. */
  readonly options: JsonObject;
}

/** What a tool gave: its result, its failure, or both. Never pixels. */
export interface GuardedOutput {
  readonly result: { readonly text: string; readonly structured?: Json } | null;
  readonly error: Failure | null;
}

export interface OutputSubject extends GuardedCall {
  /** As normalised, or as the guardrail before released it. Not to be changed in place. */
  readonly output: GuardedOutput;
  readonly options: JsonObject;
}

export interface ProgressSubject extends GuardedCall {
  readonly entry: ProgressEntry;
  readonly options: JsonObject;
}

/** What a guardrail found, never the text itself, and its own words for the person. */
interface Said {
  readonly findings?: readonly GuardrailFinding[];
  readonly note?: string;
}

/**
 * `pass` releases what was given, `transform` something else. `withhold` lets the call run and keeps its arguments out
 * of every record but for a digest. `block` runs nothing; with `withhold` it also keeps the arguments out of the record.
 */
export type InputVerdict =
  | (Said & { readonly action: 'pass' })
  | (Said & { readonly action: 'transform'; readonly arguments: JsonObject })
  | (Said & { readonly action: 'withhold' })
  | (Said & { readonly action: 'block'; readonly withhold?: boolean });

/**
 * `withhold` puts a sentence in the place of result and failure; what the call came to stays as it is. `block` does the
 * same and says to the model that the call failed.
 */
export type OutputVerdict =
  | (Said & { readonly action: 'pass' | 'withhold' | 'block' })
  | (Said & { readonly action: 'transform'; readonly output: GuardedOutput });

/** `withhold` keeps the entry's place and drops its words and data. */
export type ProgressVerdict =
  | (Said & { readonly action: 'pass' | 'withhold' })
  | (Said & { readonly action: 'transform'; readonly entry: Pick<ProgressEntry, 'message' | 'data'> });

/**
 * Looks at what goes into and comes out of calls (S1-43). Which tools it looks at is the app's configuration alone. One
 * that throws or needs longer than two seconds fails closed: its call is blocked, its result withheld.
 */
export interface Guardrail {
  /** Letters, digits and `_`; it stands in records and in the configuration. */
  readonly name: string;
  /** What is wrong with options of the configuration, in words with the remedy; null: nothing. Without it, it takes none. */
  checkOptions?(options: JsonObject): string | null;
  input?(subject: InputSubject, signal: AbortSignal): InputVerdict | Promise<InputVerdict>;
  output?(subject: OutputSubject, signal: AbortSignal): OutputVerdict | Promise<OutputVerdict>;
  /** Progress passes while the tool runs, so this one answers at once. */
  progress?(subject: ProgressSubject): ProgressVerdict;
}

/** Which guardrail looks at which tools, as the app's configuration says. */
export interface GuardrailSelection {
  readonly guardrail: string;
  /** `files.move_file`, `files.*` or `*`. Empty: the guardrail is off. */
  readonly tools: readonly string[];
  readonly options: JsonObject;
}

/** What the input guardrails of one call came to. `facts` holds those that had something to say. */
export type InputRelease =
  | {
      readonly type: 'released';
      readonly arguments: JsonObject;
      readonly transformed: boolean;
      readonly withheld: boolean;
      readonly facts: readonly GuardrailFact[];
    }
  | {
      readonly type: 'blocked';
      readonly error: Failure;
      readonly withheld: boolean;
      readonly facts: readonly GuardrailFact[];
    };

export interface OutputRelease {
  readonly output: GuardedOutput;
  /** Whether an image may go along: not when any guardrail withheld or blocked. */
  readonly released: boolean;
  /** The guardrail that blocked, where one did: the call counts as failed then. */
  readonly blocked_by: string | null;
  readonly facts: readonly GuardrailFact[];
}

export interface ProgressRelease {
  readonly entry: ProgressEntry;
  readonly facts: readonly GuardrailFact[];
}

/** The guardrails of an app. Nothing here throws, and nothing takes longer than two seconds for each guardrail. */
export interface Guardrails {
  /**
   * In the order of the configuration; each sees what the one before released. At a call that no tool answers every
   * guardrail of the configuration looks, and the strictest holds.
   */
  input(call: GuardedCall, args: JsonObject, valid: boolean, signal: AbortSignal): Promise<InputRelease>;
  output(call: GuardedCall, output: GuardedOutput): Promise<OutputRelease>;
  progress(call: GuardedCall, entry: ProgressEntry): ProgressRelease;
}
