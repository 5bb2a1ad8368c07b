import type {
  Effort,
  Failure,
  Json,
  JsonObject,
  JsonSchema,
  ModelFacts,
  Result,
  TokenUsage,
} from '../protocol';

/** Bytes that go to a model beside text. */
export interface ModelFile {
  readonly name: string;
  readonly media_type: string;
  readonly data: Uint8Array;
}

/** A call as the model made it; `arguments_text` is the exact text on the wire, parsed by the call boundary alone. */
export interface ModelCall {
  readonly call_id: string;
  /** Model alias. */
  readonly name: string;
  readonly arguments_text: string;
  readonly provider_metadata?: JsonObject;
}

/** One message of the context, in the harness's own form. Adapters translate it to a provider's wire. */
export type ModelMessage =
  | { readonly role: 'user'; readonly text: string; readonly files: readonly ModelFile[] }
  | {
      readonly role: 'assistant';
      readonly text: string;
      /** Opaque parts that this provider gave with the message and wants back (signed reasoning, for example). */
      readonly provider_parts?: readonly Json[];
      readonly calls: readonly ModelCall[];
    }
  | {
      readonly role: 'tool';
      readonly call_id: string;
      readonly name: string;
      readonly text: string;
      readonly is_error: boolean;
    };

export interface ModelTool {
  /** Model alias. */
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
}

export interface ModelRequest {
  /** The provider's own model name. */
  readonly model: string;
  readonly system: string;
  /**
   * Append-only between two compactions: the same message object stands at the same place in the next request, so an
   * adapter may keep the wire form of each once.
   */
  readonly messages: readonly ModelMessage[];
  /** Goes with this attempt only, behind all messages, so that what stands before stays as it was. */
  readonly transient?: {
    /** Facts of the tools (S0-04, S0-10), and words about an image that cannot go along; may be empty. */
    readonly text: string;
    /** The latest image of the session, where the model may have it (S1-66). */
    readonly image: ModelFile | null;
  };
  /** Null or absent: the model's own default. */
  readonly effort?: Effort | null;
  readonly tools: readonly ModelTool[];
  /** Identity of the turn and the attempt: for the practice model, and for correlation in tests. */
  readonly session_id: string;
  readonly turn_id: string;
  readonly attempt: number;
}

/**
 * What streams from a model. Exactly one `finished` or `failed` ends the stream, also after an abort (`failed` with
 * code `cancelled`). A `call` is given whole, once, when its arguments are complete.
 */
export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly call: ModelCall }
  /** Opaque, to be stored with the message and sent back with it. */
  | { readonly type: 'provider_part'; readonly part: Json }
  | { readonly type: 'finished'; readonly reason: string; readonly usage: TokenUsage }
  | { readonly type: 'failed'; readonly error: ModelFailure };

/** `retryable`: the same request may succeed later. `retry_after_ms` is the provider's own word. */
export interface ModelFailure extends Failure {
  readonly retryable: boolean;
  readonly retry_after_ms?: number;
}

/** One configured provider. Makes no attempt of its own to retry; holds no history. */
export interface ModelProvider {
  /** Whether an image may be sent to the model. */
  seesImages(model: string): boolean;
  /** What is known of the model without asking the endpoint; null where it is not known at all. */
  facts(model: string): ModelFacts | null;
  /** Never throws for an expected failure; obeys `signal` at any moment. Whoever stops reading early ends the request. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
  /** Asks the endpoint; this is also how a key is checked. */
  listModels(signal: AbortSignal): Promise<Result<readonly ModelFacts[]>>;
}
