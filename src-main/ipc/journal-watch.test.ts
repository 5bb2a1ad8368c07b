import { expect, it } from 'vitest';
import type { Problem, Push } from '../../src-preload/contract';
import { ok } from '../harness';
import { createJournalWatch } from './journal-watch';

const problem = (message: string): Problem => ({
  code: 'journal_unavailable',
  message,
  file: 'journal.db',
  severity: 'error',
});

function begin(problems: Problem[] = []) {
  const sent: Push[] = [];
  return { sent, problems, watch: createJournalWatch({ problems }, (push) => sent.push(push)) };
}

it('says nothing of a journal in order, and nothing twice', () => {
  const { watch, sent, problems } = begin([problem('known before the window opened')]);
  watch.look();
  expect(sent).toEqual([]);
  problems.push(problem('the disk failed'));
  watch.look();
  watch.look();
  expect(sent).toEqual([{ topic: 'journal', problems }]);
});

it('tells the window what a command met, and that the person has accepted a loss', async () => {
  const { watch, sent, problems } = begin();
  const dispatch = watch.behind((name) => {
    if (name === 'session.submit') problems.push(problem('a row is missing'));
    else problems.splice(0);
    return Promise.resolve(ok(null));
  });
  expect(await dispatch('session.submit', {})).toEqual(ok(null));
  await dispatch('journal.accept_loss', {});
  expect(sent.map((push) => push.topic === 'journal' && push.problems.length)).toEqual([1, 0]);
});
