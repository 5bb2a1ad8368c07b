import { describe, expect, it } from 'vitest';
import type { Problem } from '../../src-preload/contract';
import { journalStop } from './journal-stop';

const problem = (severity: Problem['severity'], session: string | null): Problem => ({
  code: 'journal_unavailable',
  message: 'Journal.',
  file: 'journal.db',
  severity,
  data: { kind: session === null ? 'loss' : 'session', session_id: session },
});

describe('what keeps anything from being recorded', () => {
  it('is the whole journal while an error stands', () => {
    expect(journalStop([problem('error', null)], 's1')).toBe('journal');
    expect(journalStop([problem('error', null)], null)).toBe('journal');
  });

  it('is one session where only entries of it are missing', () => {
    expect(journalStop([problem('warning', 's1')], 's1')).toBe('session');
    expect(journalStop([problem('warning', 's1')], 's2')).toBeNull();
    expect(journalStop([problem('warning', 's1')], null)).toBeNull();
    expect(journalStop([], 's1')).toBeNull();
  });
});
