import type { RowState } from '../../../src-preload/contract';

export type Tone = 'neutral' | 'good' | 'running' | 'waiting' | 'bad' | 'unknown';

export const rowTone: Readonly<Record<RowState, Tone>> = {
  proposed: 'neutral',
  waiting: 'waiting',
  running: 'running',
  completed: 'good',
  failed: 'bad',
  rejected: 'bad',
  denied: 'neutral',
  expired: 'neutral',
  cancelled: 'neutral',
  cancelled_may_have_run: 'unknown',
  outcome_unknown: 'unknown',
};
