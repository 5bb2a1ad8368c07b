import { describe, expect, it } from 'vitest';
import { summaries } from '../../testing/fixture-data';
import { withTitles } from './with-titles';

const sessions = new Map(summaries(new Date(0)).map((summary) => [summary.session_id, summary]));

describe('a message about the journal', () => {
  it('names sessions by their titles, and by their ids where no title is known', () => {
    const said =
      'Journal /x/journal.db: entries are missing (session s5: entry 4; session zz-1: entry 2 (all of it)).';
    expect(withTitles(said, sessions)).toBe(
      'Journal /x/journal.db: entries are missing (session “Rename invoices by month”: entry 4; session zz-1: entry 2 (all of it)).',
    );
  });

  it('is left as it is where it speaks of no session by its id', () => {
    const said = 'What is there can be read, and nothing more is recorded in it. Go on in a new session.';
    expect(withTitles(said, sessions)).toBe(said);
  });
});
