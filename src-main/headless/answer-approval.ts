import { readFileSync } from 'node:fs';
import { fail, ok, type Answer, type JsonObject, type Result } from '../harness';
import { parseEdited } from './answer-approvals';
import { findRequest, shownDigest, type WaitingRequest } from './approvals';
import type { AnswerCommand } from './arguments';
import { dataFolder } from './data-folder';
import { followTurn, waitsForPerson, type FollowedTurn } from './follow-turn';
import { conductTurn, printFailure, printTurn, type GoingOn } from './turn-command';
import type { Streams } from './watch-session';

/** Largest file of arguments, in bytes. */
const maxArguments = 1024 * 1024;

/** The arguments that `--arguments` gives: JSON, or a file behind `@`. */
export function editedArguments(given: string): Result<JsonObject> {
  let text = given;
  if (given.startsWith('@')) {
    const file = given.slice(1);
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return fail('invalid_input', `The file ${file} of --arguments cannot be read (${why}).`);
    }
    if (text.length > maxArguments)
      return fail('invalid_input', `The file ${file} of --arguments is too large.`);
  }
  const edited = parseEdited(text);
  return typeof edited === 'string' ? fail('invalid_input', `--arguments: ${edited}`) : ok(edited);
}

function answerOf({ answer }: AnswerCommand): Result<Answer> {
  if (answer.type === 'deny') return ok({ type: 'deny', note: answer.note, by: 'person' });
  const allowed = { type: 'allow', scope: answer.scope, by: 'person' } as const;
  if (answer.arguments === null) return ok(allowed);
  const edited = editedArguments(answer.arguments);
  return edited.ok ? ok({ ...allowed, arguments: edited.value }) : edited;
}

/** The request, if it is the one that was shown. */
function shownRequest(folder: string, { id, shown }: AnswerCommand): Result<WaitingRequest> {
  const found = findRequest(folder, id);
  if (!found.ok || shown === null || shownDigest(found.value.request) === shown) return found;
  const words = `What waits as ${id} is not what was shown to you, so the answer was not taken. Look at it again with "openworker approvals show ${id}".`;
  return fail('stale_answer', words);
}

/** Answers, and follows the turn until it ends or waits for a person again. */
async function work(
  { session, view, turn_id }: GoingOn,
  { request }: WaitingRequest,
  answer: Answer,
): Promise<Result<FollowedTurn>> {
  const { approval_id, call_id } = request;
  const followed = followTurn({
    session,
    view,
    turn_id,
    rests(turn) {
      const row = turn.rows.get(call_id);
      const asked = row?.approvals.find((approval) => approval.approval_id === approval_id);
      return asked?.resolved !== null && waitsForPerson(turn);
    },
  });
  const given = session.answer(approval_id, request, answer);
  if (given.ok) return ok(await followed);
  void followed;
  return given;
}

/** `openworker approvals answer`: one answer, and what comes of it. Answers the exit code. */
export async function answerApproval(
  command: AnswerCommand,
  env: NodeJS.ProcessEnv,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const { json } = command;
  const folder = dataFolder(command.data, env, process.platform);
  const answer = answerOf(command);
  if (!answer.ok) return printFailure(answer.error, json, streams);
  const found = shownRequest(folder, command);
  if (!found.ok) return printFailure(found.error, json, streams);
  const { session_id } = found.value.view;
  const result = await conductTurn({
    goOn: { parts: command, standing: 'ask', folder, session_id, env, err: streams.err },
    streams,
    signal,
    asks: false,
    work: (going) => work(going, found.value, answer.value),
  });
  if (!result.ok) return printFailure(result.error, json, streams);
  const { approval_id } = found.value.request;
  return printTurn(result.value, { approval_id, answer: answer.value.type }, json, streams);
}
