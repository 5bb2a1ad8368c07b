import type { IncomingHttpHeaders } from 'node:http';

/** The wires that the server speaks. `models` is the list of any of them. */
export type ServedWire = 'anthropic' | 'chat' | 'responses' | 'google' | 'models';

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  /** Sent as JSON; `raw` is sent as it stands, broken or not, in pieces where the wire has pieces. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly raw?: string;
  /** Google's signature of the call. */
  readonly signature?: string;
}

/** An answer in the words of no wire; the server puts it into those of the request. */
export interface ScriptedAnswer {
  readonly text?: readonly string[];
  readonly reasoning?: { readonly text: string; readonly signature?: string };
  readonly calls?: readonly ScriptedCall[];
  /** Sends the pieces of all calls in turn instead of call after call, where the wire allows it. */
  readonly interleave?: boolean;
  /** The answer ends because its room is used up. */
  readonly out_of_room?: boolean;
  /** Tokens of all input and all output; the shares are told only where they are given. */
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cached?: number;
    readonly reasoning?: number;
  };
  /** The whole answer, except its end: the connection closes in good order. */
  readonly without_end?: boolean;
  /** An error event in place of the end. */
  readonly error_event?: { readonly type: string; readonly message: string };
}

/** How the bytes travel. */
export interface Delivery {
  /** Pause before each event, in milliseconds. */
  readonly delay_ms?: number;
  /** Tears the connection after so many bytes of the body. */
  readonly cut_after_bytes?: number;
  /** Sends the first so many events, then nothing, and leaves the connection open. */
  readonly hang_after_events?: number;
  readonly gzip?: boolean;
}

export type ScriptedResponse =
  | ({ readonly answer: ScriptedAnswer } & Delivery)
  /** A status with headers and a body; a body that is no string is sent as JSON. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  /** A body of the test's own. */
  | ({ readonly raw: string | readonly string[]; readonly content_type?: string } & Delivery)
  | { readonly html: string }
  /** Takes the request and never answers. */
  | { readonly hang: true };

/** One result as the request brought it back. */
export interface SentResult {
  readonly id: string;
  readonly name: string | null;
  readonly text: string;
  readonly is_error: boolean;
}

export interface RecordedRequest {
  readonly wire: ServedWire;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body, or null. */
  readonly body: Record<string, unknown> | null;
  readonly model: string | null;
  readonly system: string;
  /** Texts of user messages, oldest first. */
  readonly user_texts: readonly string[];
  readonly tool_names: readonly string[];
  /** All tool results of the context, oldest first. */
  readonly results: readonly SentResult[];
  /** True once the client closed the connection before the answer was whole. */
  readonly isAborted: () => boolean;
}
