import { failure, openTurn, type Failure, type Result } from '../harness';
import type { FollowedTurn } from './follow-turn';
import { openToGoOn, type GoOn, type WaitingSession } from './go-on';
import { exitCodes, journalReporter } from './run';
import { document } from './table';
import { createTerminal, visible } from './terminal';
import { watchSession, type Streams, type Watched } from './watch-session';

/** An opened session at a terminal, with the turn that waits. */
export interface GoingOn extends WaitingSession {
  readonly turn_id: string;
  readonly watched: Watched;
}

/** What a command came to. */
export interface TurnResult extends FollowedTurn {
  readonly session_id: string;
  readonly text: string;
}

export interface TurnCommand {
  readonly goOn: GoOn;
  readonly streams: Streams;
  readonly signal: AbortSignal;
  readonly asks: boolean;
  /** Gives the answers and follows the turn. */
  readonly work: (going: GoingOn) => Promise<Result<FollowedTurn>>;
}

async function conduct(
  { streams, signal, asks, goOn, work }: TurnCommand,
  opened: WaitingSession,
): Promise<Result<TurnResult>> {
  const { harness, session, view } = opened;
  const { session_id } = session;
  const turn = openTurn(view);
  if (!turn) {
    const words = `Nothing waits in session ${session_id}: its last turn has ended. "openworker sessions show" has it.`;
    return { ok: false, error: failure('stale_answer', words) };
  }
  const terminal = createTerminal(streams.in, streams.err);
  const asking = new AbortController();
  const stop = (): void => void session.stop();
  signal.addEventListener('abort', stop, { once: true });
  const watched = watchSession({
    harness,
    session,
    terminal,
    streams,
    signal: asking.signal,
    asks,
    prints: goOn.parts.json ? 'nothing' : 'words',
    afterSeq: view.last_seq,
    aliases: turn.started?.data.tools.map((tool) => tool.model_alias) ?? [],
  });
  try {
    const followed = await work({ ...opened, turn_id: turn.turn_id, watched });
    if (!followed.ok) return followed;
    return { ok: true, value: { ...followed.value, session_id, text: watched.text() } };
  } finally {
    asking.abort();
    terminal.close();
    signal.removeEventListener('abort', stop);
  }
}

/** Opens the session, goes on with its turn and frees the folder again. */
export async function conductTurn(command: TurnCommand): Promise<Result<TurnResult>> {
  const opened = await openToGoOn(command.goOn);
  if (!opened.ok) return { ok: false, error: beside(opened.error) };
  const { harness } = opened.value;
  const report = journalReporter(harness, command.streams.err);
  report();
  const result = await conduct(command, opened.value).catch((error: unknown): Result<TurnResult> => {
    const detail = error instanceof Error ? error.message : String(error);
    const words = `The command failed inside the program (${detail}). Please report this.`;
    return { ok: false, error: failure('internal', words) };
  });
  report();
  await harness.close();
  return result;
}

/** What a command cannot do while another process writes in the folder can be done there. */
export function beside(error: Failure): Failure {
  if (error.code !== 'data_folder_in_use') return error;
  return { ...error, message: `${error.message} It can also be done in that window or at that terminal.` };
}

/** Prints a failure of a command that prints one document; answers the exit code. */
export function printFailure(error: Failure, json: boolean, streams: Pick<Streams, 'out' | 'err'>): number {
  if (json) streams.out.write(document({ error }));
  else streams.err.write(`${visible(error.message)}\n`);
  return 1;
}

/** Prints how the turn went on. A turn that waits again has done what was asked of it. */
export function printTurn(
  { status, error, text, waiting, session_id, turn_id }: TurnResult,
  facts: Readonly<Record<string, unknown>>,
  json: boolean,
  { out, err }: Streams,
): number {
  if (json) {
    out.write(
      document({ ...facts, session_id, turn_id, status, text, waiting, ...(error ? { error } : {}) }),
    );
  } else {
    if (text !== '') out.write(`${visible(text)}\n`);
    if (error) err.write(`${visible(error.message)}\n`);
    if (status === 'waiting') err.write(`The turn waits for you again: ${waiting.join(', ')}\n`);
  }
  return status === 'waiting' ? 0 : exitCodes[status];
}
