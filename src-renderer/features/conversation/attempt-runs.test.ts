import { expect, it } from 'vitest';
import type { AttemptView } from '../../../src-preload/contract';
import { attemptRuns } from './attempt-runs';

const attempt = (number: number, state: 'failed' | 'message' | 'live'): AttemptView =>
  ({
    attempt: number,
    failed: state === 'failed' ? {} : null,
    message: state === 'message' ? {} : null,
  }) as AttemptView;

const numbers = (attempts: readonly AttemptView[]): number[][] =>
  attemptRuns(attempts).map((run) => run.map((one) => one.attempt));

it('puts attempts together that failed in a row, and leaves every other one alone', () => {
  expect(
    numbers([
      attempt(1, 'message'),
      attempt(2, 'failed'),
      attempt(3, 'failed'),
      attempt(4, 'failed'),
      attempt(5, 'message'),
      attempt(6, 'failed'),
      attempt(7, 'live'),
    ]),
  ).toEqual([[1], [2, 3, 4], [5], [6], [7]]);
});

it('has no runs where there are no attempts', () => {
  expect(numbers([])).toEqual([]);
});
