import { parseArgs } from 'node:util';
import {
  fail,
  grantScopes,
  ok,
  type GrantScope,
  type ProviderKind,
  type Result,
  type StandingAnswer,
} from '../harness';
import { options, optionsOf, type Values } from './command-options';

/** What a turn needs beside its session: whoever names it vouches for it. */
export interface RunParts {
  readonly bundle: string;
  readonly servers: string | null;
  readonly guardrails: string | null;
  readonly baseUrl: string | null;
  readonly apiKeyEnv: string | null;
  readonly data: string | null;
  readonly json: boolean;
}

export interface RunCommand extends RunParts {
  readonly command: 'run';
  readonly workspace: string | null;
  readonly provider: ProviderKind;
  readonly model: string;
  readonly approve: StandingAnswer;
  readonly message: string;
}

export interface ResumeCommand extends RunParts {
  readonly command: 'sessions resume';
  readonly id: string;
  readonly approve: StandingAnswer;
}

export interface AnswerCommand extends RunParts {
  readonly command: 'approvals answer';
  readonly id: string;
  readonly answer:
    | { readonly type: 'allow'; readonly scope: GrantScope; readonly arguments: string | null }
    | { readonly type: 'deny'; readonly note: string };
  /** The digest that `approvals show` printed; null: whatever waits under this id. */
  readonly shown: string | null;
}

interface Reading {
  readonly data: string | null;
  readonly json: boolean;
}

export type Command =
  | RunCommand
  | ResumeCommand
  | AnswerCommand
  | {
      readonly command: 'bundle check';
      readonly folder: string;
      readonly servers: string | null;
      readonly json: boolean;
    }
  | ({ readonly command: 'sessions list' | 'approvals list' | 'grants list' } & Reading)
  | ({
      readonly command: 'sessions show' | 'approvals show' | 'grants revoke';
      readonly id: string;
    } & Reading)
  | { readonly command: 'help' }
  | { readonly command: 'version' };

const providers: readonly ProviderKind[] = [
  'anthropic',
  'openai',
  'google',
  'openai-compatible',
  'ollama',
  'lmstudio',
  'practice',
];

/** The kind of provider that this word names; null for what the app alone knows. */
export function providerKind(word: string): ProviderKind | null {
  return providers.find((known) => known === word) ?? null;
}

function usageError(message: string): { ok: false; error: { code: string; message: string } } {
  return fail('invalid_input', `${message}\nRun "openworker help" for the whole usage.`);
}

function modelOf(text: string): { provider: ProviderKind; model: string } | null {
  const colon = text.indexOf(':');
  const provider = providerKind(colon < 0 ? text : text.slice(0, colon));
  const model = colon < 0 ? '' : text.slice(colon + 1);
  if (provider === 'practice') return { provider, model: 'practice' };
  return provider && model !== '' ? { provider, model } : null;
}

function approveOf({ approve = 'ask' }: Values): Result<StandingAnswer> {
  if (approve === 'ask' || approve === 'once' || approve === 'deny') return ok(approve);
  return usageError(`--approve "${approve}" is none of ask, once, deny.`);
}

function partsOf(name: string, values: Values): Result<RunParts> {
  if (values.bundle === undefined) return usageError(`"${name}" needs --bundle DIR.`);
  return ok({
    bundle: values.bundle,
    servers: values.servers ?? null,
    guardrails: values.guardrails ?? null,
    baseUrl: values['base-url'] ?? null,
    apiKeyEnv: values['api-key-env'] ?? null,
    data: values.data ?? null,
    json: values.json ?? false,
  });
}

function runCommand(values: Values, words: readonly string[]): Result<Command> {
  const parts = partsOf('run', values);
  if (!parts.ok) return parts;
  if (values.model === undefined) return usageError('"run" needs --model PROVIDER:NAME.');
  const model = modelOf(values.model);
  if (!model)
    return usageError(
      `--model "${values.model}" is not PROVIDER:NAME with a provider of: ${providers.join(', ')}.`,
    );
  if (model.provider === 'openai-compatible' && values['base-url'] === undefined) {
    return usageError('--model openai-compatible:NAME needs --base-url URL.');
  }
  const approve = approveOf(values);
  if (!approve.ok) return approve;
  if (words.length !== 1 || words[0]?.trim() === '') {
    return usageError('"run" takes one message. Put it in quotes, behind the options.');
  }
  return ok({
    ...parts.value,
    command: 'run',
    workspace: values.workspace ?? null,
    provider: model.provider,
    model: model.model,
    approve: approve.value,
    message: words[0] ?? '',
  });
}

function answerOf(values: Values): Result<AnswerCommand['answer']> {
  const { allow, deny = false, note, arguments: edited } = values;
  if ((allow === undefined) === !deny) {
    return usageError('"approvals answer" needs either --allow once|session|coworker or --deny.');
  }
  if (allow === undefined) {
    if (edited !== undefined) return usageError('--arguments goes with --allow.');
    return ok({ type: 'deny', note: note ?? '' });
  }
  const scope = grantScopes.find((known) => known === allow);
  if (!scope) return usageError(`--allow "${allow}" is none of ${grantScopes.join(', ')}.`);
  if (note !== undefined) return usageError('--note goes with --deny: it says to the model why not.');
  return ok({ type: 'allow', scope, arguments: edited ?? null });
}

function answerCommand(values: Values, id: string): Result<Command> {
  const answer = answerOf(values);
  if (!answer.ok) return answer;
  const { shown = null } = values;
  if (shown !== null && !/^[0-9a-f]{64}$/.test(shown)) {
    return usageError('--shown takes the digest that "approvals show" prints: 64 digits of 0-9 and a-f.');
  }
  const parts = partsOf('approvals answer', values);
  if (!parts.ok) return parts;
  return ok({ ...parts.value, command: 'approvals answer', id, answer: answer.value, shown });
}

function resumeCommand(values: Values, id: string): Result<Command> {
  const parts = partsOf('sessions resume', values);
  if (!parts.ok) return parts;
  const approve = approveOf(values);
  return approve.ok
    ? ok({ ...parts.value, command: 'sessions resume', id, approve: approve.value })
    : approve;
}

function named(positionals: readonly string[]): { name: string; words: readonly string[] } | null {
  const [first = '', second = ''] = positionals;
  if (first === 'run') return { name: 'run', words: positionals.slice(1) };
  const name = `${first} ${second}`;
  return name in optionsOf ? { name, words: positionals.slice(2) } : null;
}

const oneOf: Readonly<Record<string, string>> = {
  'sessions show': 'session',
  'sessions resume': 'session',
  'approvals show': 'request',
  'approvals answer': 'request',
  'grants revoke': 'permission',
};

function commandOf(name: string, values: Values, words: readonly string[]): Result<Command> {
  const json = values.json ?? false;
  const data = values.data ?? null;
  const [word] = words;
  if (name === 'run') return runCommand(values, words);
  if (name === 'bundle check') {
    if (word === undefined || words.length > 1)
      return usageError('"bundle check" takes the folder of one bundle.');
    return ok({ command: name, folder: word, servers: values.servers ?? null, json });
  }
  if (name === 'sessions list' || name === 'approvals list' || name === 'grants list') {
    return words.length > 0
      ? usageError(`"${name}" takes no further words.`)
      : ok({ command: name, data, json });
  }
  if (word === undefined || word === '' || words.length > 1) {
    return usageError(`"${name}" takes the id of one ${oneOf[name] ?? 'thing'}.`);
  }
  if (name === 'approvals answer') return answerCommand(values, word);
  if (name === 'sessions resume') return resumeCommand(values, word);
  const reading = name as 'sessions show' | 'approvals show' | 'grants revoke';
  return ok({ command: reading, id: word, data, json });
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
