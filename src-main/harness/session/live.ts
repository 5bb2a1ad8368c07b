import type { ProgressEntry, SessionEvent, Signal } from '../protocol';

/** What passes right now, kept so that a window that subscribes late sees it from its beginning. */
export interface LiveFacts {
  text(turnId: string, attempt: number, text: string, reasoning: string): void;
  progress(signal: Signal): void;
  /** Follows the recorded events and forgets what they supersede. */
  settle(events: readonly SessionEvent[]): void;
  replay(): Signal[];
  /** Whether anything streams or runs, beside requests that wait for a person. */
  busy(): boolean;
}

export function createLiveFacts(): LiveFacts {
  let attempting = false;
  let streaming: { turn_id: string; attempt: number; text: string; reasoning: string } | null = null;
  const progress = new Map<string, { turn_id: string; entries: ProgressEntry[] }>();
  const running = new Set<string>();
  const follow = (event: SessionEvent): void => {
    switch (event.type) {
      case 'attempt_started':
        attempting = true;
        return;
      case 'assistant_message':
      case 'attempt_failed':
      case 'turn_finished':
        attempting = event.type === 'attempt_failed' && event.data.retry_in_ms !== null;
        streaming = null;
        return;
      case 'tool_started':
        running.add(event.data.call_id);
        return;
      case 'tool_finished':
        running.delete(event.data.call_id);
        progress.delete(event.data.call_id);
        return;
      default:
        return;
    }
  };
  return {
    text(turn_id, attempt, text, reasoning) {
      streaming = { turn_id, attempt, text, reasoning };
    },
    progress(signal) {
      if (signal.type !== 'call_progress') return;
      const known = progress.get(signal.call_id) ?? { turn_id: signal.turn_id, entries: [] };
      known.entries.push(signal.entry);
      progress.set(signal.call_id, known);
    },
    settle: (events) => events.forEach(follow),
    busy: () => attempting || running.size > 0,
    replay() {
      const signals: Signal[] = [];
      if (streaming) {
        const { turn_id, attempt, text, reasoning } = streaming;
        const channels = [
          ['text', text],
          ['reasoning', reasoning],
        ] as const;
        for (const [channel, whole] of channels) {
          if (whole) signals.push({ type: 'text_delta', turn_id, attempt, channel, offset: 0, text: whole });
        }
      }
      for (const [call_id, { turn_id, entries }] of progress) {
        for (const entry of entries) signals.push({ type: 'call_progress', turn_id, call_id, entry });
      }
      return signals;
    },
  };
}
