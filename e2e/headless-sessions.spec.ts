import fs from 'node:fs';
import { expect, test } from '@playwright/test';
import { openJournal } from '../src-main/harness/journal';
import type { NewSessionEvent } from '../src-main/harness/protocol';
import { openworker, place, type Place } from './parts/openworker';

let at: Place;
test.beforeEach(() => {
  at = place();
});
test.afterEach(() => at.close());

const model = { provider: 'practice', name: 'practice' };
const created: NewSessionEvent = {
  turn_id: null,
  type: 'session_created',
  data: {
    title: 'Books',
    coworker: { id: 'c', name: 'Librarian', tagline: '', icon: 'book', version: '1.0.0', bundle_digest: '0' },
    workspace: null,
    model,
    mode: 'ask',
    app_version: '0.1.0',
  },
};

function message(turn_id: string, text: string, follows: string | null): NewSessionEvent {
  const data = { message_id: `m_${turn_id}`, text, attachments: [], mentions: [], follows };
  return { turn_id, type: 'message_submitted', data };
}

function said(turn_id: string, attempt: number, text: string): NewSessionEvent[] {
  return [
    { turn_id, type: 'attempt_started', data: { attempt, model } },
    {
      turn_id,
      type: 'assistant_message',
      data: {
        message_id: `a_${turn_id}_${attempt}`,
        attempt,
        text,
        reasoning: '',
        calls: [],
        finish_reason: 'stop',
        usage: { input_tokens: null, output_tokens: null },
        partial: false,
      },
    },
  ];
}

const end = (turn_id: string, outcome: 'completed' | 'stopped' = 'completed'): NewSessionEvent => ({
  turn_id,
  type: 'turn_finished',
  data: { outcome, error: null },
});

function record(...events: NewSessionEvent[]): void {
  fs.mkdirSync(at.data, { recursive: true });
  const journal = openJournal({ folder: at.data, now: () => Date.UTC(2026, 0, 1) });
  if (!journal.ok) throw new Error(journal.error.message);
  const appended = journal.value.append('s_1', [created, ...events]);
  journal.value.close();
  expect(appended.ok).toBe(true);
}

async function sessions(...words: string[]): Promise<string> {
  const ended = await openworker(['sessions', ...words, '--data', at.data]);
  expect(ended.code, ended.stderr).toBe(0);
  return ended.stdout;
}

test.describe('a session on the terminal', () => {
  test('shows the branch that is looked at, says that there are others, and gives all of them as JSON', async () => {
    record(
      message('t_1', 'How many books?', null),
      ...said('t_1', 1, 'Forty-one.'),
      end('t_1'),
      message('t_2', 'How many books in all?', null),
      ...said('t_2', 1, 'Forty-two.'),
      end('t_2'),
    );
    const shown = await sessions('show', 's_1');
    expect(shown).toContain('(1 more in other versions of this conversation; --json has all)');
    expect(shown).toContain('You: How many books in all?\nLibrarian: Forty-two.');
    expect(shown).not.toContain('Forty-one.');
    const json = await sessions('show', 's_1', '--json');
    expect(json.split('\n').filter(Boolean)).toHaveLength(9);
  });

  test('says how a turn came to be, what was said while it worked, where it paused and what was summarised', async () => {
    record(
      message('t_1', 'Count', null),
      end('t_1', 'stopped'),
      { turn_id: 't_2', type: 'turn_retried', data: { follows: 't_1' } },
      {
        turn_id: 't_2',
        type: 'pause_started',
        data: { pause_id: 'p', kind: 'tokens', used: 1100, limit: 1000 },
      },
      { turn_id: 't_2', type: 'pause_ended', data: { pause_id: 'p', outcome: 'continued', by: 'person' } },
      {
        turn_id: 't_2',
        type: 'context_compacted',
        data: {
          compaction_id: 'k',
          attempt: 1,
          model,
          summary: 'Books.',
          by: 'model',
          summarised_to_seq: 2,
          shortened_to_seq: 2,
          tokens_before: 10,
          tokens_after: 5,
          usage: { input_tokens: null, output_tokens: null },
        },
      },
      {
        turn_id: 't_2',
        type: 'message_steered',
        data: {
          message_id: 'm',
          queued_id: 'q',
          text: 'Also films',
          attachments: [],
          mentions: [],
          attempt: 1,
        },
      },
      ...said('t_2', 1, 'Both counted.'),
      end('t_2'),
    );
    const lines = (await sessions('show', 's_1')).split('\n');
    const places = [
      'You: Count',
      '  (turn stopped)',
      'You went on from here.',
      '  (the older part was summarised for the model)',
      'You, while it was working: Also films',
      'Librarian: Both counted.',
      '  (limit of tokens: 1100 of 1000; continued)',
    ].map((line) => lines.indexOf(line));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test('lists sessions with their state, and says so where there are none', async () => {
    expect(await sessions('list')).toBe('No sessions yet.\n');
    record(message('t_1', 'Hello', null), end('t_1'));
    expect(await sessions('list')).toMatch(/^s_1 {2}\S+ {2}done {2}Librarian {2}Books\n$/);
  });
});
