import { expect, it } from 'vitest';
import { emptySessionView, foldSessionEvents } from '../../../src-preload/contract';
import { uncertainSession } from '../../testing/fixture-turns';
import { versionsSession } from '../../testing/fixture-versions';
import { settleQuestion } from './settle-call';

it('a person is asked about calls that may have taken effect, and not about settled or certain ones', () => {
  const questions = [versionsSession(), uncertainSession()].map((record) => {
    const turn = foldSessionEvents(emptySessionView('s'), record.events).turns.get('t1');
    return [...(turn?.rows.values() ?? [])].flatMap((row) => {
      const question = turn ? settleQuestion(row, turn) : null;
      return question === null ? [] : [[row.call_id, question]];
    });
  });
  expect(questions).toEqual([
    [
      ['c1', 'cancelled_may_have_run'],
      ['c2', 'outcome_unknown'],
    ],
    [
      ['c5', 'outcome_unknown'],
      ['c7', 'outcome_unknown'],
    ],
  ]);
});
