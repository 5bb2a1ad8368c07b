import { recorder, type Recorder } from './fixture-data';
import { ask, call, created, finish, response, start } from './fixture-sessions';

function message(record: Recorder, turn: string, text: string, follows: string | null): void {
  record.add(turn, 'message_submitted', {
    message_id: `m-${turn}`,
    text,
    attachments: [],
    mentions: [],
    follows,
  });
}

const path = (at: number): string =>
  `Invoices/2025/${'a very long folder name with many words/'.repeat(6)}${at}.pdf`;

/** A request waits in the third version; in the first, a call was stopped and another has an unknown outcome. */
export function versionsSession(): Recorder {
  const record = recorder('s12', new Date(Date.now() - 800_000_000));
  created(record, 'Weekly cleanup number 12', 0);
  message(record, 't1', 'Publish the spring list.', null);
  const calls = [
    call('c1', 'shop.publish', { list: 'spring' }),
    call('c2', 'shop.notify', { to: '#shop' }),
  ] as const;
  response(
    record,
    't1',
    1,
    'I publish it.',
    calls,
    'The person wants **one** list:\n\n1. spring\n2. nothing else',
  );
  for (const one of calls) start(record, 't1', one);
  finish(record, 't1', calls[0], { outcome: 'cancelled_may_have_run', duration_ms: 4000 });
  finish(record, 't1', calls[1], {
    outcome: 'outcome_unknown',
    duration_ms: 75_000,
    error: { code: 'tool_timed_out', message: 'shop.notify gave no answer within 75 s.' },
  });
  record.add(null, 'message_queued', {
    queued_id: 'q1',
    text: 'And then the summer list.',
    attachments: [],
    mentions: [],
    delivery: 'next_turn',
  });
  record.add('t1', 'turn_finished', { outcome: 'stopped', error: null });
  message(record, 't2', 'Only look whether the spring list is published.', null);
  response(record, 't2', 1, 'It is a draft.', []);
  record.add('t2', 'turn_finished', { outcome: 'completed', error: null });
  message(record, 't3', 'Move the old lists away first.', null);
  const move = call('c3', 'files.move_file', { source: path(1), destination: path(2) });
  response(record, 't3', 1, 'I move them.', [move]);
  ask(record, 't3', 'a1', move);
  record.add(null, 'message_queued', {
    queued_id: 'q2',
    text: 'Tell me what you moved.',
    attachments: [],
    mentions: [],
    delivery: 'next_turn',
  });
  return record;
}
