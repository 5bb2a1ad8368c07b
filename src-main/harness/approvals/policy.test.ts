import { readFileSync } from 'node:fs';
import path from 'node:path';
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

const later = '2026-03-02T10:00:00.000Z';
const ofCoworker: Partial<GrantMade> = { scope: 'coworker', grant_id: 'g_2' };
const onlyFor = (value: string): Partial<GrantMade> => ({
  pattern: [{ type: 'exact', at: '/source', value }],
});

/** What each word of the documented table stands for, and what comes to the same. */
const records: Readonly<Record<string, readonly (readonly StandingGrant[])[]>> = {
  none: [
    [],
    [standing({ coworker_id: 'd' })],
    [standing({ qualified_name: 'files.Move_file' })],
    [standing({}, 'revoked')],
  ],
  'covers, session': [[standing()], [standing(onlyFor('a.txt'))], [standing({}, 'expired'), standing()]],
  'covers, coworker': [[standing(ofCoworker)], [standing({}, 'revoked'), standing(ofCoworker)]],
  'covers, both': [[standing(), { ...standing(ofCoworker), made_at: later }]],
  'other arguments': [
    [standing(onlyFor('b.txt'))],
    [standing(onlyFor('b.txt')), standing({ ...ofCoworker, pin: 'other' })],
  ],
  'other definition': [[standing({ pin: 'other' })], [standing({ pin: 'other' }), standing({}, 'unused')]],
  expired: [[standing({}, 'expired')]],
  unused: [[standing({}, 'unused')]],
};

const columns = {
  class: ['read', 'write', 'exec', 'external'],
  hint: ['no', 'yes'],
  mode: ['ask', 'read_only', 'bypass'],
  command: ['none', 'read', 'uninspectable'],
  record: Object.keys(records),
} as const satisfies Readonly<Record<string, readonly string[]>>;

interface DocumentedLine {
  readonly when: readonly string[];
  readonly decision: string;
  readonly said: string;
}

/** The table of cases of docs/approvals.md. */
function documentedTable(): readonly DocumentedLine[] {
  const file = path.join(import.meta.dirname, '../../../docs/approvals.md');
  const lines = readFileSync(file, 'utf8').split('\n');
  const head = lines.findIndex((line) => /^\| Counts as .*\| Rule or reason *\|$/.test(line));
  const rest = lines.slice(head + 2);
  return rest.slice(0, rest.indexOf('')).map((line) => {
    const cells = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    const [, ...words] = cells.slice(0, -1);
    const [decision = '', said = ''] = words.splice(columnNames.length);
    return { when: words, decision, said };
  });
}

const columnNames = Object.keys(columns) as (keyof typeof columns)[];
const documented = documentedTable();

interface Case {
  readonly class: Classification;
  readonly hint: 'no' | 'yes';
  readonly mode: Mode;
  readonly command: 'none' | 'read' | 'uninspectable';
  readonly record: string;
}

const cases = columnNames.reduce<readonly Partial<Case>[]>(
  (found, name) => found.flatMap((one) => columns[name].map((value) => ({ ...one, [name]: value }))),
  [{}],
) as readonly Case[];

const fits = (line: DocumentedLine, one: Case): boolean =>
  line.when.every((word, index) => {
    const name = columnNames[index];
    return word === 'any' || (name !== undefined && word === one[name]);
  });

function decided(one: Case, grants: readonly StandingGrant[]): ReturnType<typeof decide> {
  return decide({
    ...question,
    classified: { classification: one.class, by: 'host', at: null },
    hint_not_read_only: one.hint === 'yes',
    mode: one.mode,
    grants,
    subject: {
      ...subject,
      command:
        one.command === 'none'
          ? null
          : { at: 'command', inspectable: one.command === 'read', covers: () => false },
    },
  });
}

describe('the policy', () => {
  it('S0-67 S0-68, field report 31: decides every case as the documented table does', () => {
    const used = new Set<DocumentedLine>();
    for (const one of cases) {
      const line = documented.find((candidate) => fits(candidate, one));
      if (!line) throw new Error(`The table says nothing of ${JSON.stringify(one)}.`);
      used.add(line);
      for (const grants of records[one.record] ?? []) {
        const decision = decided(one, grants);
        const said = decision.type === 'ask' ? decision.reason : decision.rule.rule;
        expect({ one, decision: decision.type, said }).toEqual({
          one,
          decision: line.decision,
          said: line.said,
        });
      }
    }
    expect(cases).toHaveLength(4 * 2 * 3 * 3 * 8);
    expect(documented.filter((line) => !used.has(line))).toEqual([]);
  });

  it('S0-67: the documented table uses the words of its columns only', () => {
    for (const { when } of documented) {
      expect(when).toHaveLength(columnNames.length);
      when.forEach((word, index) => {
        const name = columnNames[index];
        expect(['any', ...(name ? columns[name] : [])]).toContain(word);
      });
    }
  });

  it('field report 37: a hint of the server makes no tool run unasked', () => {
    for (const one of cases) {
      for (const grants of records[one.record] ?? []) {
        const type = (hint: Case['hint']) => decided({ ...one, hint }, grants).type;
        if (type('no') !== 'allow') expect(type('yes')).not.toBe('allow');
      }
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
    expect(decide({ ...question, grants: [standing(ofCoworker)] })).toEqual({
      type: 'allow',
      rule: { rule: 'grant_coworker', grant_id: 'g_2', scope: 'coworker', by: 'person', at: madeAt },
    });
    for (const mode of ['bypass', 'read_only'] as const) {
      expect(decide({ ...question, mode })).toMatchObject({
        rule: { rule: `mode_${mode}`, scope: 'session', by: 'person', at: question.mode_at },
      });
    }
    expect(decide({ ...question, grants: [standing(onlyFor('b.txt'))] })).toEqual({
      type: 'ask',
      reason: 'outside_grant',
      grant_id: 'g_1',
    });
  });

  it('S0-56: a grant for another definition, tool or coworker covers nothing', () => {
    for (const other of [{ pin: 'other' }, { coworker_id: 'd' }, { qualified_name: 'files.Move_file' }]) {
      expect(decide({ ...question, grants: [standing(other)] }).type).toBe('ask');
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
