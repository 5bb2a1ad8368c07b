import type {
  ApprovalRequested,
  JsonObject,
  Outcome,
  SessionCreated,
  ToolFinished,
  ToolStarted,
} from '../../src-preload/contract';
import { coworkers, hex, identity, recorder, tools, type Recorder } from './fixture-data';

const model = { provider: 'anthropic', name: 'claude-sonnet-4-5' };

export function created(
  record: Recorder,
  title: string,
  at: number,
  given = model,
  mode: 'ask' | 'bypass' = 'ask',
  more: Partial<SessionCreated> = { identity },
) {
  const coworker = coworkers[at % 2] ?? coworkers[0];
  record.add(null, 'session_created', {
    title,
    coworker: {
      id: coworker?.id ?? '',
      name: coworker?.name ?? '',
      tagline: coworker?.tagline ?? '',
      icon: coworker?.icon ?? '',
      version: coworker?.version ?? '',
      bundle_digest: hex(title),
    },
    workspace: '/home/mara/Downloads',
    model: given,
    mode,
    app_version: '0.1.0',
    ...more,
  });
}

export function beginTurn(record: Recorder, turn: string, text: string, given = model): void {
  record.add(turn, 'message_submitted', { message_id: `m-${turn}`, text, attachments: [], mentions: [] });
  record.add(turn, 'turn_started', {
    model: given,
    sees_images: true,
    mode: 'ask',
    bundle_digest: hex(turn),
    tools,
  });
}

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

export const call = (id: string, name: string, given: JsonObject): Call => ({ id, name, arguments: given });

export function response(
  record: Recorder,
  turn: string,
  attempt: number,
  text: string,
  calls: readonly Call[],
  reasoning = '',
): void {
  record.add(turn, 'attempt_started', { attempt, model });
  record.add(turn, 'assistant_message', {
    message_id: `a-${turn}-${attempt}`,
    attempt,
    text,
    reasoning,
    calls: calls.map((call) => ({
      call_id: call.id,
      name: call.name.replaceAll('.', '__'),
      qualified_name: call.name,
      arguments: call.arguments,
    })),
    finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
    usage: { input_tokens: 2140 + attempt * 100, output_tokens: 312 },
    partial: false,
  });
}

const names = (call: Call) => ({
  call_id: call.id,
  name: call.name.replaceAll('.', '__'),
  qualified_name: call.name,
  model_alias: call.name.replaceAll('.', '__'),
});

function factsOf(call: Call) {
  const tool = tools.find((known) => known.qualified_name === call.name);
  return {
    classification: tool?.classification ?? ('external' as const),
    placement: tool?.placement ?? ('host_process' as const),
    presentation: tool?.presentation ?? ('plain' as const),
    origin: tool?.origin ?? ({ kind: 'mcp', server: call.name.split('.')[0] ?? '' } as const),
  };
}

export function start(record: Recorder, turn: string, call: Call, given: Partial<ToolStarted> = {}): void {
  record.add(turn, 'tool_started', {
    ...names(call),
    ...factsOf(call),
    arguments: call.arguments,
    rule: { rule: 'classification_read' },
    ...given,
  });
}

export function finish(
  record: Recorder,
  turn: string,
  call: Call,
  given: Partial<ToolFinished> & { outcome: Outcome },
): void {
  record.add(turn, 'tool_finished', {
    ...names(call),
    duration_ms: 120,
    result: null,
    error: null,
    progress: [],
    ...given,
  });
}

export function ask(
  record: Recorder,
  turn: string,
  approval: string,
  call: Call,
  given: Partial<ApprovalRequested> = {},
): void {
  record.add(turn, 'approval_requested', {
    ...names(call),
    ...factsOf(call),
    approval_id: approval,
    arguments: call.arguments,
    arguments_digest: hex(approval),
    pin: hex(call.name),
    reason: 'not_read_only',
    ...given,
  });
}

/** Running calls, two requests that wait, one of them hostile. */
export function waitingSession(): Recorder {
  const record = recorder('s0', new Date(Date.now() - 600_000));
  created(record, 'Tidy the downloads folder', 0);
  beginTurn(
    record,
    't1',
    'Sort everything in Downloads by kind. Keep the installers from this week where they are.',
  );
  const calls = [
    call('c1', 'files.list', { path: 'Downloads' }),
    call('c2', 'files.read', { path: 'README-first.txt' }),
    call('c3', 'exif.read_dates', { folder: 'photos' }),
    call('c4', 'files.move_file', {
      source: 'offer-march.pdf',
      destination: 'Documents/2026/offer-march.pdf',
    }),
    call('c5', 'everything.echo', {
      message: 'Notes of today’s call: decisions, owners, dates. See notes\u202Efdp.exe',
      to: '#planning',
    }),
  ];
  response(
    record,
    't1',
    1,
    'I’ll look at what is there first, then propose the moves before anything changes.',
    calls,
    'The person wants order by kind. First a listing.',
  );
  const [list, read, exif, move, echo] = calls as [Call, Call, Call, Call, Call];
  start(record, 't1', list);
  finish(record, 't1', list, {
    outcome: 'completed',
    result: {
      text: 'three files',
      structured: {
        files: [
          { name: 'offer-march.pdf', bytes: 120_400, modified: '2026-03-02' },
          { name: 'contract (2).pdf', bytes: 88_210, modified: '2026-01-14' },
          { name: 'tax-letter.pdf', bytes: 45_002, modified: '2025-11-30' },
        ],
      },
    },
  });
  start(record, 't1', read);
  finish(record, 't1', read, {
    outcome: 'completed',
    duration_ms: 31,
    result: { text: 'Read me first.\nThe installers of this week stay.' },
  });
  start(record, 't1', exif);
  ask(record, 't1', 'a1', move);
  ask(record, 't1', 'a2', echo, {
    guardrails: [
      {
        guardrail: 'hidden_characters',
        stage: 'input',
        action: 'passed',
        findings: [{ kind: 'bidi_control', count: 1 }],
        note: '',
      },
    ],
  });
  ask(record, 't1', 'a3', call('c6', 'shop.sign_in', { user: 'mara' }), {
    arguments: null,
    guardrails: [
      {
        guardrail: 'secret_redaction',
        stage: 'input',
        action: 'withheld',
        findings: [{ kind: 'secret_value', count: 1 }],
        note: '',
      },
    ],
  });
  return record;
}

const outcomes: readonly Outcome[] = [
  'completed',
  'failed',
  'rejected',
  'denied',
  'expired',
  'cancelled',
  'cancelled_may_have_run',
  'outcome_unknown',
];

function longAnswer(): string {
  const parts = [
    '# Summary of Monday’s call\n\nThree decisions, with owners. See [the notes](https://notes.example/2026/11) and <script>alert(1)</script> nothing else.',
    '![chart](https://tracker.example/pixel.png)\n\n[bad](javascript:alert(1)) and [file](file:///etc/passwd) are dead.',
    '| Decision | Owner | Until |\n|---|---|---|\n| Move the shop to the new dates | Mara | 12 December |\n| Freeze the price list | Ilse | 1 December |\n| Ask the printer for an offer | Tom | – |',
    '```ts\nexport function toDay(date: Date): string {\n  // ISO day in UTC, so that it is the same everywhere\n  return date.toISOString().slice(0, 10);\n}\n```',
    '- [x] Notes sent\n- [ ] Printer asked\n\n> The price list stays as it is until the freeze is over.\n\nInline `code` and ~~struck~~ **bold** *soft*.',
  ];
  for (let index = 1; index <= 60; index += 1) {
    parts.push(
      `## Point ${index}\n\nSomeone said something about point ${index}, and the others agreed after a while.\n\n1. First\n2. Second`,
    );
  }
  return parts.join('\n\n');
}

/** A long answer, twenty rows in every state, files and pictures. */
export function longSession(): Recorder {
  const record = recorder('s2', new Date(Date.now() - 7_200_000));
  created(record, 'Summary of Monday’s call', 0);
  beginTurn(record, 't1', 'What can you see?');
  const calls = Array.from({ length: 20 }, (_, index) =>
    call(
      `c${index}`,
      index % 3 === 0 ? 'files.read' : index % 3 === 1 ? 'files.list' : 'everything.get-sum',
      {
        path: `folder/file-${index}.txt`,
        a: index,
        nested: { list: [1, 2, { deep: 'value\u200B with zero width' }] },
      },
    ),
  );
  response(record, 't1', 1, 'Twenty steps at once.', calls);
  calls.forEach((one, index) => {
    const outcome = outcomes[index % outcomes.length] ?? 'completed';
    if (!['rejected', 'denied', 'expired', 'cancelled'].includes(outcome)) start(record, 't1', one);
    finish(record, 't1', one, {
      outcome,
      duration_ms: outcome === 'denied' ? null : index * 431,
      result: outcome === 'completed' ? { text: `${'A long line of output. '.repeat(3000)}end` } : null,
      error:
        outcome === 'failed'
          ? { code: 'tool_failed', message: 'The file "x" is not there. Choose another.' }
          : null,
      progress: [{ index: 0, message: 'half way', fraction: 0.5 }],
    });
  });
  response(record, 't1', 2, longAnswer(), []);
  record.add('t1', 'turn_finished', { outcome: 'completed', error: null });
  beginTurn(record, 't2', 'Thank you. And now briefly?');
  response(record, 't2', 1, 'Dates move, prices freeze, the printer is asked.', []);
  record.add('t2', 'turn_finished', { outcome: 'completed', error: null });
  return record;
}

/** The person plays the model. */
export function practiceSession(): Recorder {
  const record = recorder('s3', new Date(Date.now() - 60_000));
  const practice = { provider: 'practice', name: 'practice' };
  created(record, 'Practice with the everything server', 1, practice);
  beginTurn(record, 't1', 'Say hello through the server.', practice);
  record.add('t1', 'attempt_started', { attempt: 1, model: practice });
  return record;
}

/** Failures, retries, a stop and an interruption. */
export function failedSession(): Recorder {
  const record = recorder('s4', new Date(Date.now() - 90_000));
  created(record, 'Broken stream and retries', 0, model, 'bypass');
  beginTurn(record, 't1', 'Try this.');
  for (const attempt of [1, 2]) {
    record.add('t1', 'attempt_started', { attempt, model });
    record.add('t1', 'attempt_failed', {
      attempt,
      error: {
        code: attempt === 1 ? 'model_rate_limited' : 'model_stream_cut',
        message: 'Anthropic answered 429 and asks to wait 2 s. Nothing was run.',
      },
      partial_text: attempt === 2 ? 'Half an ans' : '',
      retry_in_ms: attempt === 1 ? 2000 : null,
    });
  }
  record.add('t1', 'turn_finished', {
    outcome: 'failed',
    error: {
      code: 'model_stream_cut',
      message: 'The stream of Anthropic broke off twice. Check the network.',
    },
  });
  record.add('t2', 'message_submitted', {
    message_id: 'm-t2',
    text: 'Again, with this?',
    attachments: [{ name: 'holiday.png', media_type: 'image/png', bytes: 2048, digest: hex('picture') }],
    mentions: [],
  });
  record.add('t2', 'turn_started', {
    model,
    sees_images: false,
    mode: 'ask',
    bundle_digest: hex('t2'),
    tools,
  });
  response(record, 't2', 1, 'Yes, this', []);
  record.add('t2', 'turn_finished', { outcome: 'stopped', error: null });
  beginTurn(record, 't3', 'And again?');
  record.add('t3', 'attempt_started', { attempt: 1, model });
  record.add('t3', 'turn_finished', { outcome: 'interrupted', error: null });
  return record;
}
