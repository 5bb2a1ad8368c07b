import { describe, expect, it } from 'vitest';
import type { Classification, GrantMade, Mode } from '../protocol';
import { decide, type PolicyQuestion } from './policy';

const grant: GrantMade = {
  grant_id: 'g_1',
  scope: 'session',
  coworker_id: 'c',
  qualified_name: 'files.move_file',
  pin: 'p',
  approval_id: 'a_1',
};
const question: PolicyQuestion = {
  coworker_id: 'c',
  qualified_name: 'files.move_file',
  pin: 'p',
  classification: 'write',
  mode: 'ask',
  grants: [],
};

describe('the policy', () => {
  it.each<[Classification, Mode, boolean, string]>([
    ['read', 'ask', false, 'allow classification_read'],
    ['read', 'read_only', false, 'allow classification_read'],
    ['read', 'bypass', false, 'allow classification_read'],
    ['write', 'ask', false, 'ask not_read_only'],
    ['exec', 'ask', false, 'ask not_read_only'],
    ['external', 'ask', false, 'ask not_read_only'],
    ['write', 'ask', true, 'allow grant_session'],
    ['external', 'ask', true, 'allow grant_session'],
    ['write', 'read_only', true, 'refuse mode_read_only'],
    ['external', 'read_only', false, 'refuse mode_read_only'],
    ['exec', 'bypass', false, 'allow mode_bypass'],
    ['external', 'bypass', true, 'allow mode_bypass'],
  ])('S0-67 S0-68: %s in mode %s, granted: %s → %s', (classification, mode, granted, expected) => {
    const decision = decide({ ...question, classification, mode, grants: granted ? [grant] : [] });
    const said = decision.type === 'ask' ? decision.reason : decision.rule.rule;
    expect(`${decision.type} ${said}`).toBe(expected);
  });

  it.each<[string, Partial<GrantMade>, string]>([
    ['another definition', { pin: 'other' }, 'definition_changed'],
    ['another tool', { qualified_name: 'files.trash' }, 'not_read_only'],
    ['the same name in another case', { qualified_name: 'files.Move_file' }, 'not_read_only'],
    ['another coworker', { coworker_id: 'd' }, 'not_read_only'],
  ])('S0-56: a grant for %s covers nothing', (_what, change, reason) => {
    expect(decide({ ...question, grants: [{ ...grant, ...change }] })).toEqual({ type: 'ask', reason });
  });
});
