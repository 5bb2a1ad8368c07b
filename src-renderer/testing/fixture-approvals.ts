import type {
  ApprovalRequested,
  DefinitionChange,
  FileChange,
  GrantEntry,
  JsonObject,
  RequestReading,
  ScopePreview,
  SessionSummary,
} from '../../src-preload/contract';
import { hex, recorder, type Recorder } from './fixture-data';
import { ask, beginTurn, call, created, response, type Call } from './fixture-sessions';

/** One session with requests that wait, and what the list and main say of it. */
interface Scene {
  readonly record: Recorder;
  readonly summary: Partial<SessionSummary>;
  readonly readings: Readonly<Record<string, RequestReading>>;
}

const plain: RequestReading = { shape: { type: 'plain' }, suggestions: [], schema: null };

interface Request {
  readonly call: Call;
  readonly given: Partial<ApprovalRequested>;
  readonly reading?: RequestReading;
}

function scene(
  id: string,
  title: string,
  text: string,
  requests: readonly Request[],
  before?: (record: Recorder) => void,
): Scene {
  const record = recorder(id, new Date(Date.now() - 300_000));
  created(record, title, 0);
  beginTurn(record, 't1', text);
  before?.(record);
  response(
    record,
    't1',
    1,
    'This is what I would do next.',
    requests.map((one) => one.call),
  );
  const readings: Record<string, RequestReading> = {};
  for (const [index, request] of requests.entries()) {
    const approval = `${id}-a${index + 1}`;
    ask(record, 't1', approval, request.call, request.given);
    readings[approval] = request.reading ?? plain;
  }
  const waiting = Object.keys(readings);
  return { record, summary: { title, state: 'needs_you', waiting, open_turn: 't1' }, readings };
}

const processFacts = {
  classification: 'exec',
  placement: 'host_process',
  presentation: 'command',
  origin: { kind: 'native' },
} as const;

const processSchema: JsonObject = {
  type: 'object',
  required: ['command'],
  properties: {
    command: { type: 'string', title: 'Command', description: 'The command line.' },
    timeout_s: { type: 'integer', minimum: 1, maximum: 600, default: 60 },
  },
};

const testCommand = 'cd shop && NODE_ENV=test npx vitest run dates 2>&1 | tee "test output.log"';

const commandReading: RequestReading = {
  shape: {
    type: 'command',
    folder: '/home/mara/code/shop',
    reading: {
      type: 'read',
      text: testCommand,
      segments: [
        { words: ['cd', 'shop'], assignments: [], redirections: [], connector: 'first', via: [] },
        {
          words: ['vitest', 'run', 'dates'],
          assignments: [{ name: 'NODE_ENV', value: 'test' }],
          redirections: [{ operator: '2>&', target: '1' }],
          connector: 'and',
          via: ['npx'],
        },
        {
          words: ['tee', 'test output.log'],
          assignments: [],
          redirections: [{ operator: '>', target: 'test output.log' }],
          connector: 'pipe',
          via: [],
        },
      ],
    },
  },
  suggestions: [
    [{ type: 'command', words: ['npm'] }],
    [{ type: 'command', words: ['npm', 'test'] }],
    [{ type: 'exact', at: '/command', value: testCommand }],
  ],
  schema: processSchema,
};

const unread = "echo $[ x='a[$(touch F)]', x ]\u200B && make";

const uninspectable: RequestReading = {
  shape: {
    type: 'command',
    folder: '/home/mara/code/shop',
    reading: {
      type: 'uninspectable',
      text: unread,
      reason: 'it calculates with a text that can itself run a command.',
      at: [5, 31],
    },
  },
  suggestions: [],
  schema: processSchema,
};

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `// Line ${from + at} stays as it is.\n`).join('');

const former = `${lines(1, 9)}export function toDay(date: Date): string {
  return date.toLocaleDateString();
}
${lines(13, 40)}export const days = ['Monday', 'Tuesday'];
export const week = 7;
`;
const latter = `${lines(1, 9)}export function toDay(date: Date): string {
  // ISO day in UTC, so that it is the same everywhere
  return date.toISOString().slice(0, 10);
}
${lines(13, 40)}export const days = ['Monday', 'Tuesday', 'Wednesday'];
export const week = 7;`;

const changes: readonly FileChange[] = [
  {
    path: 'src/dates.ts',
    real_path: '/home/mara/code/shop/src/dates.ts',
    before: former,
    after: latter,
    state: 'changed',
  },
  {
    path: 'src/week.md',
    real_path: '/home/mara/code/shop/src/week.md',
    before: null,
    after: '# Week\n\nSeven days.\n',
    state: 'new',
  },
  {
    path: 'assets/logo.png',
    real_path: '/mnt/share/logo.png',
    before: null,
    after: null,
    state: 'not_text',
  },
  { path: 'old/notes.txt', real_path: null, before: 'Old.\n', after: null, state: 'deleted' },
  { path: 'src/shop.ts', real_path: null, before: null, after: null, state: 'does_not_fit' },
];

const changedFields: readonly DefinitionChange[] = [
  {
    path: '/description',
    before: 'Opens a ticket.',
    after: 'Opens a ticket, and attaches the files that are named in “context”.',
  },
  { path: '/input_schema/properties/context', after: { type: 'array', items: { type: 'string' } } },
];

const ticket = {
  classification: 'external',
  placement: 'remote',
  origin: { kind: 'mcp', server: 'company' },
} as const;

function ticketScene(): Scene {
  const one = call('c1', 'company.create_ticket', {
    project: 'SHOP',
    title: 'Dates are wrong',
    context: ['src/dates.ts'],
  });
  const reading: RequestReading = {
    ...plain,
    suggestions: [[{ type: 'exact', at: '/project', value: 'SHOP' }]],
  };
  const given = {
    ...ticket,
    presentation: 'message',
    reason: 'definition_changed',
    grant_id: 'g-ticket',
  } as const;
  return scene(
    's15',
    'Report the bug to the company',
    'Open a ticket.',
    [{ call: one, given, reading }],
    (record) =>
      record.add('t1', 'definition_changed', {
        qualified_name: 'company.create_ticket',
        before_pin: hex('before'),
        after_pin: hex('company.create_ticket'),
        changes: changedFields,
      }),
  );
}

/** More requests than anyone wants to see. */
function floodScene(): Scene {
  const moves = Array.from({ length: 500 }, (_, at): Request => {
    const name = `photo-${at}.jpg`;
    return {
      call: call(`c${at}`, 'files.move_file', { source: name, destination: `Photos/${at % 5}/${name}` }),
      given: {},
    };
  });
  return scene('s19', 'Move five hundred photos', 'Sort the photos.', moves);
}

function manyScene(): Scene {
  const moves = Array.from({ length: 40 }, (_, at): Request => {
    const name = `invoice-${String(at + 1).padStart(2, '0')}.pdf`;
    const folder = at % 3 === 0 ? 'Invoices/2026' : at % 3 === 1 ? 'Invoices/2025' : 'Archive';
    return {
      call: call(`c${at}`, 'files.move_file', { source: name, destination: `${folder}/${name}` }),
      given: {},
    };
  });
  const post: Request = {
    call: call('p1', 'chat.post', { to: '#shop', text: 'The invoices are sorted.\u202E' }),
    given: { ...ticket, presentation: 'message', origin: { kind: 'mcp', server: 'chat' } },
  };
  return scene('s16', 'Sort forty invoices', 'Sort the invoices by year.', [...moves, post]);
}

const echoSchema: JsonObject = {
  type: 'object',
  required: ['message'],
  additionalProperties: false,
  properties: {
    message: { type: 'string', title: 'Message', description: 'What is sent.', minLength: 3 },
    to: { type: 'string', title: 'To' },
    urgent: { type: 'boolean', title: 'Urgent' },
  },
};

const sent = {
  message: 'The dates are right again. Tests are green.',
  to: 'https://hooks.example/shop',
  urgent: false,
};

/** Requests of every kind, one session each. */
export function approvalScenes(): readonly Scene[] {
  const run = (command: string) => call('c1', 'coding.run_process', { command, timeout_s: 120 });
  const patch = call('c1', 'coding.apply_patch', {
    patch: `--- a/src/dates.ts\n+++ b/src/dates.ts\n${'@@ -9,3 +9,4 @@\n'.repeat(30)}`,
    dry_run: false,
  });
  return [
    scene('s13', 'Run the tests of the shop', 'Do the tests pass?', [
      {
        call: run(testCommand),
        given: { ...processFacts, reason: 'outside_grant', grant_id: 'g-lint' },
        reading: commandReading,
      },
    ]),
    scene('s14', 'Mend the date in the shop', 'Mend toDay.', [
      {
        call: patch,
        given: {
          classification: 'write',
          presentation: 'patch',
          placement: 'in_app',
          origin: { kind: 'native' },
        },
        reading: {
          shape: { type: 'files', changes },
          suggestions: [[{ type: 'folder', at: '/path', folder: 'src' }]],
          schema: null,
        },
      },
    ]),
    ticketScene(),
    manyScene(),
    floodScene(),
    scene('s17', 'Build it with make', 'Build it.', [
      { call: run(unread), given: { ...processFacts, reason: 'uninspectable' }, reading: uninspectable },
    ]),
    scene('s18', 'Tell the shop', 'Tell them that it works.', [
      {
        call: call('c1', 'everything.echo', sent),
        given: {},
        reading: {
          shape: { type: 'plain' },
          suggestions: [
            [{ type: 'host', at: '/to', host: 'hooks.example' }],
            [{ type: 'exact', at: '/to', value: 'https://hooks.example/shop' }],
          ],
          schema: echoSchema,
        },
      },
    ]),
  ];
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

export const fixtureGrants = (): readonly GrantEntry[] => [
  {
    grant: {
      grant_id: 'g-ticket',
      scope: 'coworker',
      coworker_id: 'file-organizer',
      qualified_name: 'company.create_ticket',
      pin: hex('before'),
      approval_id: 'a0',
      pattern: [{ type: 'exact', at: '/project', value: 'SHOP' }],
      expires_at: null,
      session_id: 's2',
    },
    made_at: daysAgo(19),
    uses: 4,
    last_used_at: daysAgo(2),
    ended: null,
  },
  {
    grant: {
      grant_id: 'g-lint',
      scope: 'coworker',
      coworker_id: 'file-organizer',
      qualified_name: 'coding.run_process',
      pin: hex('coding.run_process'),
      approval_id: 'a0',
      pattern: [{ type: 'command', words: ['npm', 'run', 'lint'] }],
      expires_at: new Date(Date.now() + 12 * 86_400_000).toISOString(),
      session_id: 's2',
    },
    made_at: daysAgo(30),
    uses: 31,
    last_used_at: daysAgo(1),
    ended: null,
  },
];

/** What a wider scope would have covered; the wider, the more. */
export function fixturePreview(scope: string, pattern: readonly unknown[], exec: boolean): ScopePreview {
  const calls = scope === 'session' ? 3 : 14;
  const covered = pattern.length === 0 ? calls : scope === 'session' ? 1 : 12;
  const example = (at: number, args: JsonObject, isCovered: boolean) => ({
    session_id: 's2',
    session_title: 'Summary of Monday’s call',
    turn_id: 't1',
    call_id: `c${at}`,
    at: daysAgo(at + 1),
    arguments: args,
    covered: isCovered,
  });
  const mine = exec
    ? { command: 'npx vitest run dates' }
    : { message: 'Hello', to: 'https://hooks.example/shop' };
  const other = exec
    ? { command: `rm -rf build ${'and a rather long list of folders '.repeat(6)}` }
    : { message: 'Prices', to: 'https://elsewhere.example/in' };
  return {
    calls,
    covered,
    more: scope === 'coworker',
    examples: [
      example(0, mine, true),
      example(1, mine, true),
      ...(pattern.length === 0 ? [] : [example(2, other, false)]),
    ],
    warning: pattern.length > 0 ? null : exec ? 'exec_without_pattern' : 'external_without_pattern',
  };
}
