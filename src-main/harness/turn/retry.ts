import type { ModelFailure } from '../model';

/** How often one request is made again after a passing failure. */
export const maxRetries = 3;
const longestWaitMs = 60_000;

/** Milliseconds before the `retry`-th repetition: the provider's own word, at most a minute, or 1, 2, 4 seconds. */
export function waitBeforeRetry(retry: number, error: ModelFailure): number {
  return Math.min(error.retry_after_ms ?? 1_000 * 2 ** (retry - 1), longestWaitMs);
}
