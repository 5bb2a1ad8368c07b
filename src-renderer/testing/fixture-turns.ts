import type { GuardrailFact, ImageReference, Signal } from '../../src-preload/contract';
import { hex, recorder, tools, type Recorder } from './fixture-data';
import { ask, beginTurn, call, created, finish, response, start } from './fixture-sessions';

const model = { provider: 'anthropic', name: 'claude-sonnet-4-5' };

function message(
  record: Recorder,
  turn: string,
  text: string,
  given: { readonly follows: string | null; readonly queued_id?: string },
): void {
  record.add(turn, 'message_submitted', {
    message_id: `m-${turn}`,
    text,
    attachments: [],
    mentions: [],
    ...given,
  });
}

function done(record: Recorder, turn: string, text: string): void {
  response(record, turn, 1, text, []);
  record.add(turn, 'turn_finished', { outcome: 'completed', error: null, duration_ms: 4200 });
}

/** Versions of a message, a steered one, a compaction, a changed definition, a turn that was gone on from. */
export function branchedSession(): Recorder {
  const record = recorder('s5', new Date(Date.now() - 4_000_000));
  created(record, 'Rename invoices by month', 0);
  message(record, 't1', 'Rename the invoices of 2025 by month.', { follows: null });
  done(record, 't1', 'There are 48 invoices. I would name them `2025-01 Printer.pdf` and so on.');
  message(record, 't2', 'Do it for January only.', { follows: 't1' });
  done(record, 't2', 'Done for January: four files.');
  message(record, 't2b', 'Do it for January and February, and keep the old names in brackets.', {
    follows: 't1',
  });
  record.add('t2b', 'definition_changed', {
    qualified_name: 'files.move_file',
    before_pin: hex('before'),
    after_pin: hex('after'),
    changes: [
      {
        path: '/description',
        before: 'Moves one file inside the workspace.',
        after: 'Moves one file inside the workspace, and replaces what is there.',
      },
      { path: '/input_schema/properties/overwrite/default', before: false, after: true },
      { path: '/annotations/destructiveHint', after: true },
    ],
  });
  const list = call('c1', 'files.list', { path: 'Invoices/2025' });
  response(record, 't2b', 1, 'I’ll look at both months.', [list], 'Brackets keep the history readable.');
  start(record, 't2b', list);
  finish(record, 't2b', list, { outcome: 'completed', result: { text: 'nine files' } });
  record.add('t2b', 'message_queued', {
    queued_id: 'q0',
    text: 'Leave out the cancelled ones.',
    attachments: [],
    mentions: [],
    delivery: 'this_turn',
  });
  record.add('t2b', 'message_steered', {
    message_id: 'm-steer',
    queued_id: 'q0',
    text: 'Leave out the cancelled ones.',
    attachments: [],
    mentions: ['Invoices/cancelled.txt'],
    attempt: 2,
  });
  record.add('t2b', 'context_compacted', {
    compaction_id: 'k1',
    attempt: 2,
    model,
    summary:
      'The person wants the invoices of 2025 renamed by month. January was tried once.\n\nRules so far: old names stay in brackets; cancelled invoices are left out.',
    by: 'model',
    summarised_to_seq: 4,
    shortened_to_seq: 8,
    tokens_before: 91_400,
    tokens_after: 12_800,
    usage: { input_tokens: 91_400, output_tokens: 700 },
  });
  record.add('t2b', 'attempt_started', { attempt: 2, model });
  record.add('t2b', 'text_saved', {
    attempt: 2,
    channel: 'text',
    offset: 0,
    text: 'Seven of the nine are left. I begin with January: ',
  });
  record.add('t2b', 'turn_finished', { outcome: 'interrupted', error: null });
  record.add('t3', 'turn_retried', { follows: 't2b' });
  record.add('t3', 'pause_started', { pause_id: 'p0', kind: 'turns', used: 4, limit: 3 });
  record.add('t3', 'pause_ended', { pause_id: 'p0', outcome: 'continued', by: 'person' });
  response(record, 't3', 1, 'Seven files are renamed; the two cancelled ones stay as they were.', []);
  record.add('t3', 'turn_finished', {
    outcome: 'failed',
    error: { code: 'model_overloaded', message: 'Anthropic answered 529 four times. Try again later.' },
  });
  for (const [index, text] of ['And March, the same way.', 'Then tell me what is left.'].entries()) {
    record.add(null, 'message_queued', {
      queued_id: `q${index + 1}`,
      text,
      attachments:
        index === 1 ? [{ name: 'list.txt', media_type: 'text/plain', bytes: 900, digest: hex('list') }] : [],
      mentions: [],
      delivery: 'next_turn',
    });
  }
  return record;
}

/** A running turn that stands at a limit, with messages that wait behind it. */
export function pausedSession(): Recorder {
  const record = recorder('s1', new Date(Date.now() - 1_300_000));
  created(record, 'Fix the failing date test in the shop', 1);
  record.add(null, 'session_limits_changed', {
    limits: { tokens: 20_000, cost_usd: 0.01, turns: null, minutes: 30 },
  });
  beginTurn(record, 't1', 'The date test fails on the last day of the month. Find out why.');
  record.add('t1', 'turn_started', {
    model,
    sees_images: true,
    mode: 'ask',
    bundle_digest: hex('t1'),
    tools: [],
    context_window: 200_000,
    price: { input: 3, output: 15 },
  });
  const read = call('c1', 'files.read', { path: 'tests/date.test.ts' });
  response(record, 't1', 1, 'I read the test first.', [read]);
  start(record, 't1', read);
  finish(record, 't1', read, { outcome: 'completed', result: { text: 'expect(daysLeft(date)).toBe(0)' } });
  record.add('t1', 'message_queued', {
    queued_id: 'q1',
    text: 'When you have found it, look whether the invoice test has the same mistake. '.repeat(4),
    attachments: [],
    mentions: [],
    delivery: 'next_turn',
  });
  record.add('t1', 'message_queued', {
    queued_id: 'q2',
    text: 'The time zone of the server is UTC.',
    attachments: [],
    mentions: [],
    delivery: 'this_turn',
  });
  record.add('t1', 'pause_started', { pause_id: 'p1', kind: 'tokens', used: 20_412, limit: 20_000 });
  return record;
}

const secrets: GuardrailFact = {
  guardrail: 'secret_redaction',
  stage: 'output',
  action: 'transformed',
  findings: [
    { kind: 'private_key', count: 1, digests: [hex('key')] },
    { kind: 'github_token', count: 3, digests: [hex('one'), hex('two')] },
  ],
  note: '',
};

/** Calls of unknown outcome, guardrails, and every state of arguments. */
export function uncertainSession(): Recorder {
  const record = recorder('s6', new Date(Date.now() - 9_000_000));
  created(record, 'Import the price list', 1);
  beginTurn(record, 't1', 'Import the new price list into the shop.');
  const calls = [
    call('c1', 'files.read', { path: 'prices/.env' }),
    call('c2', 'shop.sign_in', { user: 'mara', password: 'hidden' }),
    call('c3', 'shop.write_note', { text: 'Prices of spring\u200B', tags: ['a', 'b'], keep: true }),
    call('c4', 'shop.delete_all', { list: 'prices' }),
    call('c5', 'shop.import_prices', { file: 'prices/spring.csv', rows: 412 }),
    call('c6', 'shop.publish', { list: 'spring' }),
    call('c7', 'shop.notify', { to: '#shop' }),
  ] as const;
  response(record, 't1', 1, 'I sign in, import the file, and publish it.', calls);
  const [env, signIn, note, remove, imports, publish, notify] = calls;
  start(record, 't1', env);
  finish(record, 't1', env, {
    outcome: 'completed',
    result: {
      text: 'SHOP_KEY=[redacted private_key sha256:1b9c0d2e]\nGH=[redacted github_token sha256:77aa01bc]',
    },
    guardrails: [
      secrets,
      {
        guardrail: 'hidden_characters',
        stage: 'output',
        action: 'transformed',
        findings: [
          { kind: 'zero_width', count: 1, replaced: 0 },
          { kind: 'bidi_control', count: 3, replaced: 1 },
          { kind: 'tag_characters', count: 3, replaced: 3 },
        ],
        note: '',
      },
    ],
  });
  const withheld: GuardrailFact = {
    guardrail: 'secret_redaction',
    stage: 'input',
    action: 'withheld',
    findings: [{ kind: 'secret_value', count: 1 }],
    note: '',
  };
  start(record, 't1', signIn, {
    arguments: null,
    withheld_digest: hex('sign in'),
    guardrails: [withheld],
  });
  finish(record, 't1', signIn, { outcome: 'completed', result: { text: 'Signed in.' } });
  const swept: GuardrailFact = {
    guardrail: 'hidden_characters',
    stage: 'input',
    action: 'transformed',
    findings: [{ kind: 'zero_width', count: 1 }],
    note: '',
  };
  start(record, 't1', note, {
    arguments: { text: 'Prices of spring', tags: ['a', 'b'], keep: true },
    guardrails: [swept],
  });
  finish(record, 't1', note, { outcome: 'completed', result: { text: 'Saved.' } });
  finish(record, 't1', remove, {
    outcome: 'rejected',
    duration_ms: null,
    error: { code: 'guardrail_blocked', message: '"no_deletes" blocked shop.delete_all. Nothing was sent.' },
    guardrails: [
      {
        guardrail: 'no_deletes',
        stage: 'input',
        action: 'blocked',
        findings: [],
        note: 'Lists are never deleted as a whole.',
      },
    ],
  });
  for (const one of [imports, publish]) {
    start(record, 't1', one);
    finish(record, 't1', one, {
      outcome: 'outcome_unknown',
      duration_ms: 75_000,
      error: { code: 'tool_timed_out', message: `${one.name} gave no answer within 75 s.` },
    });
  }
  start(record, 't1', notify, { arguments: undefined as never });
  finish(record, 't1', notify, { outcome: 'outcome_unknown', duration_ms: 300 });
  record.add('t1', 'call_settled', {
    call_id: 'c6',
    settlement: 'did_not_happen',
    note: 'The list is still a draft.',
  });
  record.add('t1', 'turn_finished', {
    outcome: 'failed',
    error: { code: 'outcome_unknown', message: 'Nobody knows whether shop.import_prices took effect.' },
  });
  record.add('t2', 'call_rerun', {
    follows: 't1',
    of: { turn_id: 't1', call_id: 'c7' },
    call: { call_id: 'c8', name: 'shop__notify', qualified_name: 'shop.notify', arguments: { to: '#shop' } },
  });
  ask(record, 't2', 'a9', call('c8', 'shop.notify', { to: '#shop' }), {
    reason: 'definition_changed',
    guardrails: [{ ...withheld, action: 'passed', findings: [{ kind: 'jwt', count: 1 }] }],
  });
  record.add('t2', 'definition_changed', {
    qualified_name: 'shop.notify',
    before_pin: hex('n1'),
    after_pin: hex('n2'),
    changes: [{ path: '/description', before: 'Writes to a channel.', after: 'Writes to every channel.' }],
  });
  return record;
}

export const screenshot: ImageReference = {
  image_id: 'i1',
  media_type: 'image/png',
  bytes: 48_211,
  digest: hex('picture'),
  width: 1280,
  height: 800,
};

const pinOf = (name: string): string => tools.find((tool) => tool.qualified_name === name)?.pin ?? '';

/** A picture that lives, and live facts of tools. */
export function pictureSession(): Recorder {
  const record = recorder('s8', new Date(Date.now() - 30_000_000));
  created(record, 'Sort photos by year', 0);
  record.add(null, 'session_limits_changed', { limits: { tokens: 180_000, cost_usd: 0.01 } });
  for (const [index, name] of ['files.list', 'files.move_file'].entries()) {
    record.add('t1', 'grant_made', {
      grant_id: `g${index}`,
      scope: 'session',
      coworker_id: 'file-organizer',
      qualified_name: name,
      pin: index === 0 ? pinOf(name) : hex('as it was'),
      approval_id: `a${index}`,
    });
  }
  beginTurn(record, 't1', 'What does the photo window show?');
  record.add('t1', 'turn_started', {
    model,
    sees_images: true,
    mode: 'ask',
    bundle_digest: hex('t1'),
    tools,
    context_window: 200_000,
    price: null,
    effort: 'high',
  });
  const capture = call('c1', 'screen.capture', { window: 'Photos' });
  response(record, 't1', 1, 'I take a picture of the window.', [capture]);
  start(record, 't1', capture);
  finish(record, 't1', capture, {
    outcome: 'completed',
    result: { text: 'A picture of the window "Photos".', image: screenshot },
  });
  record.add('t1', 'attempt_started', { attempt: 2, model, image_id: screenshot.image_id });
  record.add('t1', 'assistant_message', {
    message_id: 'a2',
    attempt: 2,
    text: 'It shows 214 photos of three years.',
    reasoning: '',
    calls: [],
    finish_reason: 'stop',
    usage: { input_tokens: 171_200, output_tokens: 312, cached_input_tokens: 90_000 },
    partial: false,
  });
  record.add('t1', 'turn_finished', { outcome: 'completed', error: null, duration_ms: 64_000 });
  return record;
}

export const liveFacts: Signal = {
  type: 'model_context',
  turn_id: 't1',
  attempt: 2,
  bytes: 3912,
  facts: [
    {
      qualified_name: 'screen.capture',
      state: 'included',
      bytes: 3670,
      facts: { window: 'Photos', access_until: '10:42', size: { width: 1280, height: 800 } },
    },
    { qualified_name: 'files.list', state: 'included', bytes: 242, facts: { folder: 'Photos', files: 214 } },
    { qualified_name: 'notes.recent_changes_of_the_whole_team', state: 'too_large', bytes: 9120 },
    { qualified_name: 'calendar.today', state: 'threw', bytes: 0 },
  ],
};

/** Whose identity is no longer this app's. */
export function formerSession(): Recorder {
  const record = recorder('s10', new Date(Date.now() - 900_000_000));
  created(record, 'Weekly cleanup number 10', 0);
  beginTurn(record, 't1', 'Clean up.');
  done(record, 't1', 'Everything is where it belongs.');
  return record;
}

/** So long that it comes in pages. */
export function manyTurns(): Recorder {
  const record = recorder('s11', new Date(Date.now() - 950_000_000));
  created(record, 'Weekly cleanup number 11', 1);
  for (let index = 1; index <= 400; index += 1) {
    const turn = `t${index}`;
    beginTurn(record, turn, `Question ${index} about the week`);
    done(record, turn, `Answer ${index}. ${'It is in order. '.repeat(index % 9)}`);
  }
  return record;
}
