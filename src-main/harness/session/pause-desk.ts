import { fail, ok, type Result } from '../protocol';
import type { PauseAnswer } from '../turn';

/** The pause of one session that waits for the person's word; each is answered once. */
export interface PauseDesk {
  wait(pauseId: string, signal: AbortSignal): Promise<PauseAnswer | 'cancelled'>;
  answer(pauseId: string, answer: PauseAnswer): Result<null>;
  waiting(): boolean;
}

export function createPauseDesk(): PauseDesk {
  const open = new Map<string, (answer: PauseAnswer | 'cancelled') => void>();
  return {
    wait: (pauseId, signal) =>
      new Promise((resolve) => {
        const settle = (answer: PauseAnswer | 'cancelled'): void => {
          open.delete(pauseId);
          signal.removeEventListener('abort', cancel);
          resolve(answer);
        };
        const cancel = (): void => settle('cancelled');
        open.set(pauseId, settle);
        if (signal.aborted) cancel();
        else signal.addEventListener('abort', cancel, { once: true });
      }),
    answer(pauseId, answer) {
      const settle = open.get(pauseId);
      if (!settle) {
        return fail(
          'stale_answer',
          'This question is closed: it was answered before, or its turn has ended.',
        );
      }
      settle(answer);
      return ok(null);
    },
    waiting: () => open.size > 0,
  };
}
