import type { SessionEvent, SessionEventOf, SessionEventType, SessionSummary } from '../../protocol';
import type { Decision, RunFault } from './plan';

/** One effect as a witness outside the core wrote it down. */
export interface Effect {
  readonly key: string;
  readonly by: 'ledger' | 'notes';
  /** Process id of the core that asked for it. */
  readonly core: number;
}

/** One life of the core. */
export interface CoreRun {
  readonly fault: RunFault;
  pid: number;
  /** `refused`: it did not open the folder. */
  end: 'running' | 'closed' | 'killed' | 'refused' | 'broken';
}

export interface Click {
  readonly run: number;
  readonly session_id: string;
  readonly turn_id: string;
  readonly call_id: string;
  readonly approval_id: string;
  readonly answer: Decision['answer'];
  /** Whether the core took the answer; null when it died before it said so. */
  taken: boolean | null;
}

/** What a person does beside clicking on a request: begins a turn, answers a pause, takes a message back. */
export interface Act {
  readonly run: number;
  readonly session_id: string;
  readonly type:
    | 'submit'
    | 'edit'
    | 'regenerate'
    | 'retry'
    | 'select'
    | 'send_queued'
    | 'queue'
    | 'unqueue'
    | 'settle'
    | 'go_on'
    | 'halt';
  /** The turn that it began, the pause or the queued message that it is about, as far as that is known. */
  about: string | null;
  /** Whether the core took it; null when it died before it said so. */
  taken: boolean | null;
}

/** What happened, as seen from outside the core. */
export interface History {
  readonly runs: CoreRun[];
  readonly acks: { readonly run: number; readonly event: SessionEvent }[];
  readonly refused: { readonly run: number; readonly code: string; readonly types: readonly string[] }[];
  readonly clicks: Click[];
  /** Messages and stops of the person. */
  readonly messages: { readonly run: number; readonly session_id: string; readonly marker: string }[];
  readonly acts: Act[];
  readonly stops: { readonly run: number; readonly session_id: string; readonly turn_id: string }[];
  /** What was wrong at the moment when it was seen: a stuck turn, a refused answer, a second writer. */
  readonly seen: string[];
}

/** What the data folder holds at the end, and what the witnesses wrote. */
export interface Remains {
  readonly integrity: string;
  readonly sessions: ReadonlyMap<string, readonly SessionEvent[]>;
  readonly summaries: readonly SessionSummary[];
  readonly effects: readonly Effect[];
  readonly contexts: readonly SentContext[];
  /** Process ids of tool servers that still run. */
  readonly left_running: readonly number[];
}

/** One context as the model server got it. */
export interface SentContext {
  readonly marker: string;
  /** What was said, in the words of `context-words`. */
  readonly words: readonly string[];
  /** Texts of results, by call id. */
  readonly results: ReadonlyMap<string, string>;
  /** A request for a summary: it holds the older part of a context only. */
  readonly summary: boolean;
}

export function emptyHistory(): History {
  return { runs: [], acks: [], refused: [], clicks: [], messages: [], acts: [], stops: [], seen: [] };
}

/** The events of one type. */
export function of<T extends SessionEventType>(
  events: readonly SessionEvent[],
  type: T,
): readonly SessionEventOf<T>[] {
  return events.filter((event) => event.type === type) as unknown as readonly SessionEventOf<T>[];
}
