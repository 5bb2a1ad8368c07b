import {
  efforts,
  type CoworkerCard,
  type ExecutionIdentity,
  type ProviderStatus,
  type ServerStatus,
  type SessionEvent,
  type SessionEventData,
  type SessionEventType,
  type SessionState,
  type SessionSummary,
  type ToolDefinition,
} from '../../src-preload/contract';
import { madeSummary } from './made-summary';

export const hex = (seed: string): string => {
  let text = '';
  for (let index = 0; text.length < 64; index += 1) {
    const code = seed.charCodeAt(index % seed.length) + index * 7;
    text += (code % 16).toString(16);
  }
  return text;
};

export const identity: ExecutionIdentity = {
  digest: hex('identity'),
  parts: {
    bundle: hex('bundle'),
    policies: hex('policies'),
    registry: hex('registry'),
    native: hex('native'),
    app: hex('app'),
  },
};

export const coworkers: readonly CoworkerCard[] = [
  {
    id: 'file-organizer',
    name: 'File Organizer',
    tagline: 'Sorts a folder by plan, never deletes',
    description:
      'Looks at a folder, proposes where each file should go, and moves the files once you agree. It never deletes anything.',
    icon: 'folder',
    version: '1.3.0',
    default_mode: 'ask',
    recommended_models: ['claude-sonnet', 'gpt-5'],
    tools: ['files.list', 'files.read', 'files.move_file'],
    skills: ['naming-scheme', 'photo-dates'],
    source: 'shipped',
    problems: [],
  },
  {
    id: 'everything-guide',
    name: 'Everything Guide',
    tagline: 'Shows what the everything server can do',
    description: 'Walks through the tools of the reference MCP server, one after the other.',
    icon: 'compass',
    version: '0.9.2',
    default_mode: 'ask',
    recommended_models: [],
    tools: ['everything.echo', 'everything.get-sum', 'everything.trigger-long-running-operation'],
    skills: [],
    source: 'shipped',
    problems: [],
  },
  {
    id: 'meeting-notes',
    name: 'Meeting Notes',
    tagline: 'Turns a call into decisions and owners',
    description: 'Writes the notes of a call.',
    icon: 'pencil',
    version: '0.1.0',
    default_mode: 'read_only',
    recommended_models: [],
    tools: ['chat.post'],
    skills: [],
    source: 'folder',
    problems: [
      {
        code: 'tool_missing',
        message:
          'Tool "chat.post" is not registered. Add a server named "chat" to servers.json, or remove the tool.',
        file: 'coworker/tools.json',
        line: 4,
        severity: 'error',
      },
    ],
  },
];

const provider = (
  given: Partial<ProviderStatus> & Pick<ProviderStatus, 'id' | 'kind' | 'label'>,
): ProviderStatus => ({
  base_url: null,
  state: 'needs_key',
  error: null,
  key: 'none',
  models: [],
  ...given,
});

const model = (name: string) => ({
  name,
  label: name,
  sees_images: true,
  efforts: name.startsWith('claude') ? efforts : [],
});

export const providers: readonly ProviderStatus[] = [
  provider({
    id: 'practice',
    kind: 'practice',
    label: 'Practice',
    state: 'ready',
    key: 'not_needed',
    models: [{ name: 'practice', label: 'Practice model', sees_images: false }],
  }),
  provider({
    id: 'anthropic',
    kind: 'anthropic',
    label: 'Anthropic',
    state: 'ready',
    key: 'keychain',
    models: [model('claude-sonnet-4-5'), model('claude-opus-4-5'), model('claude-haiku-4-5')],
  }),
  provider({ id: 'openai', kind: 'openai', label: 'OpenAI' }),
  provider({
    id: 'google',
    kind: 'google',
    label: 'Google',
    state: 'failed',
    key: 'keychain',
    error: {
      code: 'model_unauthorized',
      message: 'Google refused the key (403). Enter a key that is allowed to use the Gemini API.',
    },
  }),
  provider({
    id: 'ollama',
    kind: 'ollama',
    label: 'Ollama',
    base_url: 'http://127.0.0.1:11434',
    state: 'ready',
    key: 'not_needed',
    models: [model('llama3.3:70b'), model('qwen3:14b')],
  }),
  provider({
    id: 'lmstudio',
    kind: 'lmstudio',
    label: 'LM Studio',
    base_url: 'http://127.0.0.1:1234/v1',
    state: 'not_running',
    key: 'not_needed',
  }),
];

export const servers: readonly ServerStatus[] = [
  {
    name: 'everything',
    transport: 'stdio',
    placement: 'host',
    trust: null,
    restarts: 0,
    target: 'npx -y @modelcontextprotocol/server-everything@2026.8.31 stdio',
    state: 'ready',
    tools: 13,
    protocol_version: '2025-11-25',
    latency_ms: 212,
    error: null,
    skipped_lines: 2,
    log: ['Starting default (STDIO) server...', '\u001b[32mready\u001b[0m'],
  },
  {
    name: 'intranet',
    transport: 'streamable_http',
    placement: 'remote',
    trust: null,
    restarts: 0,
    target: 'https://intranet.example/mcp',
    state: 'failed',
    tools: null,
    protocol_version: null,
    latency_ms: null,
    error: {
      code: 'server_unavailable',
      message:
        'Server "intranet" at https://intranet.example/mcp did not answer within 10 s. Check the address in servers.json and your network.',
    },
    skipped_lines: 0,
    log: [],
  },
];

export const tools: readonly ToolDefinition[] = [
  {
    qualified_name: 'files.list',
    model_alias: 'files__list',
    description: 'What is in a folder, with sizes and dates.',
    classification: 'read',
    placement: 'in_app',
    presentation: 'plain',
    origin: { kind: 'native' },
    pin: hex('list'),
    input_schema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Folder, relative to the workspace.' } },
    },
  },
  {
    qualified_name: 'files.move_file',
    model_alias: 'files__move_file',
    description: 'Moves one file inside the workspace.',
    classification: 'write',
    placement: 'in_app',
    presentation: 'plain',
    origin: { kind: 'native' },
    pin: hex('move'),
    input_schema: {
      type: 'object',
      required: ['source', 'destination'],
      properties: {
        source: { type: 'string', description: 'The file to move.' },
        destination: { type: 'string', description: 'Where it goes, with its new name.' },
        overwrite: { type: 'boolean', default: false },
        tags: { type: 'array', items: { type: 'string' } },
        options: {
          type: 'object',
          properties: { depth: { type: 'integer' }, mode: { enum: ['fast', 'safe'] } },
        },
      },
    },
  },
  {
    qualified_name: 'everything.echo',
    model_alias: 'everything__echo',
    description: 'Echoes back the input.',
    classification: 'external',
    placement: 'host_process',
    presentation: 'message',
    origin: { kind: 'mcp', server: 'everything' },
    pin: hex('echo'),
    input_schema: {
      type: 'object',
      required: ['message'],
      properties: { message: { type: 'string', description: 'Message to echo' } },
    },
  },
];

const titles: readonly (readonly [string, SessionState])[] = [
  ['Tidy the downloads folder', 'needs_you'],
  ['Fix the failing date test in the shop', 'working'],
  ['Summary of Monday’s call', 'done'],
  ['Practice with the everything server', 'working'],
  ['Broken stream and retries', 'failed'],
  ['Rename invoices by month', 'done'],
  ['Import the price list', 'unknown'],
  ['Screenshots for the guide', 'idle'],
  ['Sort photos by year', 'interrupted'],
];

export function summaries(now: Date): SessionSummary[] {
  return Array.from({ length: 30 }, (_, index) => {
    const [title, state] = titles[index] ?? [`Weekly cleanup number ${index}`, 'done' as const];
    const coworker = coworkers[index % 2] ?? coworkers[0];
    const at = new Date(
      now.getTime() - (index < 4 ? index * 600_000 : (index - 3) * 17 * 3_600_000),
    ).toISOString();
    return madeSummary({
      session_id: `s${index}`,
      title,
      coworker_id: coworker?.id ?? '',
      coworker_name: coworker?.name ?? '',
      coworker_icon: coworker?.icon ?? '',
      workspace: '/home/mara/Downloads',
      state,
      waiting: state === 'needs_you' ? ['a1', 'a2'] : [],
      archived: index > 27,
      created_at: at,
      updated_at: at,
      last_seq: 1,
    });
  });
}

/** What the list says of sessions that are not as their titles' states have it. */
export const changedSummaries: Readonly<Record<string, Partial<SessionSummary>>> = {
  s0: { open_turn: 't1' },
  s1: { state: 'needs_you', waiting: ['p1'], open_turn: 't1' },
  s3: { open_turn: 't1' },
  s6: { unsettled: ['t1/c5', 't1/c7'] },
  s12: { state: 'needs_you', waiting: ['a1'], unsettled: ['t1/c2'], open_turn: 't3' },
};

/** Numbers events of one session as they are added. */
export function recorder(sessionId: string, start: Date) {
  const events: SessionEvent[] = [];
  let time = start.getTime();
  return {
    events,
    add<T extends SessionEventType>(turnId: string | null, type: T, data: SessionEventData[T]): SessionEvent {
      time += 400;
      const event = {
        seq: events.length + 1,
        session_id: sessionId,
        turn_id: turnId,
        type,
        version: 1,
        at: new Date(time).toISOString(),
        data,
      } as unknown as SessionEvent;
      events.push(event);
      return event;
    },
  };
}
export type Recorder = ReturnType<typeof recorder>;
