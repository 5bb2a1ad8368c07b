import fs, { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  codeDigest,
  createEnvironmentSecretResolver,
  createMemorySecrets,
  fail,
  failure,
  ok,
  openHarness,
  registerFilesTools,
  type Failure,
  type Harness,
  type Result,
  type Session,
  type SessionEvent,
  type TurnOutcome,
} from '../harness';
import { answerOnTerminal } from './answer-approvals';
import { answerPauseOnTerminal } from './answer-pause';
import type { RunCommand } from './arguments';
import { dataFolder } from './data-folder';
import { playModel } from './practice-terminal';
import { createTerminal, visible, visibleLine, type Terminal } from './terminal';
import { version } from './version';

export interface Streams {
  readonly in: NodeJS.ReadableStream;
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
}

interface RunResult {
  readonly status: TurnOutcome;
  readonly text: string;
  readonly session_id: string | null;
  readonly error: Failure | null;
}

const exitCodes: Readonly<Record<TurnOutcome, number>> = {
  completed: 0,
  failed: 1,
  interrupted: 1,
  stopped: 3,
};

/** The key that `--api-key-env` names; null without it. */
function keyOf({ apiKeyEnv }: RunCommand, env: NodeJS.ProcessEnv): Result<string | null> {
  if (apiKeyEnv === null) return ok(null);
  const key = Object.hasOwn(env, apiKeyEnv) ? env[apiKeyEnv] : undefined;
  if (key !== undefined && key !== '') return ok(key);
  return fail(
    'model_unauthorized',
    `The environment variable ${apiKeyEnv} of --api-key-env is empty. Put the key into it.`,
  );
}

async function openRun(
  command: RunCommand,
  folder: string,
  env: NodeJS.ProcessEnv,
  err: NodeJS.WritableStream,
): Promise<Result<Harness>> {
  if (command.servers !== null && !existsSync(command.servers)) {
    return fail('servers_invalid', `There is no file ${command.servers}. Correct --servers.`);
  }
  if (command.guardrails !== null && !existsSync(command.guardrails)) {
    return fail('invalid_input', `There is no file ${command.guardrails}. Correct --guardrails.`);
  }
  const key = keyOf(command, env);
  if (!key.ok) return key;
  const self = fileURLToPath(import.meta.url);
  const code = codeDigest(fs, { folder: dirname(self), files: [basename(self)] });
  if (!code.ok) return code;
  const opened = await openHarness({
    dataFolder: folder,
    codeDigest: code.value,
    toolImages: true,
    guardrailsFile: command.guardrails === null ? null : resolve(command.guardrails),
    appVersion: version,
    libraryFolders: [],
    bundleFolders: [resolve(command.bundle)],
    serversFile: command.servers === null ? null : resolve(command.servers),
    registerNative: registerFilesTools,
    secrets: createMemorySecrets(),
    ownerProvider: { kind: command.provider, base_url: command.baseUrl, key: key.value },
    resolveSecret: createEnvironmentSecretResolver(env),
    env,
    standing: command.approve,
    log: (line) => void err.write(`${visible(line)}\n`),
  });
  if (!opened.ok) return opened;
  const errors = opened.value.servers.problems.filter((problem) => problem.severity === 'error');
  if (errors.length > 0) {
    await opened.value.close();
    return fail('servers_invalid', errors.map((problem) => problem.message).join('\n'));
  }
  return opened;
}

/** Says once each what is wrong with the journal, also what was found since the last time. */
function journalReporter(harness: Harness, err: NodeJS.WritableStream): () => void {
  const said = new Set<string>();
  return () => {
    for (const { message } of harness.journal.problems) {
      if (!said.has(message)) err.write(`${visible(message)}\n`);
      said.add(message);
    }
  };
}

async function openCoworker(harness: Harness, command: RunCommand): Promise<Result<Session>> {
  const [card] = await harness.coworkers.list();
  if (!card)
    return fail('bundle_invalid', `${command.bundle} holds no coworker. It needs coworker/manifest.md.`);
  const created = await harness.sessions.create({
    coworker_id: card.id,
    model: { provider: command.provider, name: command.model },
    mode: card.default_mode,
    workspace: command.workspace === null ? null : resolve(command.workspace),
  });
  if (!created.ok) return created;
  return harness.sessions.get(created.value.session_id);
}

interface Watch {
  readonly harness: Harness;
  readonly session: Session;
  readonly command: RunCommand;
  readonly terminal: Terminal;
  readonly streams: Streams;
  readonly signal: AbortSignal;
}

/** Follows the session: prints what commits, and puts questions to the person. Answers the text of the newest answer. */
function watch({ harness, session, command, terminal, streams, signal }: Watch): () => string {
  let aliases: readonly string[] = [];
  let text = '';
  const asked = new Map<string, AbortController>();
  const follow = (event: SessionEvent): void => {
    if (command.json) streams.out.write(`${JSON.stringify(event)}\n`);
    switch (event.type) {
      case 'turn_started':
        aliases = event.data.tools.map((tool) => tool.model_alias);
        return;
      case 'attempt_started':
        if (event.data.model.provider === 'practice') {
          const turn_id = event.turn_id ?? '';
          setImmediate(
            () =>
              void playModel({ terminal, harness, session_id: session.session_id, turn_id, aliases, signal }),
          );
        }
        return;
      case 'assistant_message':
        text = event.data.text;
        return;
      case 'approval_requested':
        if (command.approve === 'ask') {
          const settled = new AbortController();
          asked.set(event.data.approval_id, settled);
          void answerOnTerminal(terminal, session, event.data, AbortSignal.any([signal, settled.signal]));
        }
        return;
      case 'approval_resolved':
        // A grant or the end of the turn may settle a request before the person does: then nobody is asked any more.
        asked.get(event.data.approval_id)?.abort();
        return;
      case 'pause_started':
        if (command.approve === 'ask') void answerPauseOnTerminal(terminal, session, event.data, signal);
        return;
      case 'tool_finished':
        if (!command.json)
          streams.err.write(
            `[${visibleLine(event.data.qualified_name ?? event.data.name)}: ${event.data.outcome}]\n`,
          );
        return;
      default:
        return;
    }
  };
  session.subscribe(0, (push) => push.events.forEach(follow));
  return () => text;
}

async function conduct(
  harness: Harness,
  command: RunCommand,
  streams: Streams,
  signal: AbortSignal,
): Promise<RunResult> {
  const failed = (error: Failure, session_id: string | null = null): RunResult => ({
    status: 'failed',
    text: '',
    session_id,
    error,
  });
  const session = await openCoworker(harness, command);
  if (!session.ok) return failed(session.error);
  const { session_id } = session.value;
  const terminal = createTerminal(streams.in, streams.err);
  const asking = new AbortController();
  const textSoFar = watch({
    harness,
    session: session.value,
    command,
    terminal,
    streams,
    signal: asking.signal,
  });
  const stop = (): void => void session.value.stop();
  signal.addEventListener('abort', stop, { once: true });
  const submitted = session.value.submit({ text: command.message, files: [], mentions: [] });
  if (signal.aborted) stop();
  const end = submitted.ok
    ? await submitted.value.done
    : { outcome: 'failed' as const, error: submitted.error };
  asking.abort();
  terminal.close();
  signal.removeEventListener('abort', stop);
  return { status: end.outcome, text: textSoFar(), session_id, error: end.error };
}

function print(result: RunResult, command: RunCommand, streams: Streams): number {
  const { status, text, session_id, error } = result;
  if (command.json) {
    streams.out.write(
      `${JSON.stringify({ type: 'result', status, text, session_id, ...(error ? { error } : {}) })}\n`,
    );
  } else {
    if (text !== '') streams.out.write(`${visible(text)}\n`);
    else if (status === 'completed') streams.err.write('The model answered with nothing.\n');
    if (error) streams.err.write(`${visible(error.message)}\n`);
  }
  return exitCodes[status];
}

/** `openworker run`: one message to one coworker. Answers the exit code. The signal stops the turn. */
export async function run(
  command: RunCommand,
  env: NodeJS.ProcessEnv,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const folder = dataFolder(command.data, env, process.platform);
  const harness = await openRun(command, folder, env, streams.err);
  if (!harness.ok)
    return print({ status: 'failed', text: '', session_id: null, error: harness.error }, command, streams);
  const reportJournal = journalReporter(harness.value, streams.err);
  reportJournal();
  const result = await conduct(harness.value, command, streams, signal).catch((error: unknown): RunResult => {
    const detail = error instanceof Error ? error.message : String(error);
    const defect = failure('internal', `The run failed inside the program (${detail}). Please report this.`);
    return { status: 'failed', text: '', session_id: null, error: defect };
  });
  reportJournal();
  await harness.value.close();
  return print(result, command, streams);
}
