import {
  fail,
  ok,
  openJournalReader,
  openPause,
  pendingApprovals,
  type Answer,
  type Result,
  type SessionSummary,
  type StandingAnswer,
} from '../harness';
import type { ResumeCommand } from './arguments';
import { dataFolder } from './data-folder';
import { findOne } from './find-one';
import { followTurn, type FollowedTurn } from './follow-turn';
import { conductTurn, printFailure, printTurn, type GoingOn } from './turn-command';
import type { Streams } from './watch-session';

/** The session that an id, or the beginning of one, stands for. */
export function findSession(folder: string, id: string): Result<SessionSummary> {
  const reader = openJournalReader(folder);
  if (!reader.ok) return reader;
  const summaries = reader.value.summaries();
  reader.value.close();
  if (!summaries.ok) return summaries;
  return findOne(summaries.value, id, {
    idOf: ({ session_id }) => session_id,
    what: 'session',
    list: 'sessions list',
  });
}

const hostAnswers: Readonly<Record<Exclude<StandingAnswer, 'ask'>, Answer>> = {
  once: { type: 'allow', scope: 'once', by: 'host' },
  deny: { type: 'deny', note: 'The host of this run denies every request.', by: 'host' },
};

/** Has everything answered that waits, by the person or by the standing answer, and follows the turn to its end. */
async function work(
  { session, view, turn_id, watched }: GoingOn,
  approve: StandingAnswer,
): Promise<Result<FollowedTurn>> {
  const followed = followTurn({ session, view, turn_id });
  for (const { approval_id, request } of pendingApprovals(view)) {
    if (approve === 'ask') watched.ask(request.data);
    else {
      const given = session.answer(approval_id, request.data, hostAnswers[approve]);
      if (!given.ok && given.error.code !== 'stale_answer') return given;
    }
  }
  const turn = view.turns.get(turn_id);
  const pause = turn && openPause(turn)?.started?.data;
  if (pause && approve === 'ask') watched.askPause(pause);
  else if (pause) session.answerPause(pause.pause_id, false);
  return ok(await followed);
}

/** `openworker sessions resume`: goes on with a session that waits. Answers the exit code. */
export async function resumeSession(
  command: ResumeCommand,
  env: NodeJS.ProcessEnv,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const { json, approve } = command;
  const folder = dataFolder(command.data, env, process.platform);
  const found = findSession(folder, command.id);
  if (!found.ok) return printFailure(found.error, json, streams);
  const { session_id, open_turn } = found.value;
  if (open_turn === null) {
    const nothing = fail(
      'stale_answer',
      `Nothing waits in session ${session_id}: its last turn has ended. "openworker sessions show" has it.`,
    );
    return printFailure(nothing.error, json, streams);
  }
  const result = await conductTurn({
    goOn: { parts: command, standing: approve, folder, session_id, env, err: streams.err },
    streams,
    signal,
    asks: approve === 'ask',
    work: (going) => work(going, approve),
  });
  return result.ok ? printTurn(result.value, {}, json, streams) : printFailure(result.error, json, streams);
}
