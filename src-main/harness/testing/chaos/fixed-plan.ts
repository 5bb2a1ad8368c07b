import type { Decision, Plan, PlannedCall, PlannedStep, PlannedTool, RunFault } from './plan';

const call = (key: string, tool: PlannedTool, ends: PlannedCall['ends'] = 'well'): PlannedCall => ({
  key,
  tool,
  delay_ms: 0,
  ends,
});

const step = (text: readonly string[], ...calls: readonly PlannedCall[]): PlannedStep => ({
  text,
  calls,
  fault: 'none',
  delay_ms: 1,
});

const decide = (answer: Decision['answer'], leave = false): Decision => ({
  answer,
  when: 'quiet',
  leave,
  twice: false,
});

/**
 * The scenario that is killed at each of its points: a stream, calls one after the other and at once, a request that is
 * allowed, one that is denied, a grant that covers later calls, and a request that waits for the next start.
 */
export function fixedPlan(name: string, runs: readonly RunFault[]): Plan {
  return {
    name,
    runs,
    sessions: [
      {
        turns: [
          {
            marker: 'first',
            stop_at: null,
            steps: [
              step(['I ', 'look ', 'first.'], call('look', 'notes.read')),
              step(['Now one.'], call('one', 'ledger.add')),
              step(
                ['Three ', 'at once.'],
                call('no', 'ledger.add'),
                call('grant', 'notes.write'),
                call('two', 'ledger.add', 'error'),
              ),
              step([], call('free-a', 'notes.write'), call('free-b', 'notes.write')),
              step(['That ', 'is ', 'all.']),
            ],
          },
          {
            marker: 'second',
            stop_at: null,
            steps: [step(['One more.'], call('wait', 'ledger.add')), step(['Done.'])],
          },
        ],
      },
    ],
    decisions: new Map([
      ['one', decide('once')],
      ['no', decide('deny')],
      ['grant', decide('session')],
      ['two', decide('once')],
      ['wait', decide('once', true)],
    ]),
  };
}
