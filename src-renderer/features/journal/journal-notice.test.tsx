import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../../src-preload/contract';
import { startMessages } from '../../messages/use-text';
import { canAcceptLoss, JournalProblems } from './journal-notice';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startMessages('en');
});

const problem = (kind: string, severity: Problem['severity'] = 'error'): Problem => ({
  code: 'journal_unavailable',
  message: `The journal: ${kind}. Do this.`,
  file: 'journal.db',
  severity,
  data: { kind, session_id: null },
});

const draw = (...problems: Problem[]): string =>
  renderToStaticMarkup(<JournalProblems problems={problems} sessions={new Map()} />);

describe('the notice about the journal', () => {
  it('is not there while the journal is in order', () => {
    expect(draw()).toBe('');
  });

  it('says what is missing with its remedy, and offers to go on without it', () => {
    const html = draw(problem('loss'));
    expect(html).toContain('role="alert"');
    expect(html).toContain('The journal: loss. Do this.');
    expect(html).toContain('Go on without these entries…');
  });

  it('offers nothing where the file itself is damaged or the disk failed', () => {
    for (const problems of [[problem('damage')], [problem('loss'), problem('damage')], [problem('write')]]) {
      expect(canAcceptLoss(problems)).toBe(false);
      expect(draw(...problems)).not.toContain('Go on without');
    }
  });

  it('is quieter about single sessions that can only be read', () => {
    const html = draw(problem('session', 'warning'));
    expect(html).toContain('role="status"');
    expect(html).toContain('One session can be read and not continued');
    expect(canAcceptLoss([problem('session', 'warning')])).toBe(false);
  });
});
