import { describe, expect, it } from 'vitest';
import type { Classification, GrantMade, Mode } from '../protocol';
import { decide, policyRules, type PolicyQuestion, type StandingGrant } from './policy';

const made: GrantMade = {
  grant_id: 'g_1',
  scope: 'session',
  coworker_id: 'c',
  qualified_name: 'files.move_file',
  pin: 'p',
  approval_id: 'a_1',
};
const madeAt = '2026-03-01T10:00:00.000Z';

function standing(change: Partial<GrantMade> = {}, ended: StandingGrant['ended'] = null): StandingGrant {
  return { grant: { ...made, ...change }, made_at: madeAt, ended };
}

const subject = {
  arguments: { source: 'a.txt' },
  workspace: '/w',
  realPath: (path: string) => path,
  command: null,
};
const question: PolicyQuestion = {
  coworker_id: 'c',
  qualified_name: 'files.move_file',
  pin: 'p',
  classified: { classification: 'write', by: 'host', at: null },
  hint_not_read_only: false,
  mode: 'ask',
  mode_at: '2026-02-01T10:00:00.000Z',
  grants: [],
  subject,
};

const classes: readonly Classification[] = ['read', 'write', 'exec', 'external'];
const modes: readonly Mode[] = ['ask', 'read_only', 'bypass'];
const hints = [false, true];
const commands = ['none', 'read', 'uninspectable'] as const;

/** What is on record of grants, by name. */
const records = {
  none: [],
  session: [standing()],
  coworker: [standing({ scope: 'coworker', grant_id: 'g_2' })],
  both: [standing(), standing({ scope: 'coworker', grant_id: 'g_2' })],
  'narrower than the call': [standing({ pattern: [{ type: 'exact', at: '/source', value: 'b.txt' }] })],
  'as narrow as the call': [standing({ pattern: [{ type: 'exact', at: '/source', value: 'a.txt' }] })],
  'for another definition': [standing({ pin: 'other' })],
  'for another coworker': [standing({ coworker_id: 'd' })],
  'for another tool': [standing({ qualified_name: 'files.Move_file' })],
  revoked: [standing({}, 'revoked')],
  expired: [standing({}, 'expired')],
  unused: [standing({}, 'unused')],
} as const;
type Record = keyof typeof records;

/** The precedence, written down once more: first match wins. Each line says of which cases it speaks. */
function precedence(
  classification: Classification,
  hint: boolean,
  mode: Mode,
  record: Record,
  command: (typeof commands)[number],
): string {
  if (classification === 'read' && !hint) return 'allow classification_read';
  if (mode === 'read_only') return 'refuse mode_read_only';
  if (mode === 'bypass') return 'allow mode_bypass';
  if (command === 'uninspectable') return 'ask uninspectable';
  if (record === 'session' || record === 'as narrow as the call') return 'allow grant_session';
  if (record === 'coworker') return 'allow grant_coworker';
  if (record === 'both') return 'allow grant_session|grant_coworker';
  if (record === 'narrower than the call') return 'ask outside_grant';
  if (record === 'for another definition') return 'ask definition_changed';
  if (record === 'expired' || record === 'unused') return 'ask grant_ended';
  return classification === 'read' ? 'ask server_hint' : 'ask not_read_only';
}

const table = classes.flatMap((classification) =>
  hints.flatMap((hint) =>
    modes.flatMap((mode) =>
      (Object.keys(records) as Record[]).flatMap((record) =>
        commands.map((command) => ({ classification, hint, mode, record, command })),
      ),
    ),
  ),
);

describe('the policy', () => {
  it(`S0-67 S0-68, field report 31: the whole table of ${table.length} cases follows the precedence`, () => {
    for (const { classification, hint, mode, record, command } of table) {
      const decision = decide({
        ...question,
        classified: { classification, by: 'host', at: null },
        hint_not_read_only: hint,
        mode,
        grants: records[record],
        subject: {
          ...subject,
          command: command === 'none' ? null : { inspectable: command === 'read', covers: () => false },
        },
      });
      const said = decision.type === 'ask' ? decision.reason : decision.rule.rule;
      const wanted = precedence(classification, hint, mode, record, command);
      const [type, rules = ''] = wanted.split(' ');
      expect({ case: [classification, hint, mode, record, command], said: decision.type }).toMatchObject({
        said: type,
      });
      expect(rules.split('|')).toContain(said);
    }
    expect(table.length).toBe(4 * 2 * 3 * 12 * 3);
  });

  it('field report 37: a hint of the server makes no tool run unasked', () => {
    for (const { classification, mode, record, command } of table) {
      const asks = (hint: boolean) =>
        decide({
          ...question,
          classified: { classification, by: 'host', at: null },
          hint_not_read_only: hint,
          mode,
          grants: records[record],
          subject: {
            ...subject,
            command: command === 'none' ? null : { inspectable: false, covers: () => true },
          },
        }).type;
      if (asks(false) !== 'allow') expect(asks(true)).not.toBe('allow');
    }
  });

  it('field report 34: every decision says which rule made it, its scope, who set it and when', () => {
    const read = decide({
      ...question,
      classified: { classification: 'read', by: 'person', at: '2026-01-01T00:00:00.000Z' },
    });
    expect(read).toEqual({
      type: 'allow',
      rule: { rule: 'classification_read', scope: 'app', by: 'person', at: '2026-01-01T00:00:00.000Z' },
    });
    expect(decide({ ...question, grants: records.coworker })).toEqual({
      type: 'allow',
      rule: { rule: 'grant_coworker', grant_id: 'g_2', scope: 'coworker', by: 'person', at: madeAt },
    });
    for (const mode of ['bypass', 'read_only'] as const) {
      expect(decide({ ...question, mode })).toMatchObject({
        rule: { rule: `mode_${mode}`, scope: 'session', by: 'person', at: question.mode_at },
      });
    }
    expect(decide({ ...question, grants: records['narrower than the call'] })).toEqual({
      type: 'ask',
      reason: 'outside_grant',
      grant_id: 'g_1',
    });
  });

  it('S0-56: a grant for another definition, tool or coworker covers nothing', () => {
    const others: Record[] = ['for another definition', 'for another coworker', 'for another tool'];
    for (const record of others) {
      expect(decide({ ...question, grants: records[record] }).type).toBe('ask');
    }
  });

  it('names each rule once, in the order of the documented table', () => {
    expect(policyRules.map(({ name }) => name)).toEqual([
      'read only tools run in every mode',
      'Read only refuses the rest',
      'Bypass asks nobody',
      'a grant that covers the call runs',
      'a person is asked',
    ]);
  });
});
