import { resolve } from 'node:path';
import { failure, type Failure, type Harness, type Result, type Session, type TurnOutcome } from '../harness';
import type { RunCommand } from './arguments';
import { dataFolder } from './data-folder';
import { configuredBy, coworkerOf, openRun } from './open-run';
import { createTerminal, visible } from './terminal';
import { watchSession, type Streams } from './watch-session';

interface RunResult {
  readonly status: TurnOutcome;
  readonly text: string;
  readonly session_id: string | null;
  readonly error: Failure | null;
}

/** Exit codes by how the turn ended. */
export const exitCodes: Readonly<Record<TurnOutcome, number>> = {
  completed: 0,
  failed: 1,
  interrupted: 1,
  stopped: 3,
};

/** Says once each what is wrong with the journal, also what was found since the last time. */
export function journalReporter(harness: Harness, err: NodeJS.WritableStream): () => void {
  const said = new Set<string>();
  return () => {
    for (const { message } of harness.journal.problems) {
      if (!said.has(message)) err.write(`${visible(message)}\n`);
      said.add(message);
    }
  };
}

async function openSession(harness: Harness, command: RunCommand): Promise<Result<Session>> {
  const card = await coworkerOf(harness, command.bundle);
  if (!card.ok) return card;
  const created = await harness.sessions.create({
    coworker_id: card.value.id,
    model: { provider: command.provider, name: command.model },
    mode: card.value.default_mode,
    workspace: command.workspace === null ? null : resolve(command.workspace),
  });
  if (!created.ok) return created;
  return harness.sessions.get(created.value.session_id);
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
  const session = await openSession(harness, command);
  if (!session.ok) return failed(session.error);
  const { session_id } = session.value;
  const terminal = createTerminal(streams.in, streams.err);
  const asking = new AbortController();
  const watched = watchSession({
    harness,
    session: session.value,
    terminal,
    streams,
    signal: asking.signal,
    asks: command.approve === 'ask',
    prints: command.json ? 'events' : 'words',
    afterSeq: 0,
    aliases: [],
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
  return { status: end.outcome, text: watched.text(), session_id, error: end.error };
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
  const { provider, approve: standing } = command;
  const harness = await openRun(
    { parts: configuredBy(folder, command), provider, standing, env, err: streams.err },
    folder,
  );
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
