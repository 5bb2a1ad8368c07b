import type { Answer, TakenAnswer } from '../approvals';
import { deniedEvents, expiredEvents, takeAllowance, type AnsweredRequest, type CallFacts } from '../call';
import { fail, type ApprovalRequested, type JsonObject, type Result } from '../protocol';
import { recordedSchema } from '../tools';
import { realPath } from './permissions';
import { leftCall, type SuspendedTurn } from './recover';
import type { SessionDeps } from './session-port';
import type { Stream } from './stream';

interface LeftRequest {
  readonly call: CallFacts;
  readonly request: ApprovalRequested;
}

/** What is on record of a request that a restart left behind. */
function leftRequest(stream: Stream, turnId: string, callId: string): Result<LeftRequest> {
  const turn = stream.turn(turnId);
  if (!turn.ok) return turn;
  const call = turn.value && leftCall(turn.value, callId);
  const request = turn.value?.rows.get(callId)?.approvals.at(-1)?.requested?.data;
  if (!call || !request) return fail('stale_answer', 'This call is no longer on record.');
  return { ok: true, value: { call, request } };
}

function answeredRequest(deps: SessionDeps, stream: Stream, { call, request }: LeftRequest): AnsweredRequest {
  const { session_id, coworker, workspace } = stream.facts();
  const { approval_id, call_id, pin, presentation } = request;
  return {
    approval_id,
    session_id,
    turn_id: call.turn_id,
    call_id,
    coworker_id: coworker?.id ?? '',
    qualified_name: request.qualified_name ?? request.name,
    pin,
    classification: request.classification,
    schema: recordedSchema(deps.journal.definition(pin)),
    editable: request.arguments !== null,
    subject(edited: JsonObject | null) {
      const args = edited ?? request.arguments;
      return args && { arguments: args, workspace, realPath, command: deps.command({ presentation }, args) };
    },
  };
}

/**
 * Requests that a restart left behind can be answered before their turn goes on. `expired` is called when one of them
 * was closed because nobody answered in the time that the owner set, counted from this start of the app.
 */
export function expectAnswers(
  deps: SessionDeps,
  stream: Stream,
  suspended: SuspendedTurn | null,
  expired: () => void,
): void {
  const { desk } = stream;
  for (const [callId, { approval_id, arguments_digest, pin }] of suspended?.response?.pending ?? []) {
    const left = (): Result<LeftRequest> => leftRequest(stream, suspended?.turn_id ?? '', callId);
    const take = (answer: Answer): Result<TakenAnswer> => {
      const found = left();
      if (!found.ok) return found;
      if (answer.type === 'allow') {
        return takeAllowance(deps, answeredRequest(deps, stream, found.value), answer);
      }
      const recorded = stream.record(deniedEvents(found.value.call, approval_id, answer));
      return recorded.ok ? { ok: true, value: answer } : recorded;
    };
    const expire = (): void => {
      const found = left();
      if (!found.ok || !stream.record(expiredEvents(found.value.call, approval_id)).ok) return;
      desk.withdraw(approval_id);
      expired();
    };
    desk.expect(approval_id, { arguments_digest, pin }, { take, expire, expires_in_ms: deps.expiryMs() });
  }
}
