import type { AttemptView } from '../../../src-preload/contract';

/** One attempt, or several that failed one after the other without a response. */
export type AttemptRun = readonly [AttemptView, ...AttemptView[]];

const failedOnly = (attempt: AttemptView): boolean => attempt.failed !== null && attempt.message === null;

/** Puts attempts together that failed in a row; every other one stays alone, in its place. */
export function attemptRuns(attempts: readonly AttemptView[]): readonly AttemptRun[] {
  const runs: AttemptRun[] = [];
  for (const attempt of attempts) {
    const before = runs.at(-1);
    const latest = before?.at(-1);
    if (before && latest && failedOnly(latest) && failedOnly(attempt))
      runs[runs.length - 1] = [...before, attempt];
    else runs.push([attempt]);
  }
  return runs;
}
