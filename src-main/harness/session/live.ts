import type { ProgressEntry, SessionEvent, Signal } from '../protocol';

/** What passes right now, kept so that a window that subscribes late sees it from its beginning. */
export interface LiveFacts {
  text(turnId: string, attempt: number, text: string, reasoning: string): void;
  /** Keeps what a passing signal says for those who come later. */
  follow(signal: Signal): void;
  /** Follows the recorded events and forgets what they supersede. */
  settle(events: readonly SessionEvent[]): void;
  replay(): Signal[];
  /** Whether anything streams or runs, beside requests that wait for a person. */
  busy(): boolean;
}

/** Of the running turn; a new object once it has ended. */
interface Passing {
  attempting: boolean;
  streaming: {
    readonly turn_id: string;
    readonly attempt: number;
    readonly text: string;
    readonly reasoning: string;
  } | null;
  readonly progress: Map<string, { readonly turn_id: string; readonly entries: ProgressEntry[] }>;
  readonly running: Set<string>;
  context: Signal | null;
  compacting: Signal | null;
  unrecorded: Signal | null;
}

function nothingPasses(): Passing {
  return {
    attempting: false,
    streaming: null,
    progress: new Map(),
    running: new Set(),
    context: null,
    compacting: null,
    unrecorded: null,
  };
}

function supersede(now: Passing, event: SessionEvent): void {
  switch (event.type) {
    case 'attempt_started':
      now.attempting = true;
      now.compacting = null;
      return;
    case 'context_compacted':
      now.compacting = null;
      return;
    case 'assistant_message':
    case 'attempt_failed':
      now.attempting = event.type === 'attempt_failed' && event.data.retry_in_ms !== null;
      now.streaming = null;
      return;
    case 'tool_started':
      now.running.add(event.data.call_id);
      return;
    case 'tool_finished':
      now.running.delete(event.data.call_id);
      now.progress.delete(event.data.call_id);
      return;
    default:
      return;
  }
}

function streamedText({ streaming }: Passing): Signal[] {
  if (!streaming) return [];
  const { turn_id, attempt } = streaming;
  return (['text', 'reasoning'] as const).flatMap((channel): Signal[] => {
    const text = streaming[channel];
    return text === '' ? [] : [{ type: 'text_delta', turn_id, attempt, channel, offset: 0, text }];
  });
}

function progressSignals({ progress }: Passing): Signal[] {
  return [...progress].flatMap(([call_id, { turn_id, entries }]) =>
    entries.map((entry): Signal => ({ type: 'call_progress', turn_id, call_id, entry })),
  );
}

export function createLiveFacts(): LiveFacts {
  let now = nothingPasses();
  return {
    text(turn_id, attempt, text, reasoning) {
      now.streaming = { turn_id, attempt, text, reasoning };
    },
    follow(signal) {
      switch (signal.type) {
        case 'model_context':
          now.context = signal;
          return;
        case 'compacting':
          now.compacting = signal;
          return;
        case 'turn_unrecorded':
          now = { ...nothingPasses(), unrecorded: signal };
          return;
        case 'call_progress': {
          const known = now.progress.get(signal.call_id) ?? { turn_id: signal.turn_id, entries: [] };
          known.entries.push(signal.entry);
          now.progress.set(signal.call_id, known);
          return;
        }
        default:
          return;
      }
    },
    settle(events) {
      for (const event of events) {
        if (event.type === 'turn_finished') now = nothingPasses();
        else supersede(now, event);
      }
    },
    replay() {
      const single = [now.context, now.compacting, now.unrecorded].filter((signal) => signal !== null);
      return [...single, ...streamedText(now), ...progressSignals(now)];
    },
    busy: () => now.attempting || now.running.size > 0,
  };
}
