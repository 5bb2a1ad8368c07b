import { parseArgs } from 'node:util';
import { fail, ok, type ProviderKind, type Result, type StandingAnswer } from '../harness';

export interface RunCommand {
  readonly command: 'run';
  readonly bundle: string;
  readonly servers: string | null;
  readonly guardrails: string | null;
  readonly workspace: string | null;
  readonly provider: ProviderKind;
  readonly model: string;
  readonly baseUrl: string | null;
  readonly apiKeyEnv: string | null;
  readonly approve: StandingAnswer;
  readonly data: string | null;
  readonly json: boolean;
  readonly message: string;
}

export type Command =
  | RunCommand
  | {
      readonly command: 'bundle check';
      readonly folder: string;
      readonly servers: string | null;
      readonly json: boolean;
    }
  | { readonly command: 'sessions list'; readonly data: string | null; readonly json: boolean }
  | {
      readonly command: 'sessions show';
      readonly id: string;
      readonly data: string | null;
      readonly json: boolean;
    }
  | { readonly command: 'help' }
  | { readonly command: 'version' };

export const usage = `Usage:
  openworker run --bundle DIR --model PROVIDER:NAME [options] "message"
      --bundle DIR         the coworker; you vouch for it
      --model P:NAME       anthropic, openai, google, openai-compatible, ollama, lmstudio or practice
      --base-url URL       address of the provider, where it is not its own
      --api-key-env NAME   environment variable that holds the key
      --servers FILE       servers.json with the MCP servers of this run
      --guardrails FILE    guardrails.json: which checks look at arguments and results
      --workspace DIR      the folder that the coworker may work in
      --approve ask|once|deny   ask on this terminal (default), allow each request once, deny each
      --data DIR           where sessions are kept
      --json               one JSON object a line: the events, then the result
  openworker bundle check DIR [--servers FILE] [--json]
  openworker sessions list [--data DIR] [--json]
  openworker sessions show ID [--data DIR] [--json]
  openworker help | --version

Exit codes of run: 0 the turn completed, 1 it failed, 2 usage, 3 it was stopped.
`;

const providers: readonly ProviderKind[] = [
  'anthropic',
  'openai',
  'google',
  'openai-compatible',
  'ollama',
  'lmstudio',
  'practice',
];

const options = {
  bundle: { type: 'string' },
  servers: { type: 'string' },
  guardrails: { type: 'string' },
  workspace: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  'api-key-env': { type: 'string' },
  approve: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

type Values = Partial<Record<Exclude<keyof typeof options, 'json' | 'help' | 'version'>, string>> & {
  readonly json?: boolean;
  readonly help?: boolean;
  readonly version?: boolean;
};

function usageError(message: string): Result<Command> {
  return fail('invalid_input', `${message}\nRun "openworker help" for the whole usage.`);
}

const optionsOf: Readonly<Record<string, readonly string[]>> = {
  run: [
    'bundle',
    'servers',
    'guardrails',
    'workspace',
    'model',
    'base-url',
    'api-key-env',
    'approve',
    'data',
    'json',
  ],
  'bundle check': ['servers', 'json'],
  'sessions list': ['data', 'json'],
  'sessions show': ['data', 'json'],
};

function modelOf(text: string): { provider: ProviderKind; model: string } | null {
  const colon = text.indexOf(':');
  const provider = providers.find((known) => known === (colon < 0 ? text : text.slice(0, colon)));
  const model = colon < 0 ? '' : text.slice(colon + 1);
  if (provider === 'practice') return { provider, model: 'practice' };
  return provider && model !== '' ? { provider, model } : null;
}

function runCommand(values: Values, words: readonly string[]): Result<Command> {
  if (values.bundle === undefined) return usageError('"run" needs --bundle DIR.');
  if (values.model === undefined) return usageError('"run" needs --model PROVIDER:NAME.');
  const model = modelOf(values.model);
  if (!model)
    return usageError(
      `--model "${values.model}" is not PROVIDER:NAME with a provider of: ${providers.join(', ')}.`,
    );
  if (model.provider === 'openai-compatible' && values['base-url'] === undefined) {
    return usageError('--model openai-compatible:NAME needs --base-url URL.');
  }
  const approve = values.approve ?? 'ask';
  if (approve !== 'ask' && approve !== 'once' && approve !== 'deny') {
    return usageError(`--approve "${approve}" is none of ask, once, deny.`);
  }
  if (words.length !== 1 || words[0]?.trim() === '') {
    return usageError('"run" takes one message. Put it in quotes, behind the options.');
  }
  return ok({
    command: 'run',
    bundle: values.bundle,
    servers: values.servers ?? null,
    guardrails: values.guardrails ?? null,
    workspace: values.workspace ?? null,
    provider: model.provider,
    model: model.model,
    baseUrl: values['base-url'] ?? null,
    apiKeyEnv: values['api-key-env'] ?? null,
    approve,
    data: values.data ?? null,
    json: values.json ?? false,
    message: words[0] ?? '',
  });
}

function named(positionals: readonly string[]): { name: string; words: readonly string[] } | null {
  const [first = '', second = ''] = positionals;
  if (first === 'run') return { name: 'run', words: positionals.slice(1) };
  const name = `${first} ${second}`;
  return name in optionsOf ? { name, words: positionals.slice(2) } : null;
}

function commandOf(name: string, values: Values, words: readonly string[]): Result<Command> {
  const json = values.json ?? false;
  const data = values.data ?? null;
  const [word] = words;
  switch (name) {
    case 'run':
      return runCommand(values, words);
    case 'bundle check':
      if (word === undefined || words.length > 1)
        return usageError('"bundle check" takes the folder of one bundle.');
      return ok({ command: name, folder: word, servers: values.servers ?? null, json });
    case 'sessions list':
      return words.length > 0
        ? usageError('"sessions list" takes no further words.')
        : ok({ command: name, data, json });
    default:
      if (word === undefined || words.length > 1)
        return usageError('"sessions show" takes the id of one session.');
      return ok({ command: 'sessions show', id: word, data, json });
  }
}

/** Reads the command line. Failure `invalid_input` says what is wrong with it; exit code 2. */
export function readArguments(argv: readonly string[]): Result<Command> {
  let parsed: { values: Values; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    return usageError(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help || positionals[0] === 'help' || argv.length === 0) return ok({ command: 'help' });
  if (values.version) return ok({ command: 'version' });
  const found = named(positionals);
  if (!found) {
    const begun = Object.keys(optionsOf).filter((name) => name.startsWith(`${positionals[0] ?? ''} `));
    const hint = begun.length > 0 ? ` Did you mean ${begun.map((name) => `"${name}"`).join(' or ')}?` : '';
    return usageError(`"${positionals.join(' ')}" is no command.${hint}`);
  }
  const stray = Object.keys(values).find((option) => !optionsOf[found.name]?.includes(option));
  if (stray !== undefined) return usageError(`"${found.name}" takes no --${stray}.`);
  return commandOf(found.name, values, found.words);
}
