import type { CallDeps } from '../call';
import type { ImageStore } from '../images';
import type { ModelFacts, ReachedLimit, Result } from '../protocol';
import type { Effort, Failure, ModelChoice, NewSessionEvent, TurnOutcome } from '../protocol';
import type { ModelProvider } from '../model';
import type { Tool } from '../tools';
import type { History } from './history';

/** What a turn works with, fixed at its preparation. */
export interface TurnPlan {
  readonly session_id: string;
  readonly turn_id: string;
  readonly coworker_id: string;
  readonly workspace: string | null;
  readonly system: string;
  readonly model: ModelChoice;
  readonly provider: ModelProvider;
  /** What is known of the model; null where nothing is. */
  readonly facts: ModelFacts | null;
  readonly effort: Effort | null;
  readonly tools: readonly Tool[];
}

/** Why a turn is being stopped: by the person, or because the app closes. Given as the signal's reason. */
export type StopReason = 'stopped' | 'closing';

export type PauseAnswer = 'continued' | 'stopped';

export interface TurnDeps extends Omit<CallDeps, 'newId' | 'images'> {
  /** The conversation of the branch that the turn stands on. */
  readonly history: History;
  /** Keeps events to be committed with the next record, or a moment later: for what nothing depends on yet. */
  readonly defer: (events: readonly NewSessionEvent[]) => void;
  readonly images: ImageStore;
  /** Whether this host advertises `application_tool_images` (S1-66). */
  readonly forwardsImages: boolean;
  readonly newId: (kind: 'approval' | 'grant' | 'message' | 'pause' | 'compaction') => string;
  /** Waits; answers early when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Watches the text of the running attempt, so that a late subscriber can be told what has streamed. */
  readonly onLiveText: (attempt: number, text: string, reasoning: string) => void;
  /** The limit that one more request would go past, or null. */
  readonly reachedLimit: () => ReachedLimit | null;
  /** Waits for the person's word on a recorded pause. */
  readonly waitAtPause: (pauseId: string, signal: AbortSignal) => Promise<PauseAnswer | 'cancelled'>;
  /** Records the messages that are to reach the model with this attempt; answers how many they were. */
  readonly takeSteered: (attempt: number) => Result<number>;
}

export interface TurnEnd {
  readonly outcome: TurnOutcome;
  readonly error: Failure | null;
}
