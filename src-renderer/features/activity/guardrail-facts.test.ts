import { describe, expect, it } from 'vitest';
import {
  emptySessionView,
  foldSessionEvents,
  orderedTurns,
  type CallRow,
  type GuardrailFact,
} from '../../../src-preload/contract';
import { hex, recorder } from '../../testing/fixture-data';
import { ask, call, finish, start } from '../../testing/fixture-sessions';
import { guardrailFacts, strongestAction, withheldBy } from './guardrail-facts';

const fact = (given: Partial<GuardrailFact>): GuardrailFact => ({
  guardrail: 'secrets',
  stage: 'input',
  action: 'passed',
  findings: [],
  note: '',
  ...given,
});

function rowOf(input: readonly GuardrailFact[], output: readonly GuardrailFact[]): CallRow {
  const record = recorder('s', new Date(0));
  const one = call('c', 'files.read', {});
  ask(record, 't', 'a', one, { guardrails: input });
  start(record, 't', one, { guardrails: input, arguments: null, withheld_digest: hex('kept back') });
  finish(record, 't', one, { outcome: 'completed', guardrails: output });
  const row = orderedTurns(foldSessionEvents(emptySessionView('s'), record.events))[0]?.rows.get('c');
  if (!row) throw new Error('The call has a row.');
  return row;
}

describe('what guardrails did to a call (S1-43, S1-85)', () => {
  it('is said once, though approval and start both state it', () => {
    const input = [fact({ action: 'withheld' })];
    const output = [fact({ stage: 'output', action: 'transformed' })];
    expect(guardrailFacts(rowOf(input, output))).toEqual([...input, ...output]);
  });

  it('names who keeps arguments back, with their digest', () => {
    const row = rowOf([fact({ guardrail: 'privacy', action: 'withheld' })], []);
    expect(withheldBy(row)).toEqual({ guardrail: 'privacy', digest: hex('kept back') });
    expect(withheldBy(rowOf([], [])).guardrail).toBeNull();
  });

  it('counts by the strongest of them', () => {
    expect(strongestAction([fact({})])).toBeNull();
    expect(strongestAction([fact({ action: 'transformed' }), fact({ action: 'blocked' })])).toBe('blocked');
  });
});
