import type { CallDeps } from '../call';
import type { ModelProvider } from '../model';
import type { Failure, ModelChoice, TurnOutcome } from '../protocol';
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
  readonly tools: readonly Tool[];
}

/** Why a turn is being stopped: by the person, or because the app closes. Given as the signal's reason. */
export type StopReason = 'stopped' | 'closing';

export interface TurnDeps extends Omit<CallDeps, 'newId'> {
  readonly history: History;
  readonly newId: (kind: 'approval' | 'grant' | 'message') => string;
  /** Waits; answers early when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Watches the text of the running attempt, so that a late subscriber can be told what has streamed. */
  readonly onLiveText: (attempt: number, text: string, reasoning: string) => void;
}

export interface TurnEnd {
  readonly outcome: TurnOutcome;
  readonly error: Failure | null;
}
