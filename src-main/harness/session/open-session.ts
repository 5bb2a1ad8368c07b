import type { Answer, ShownRequest } from '../approvals';
import {
  fail,
  failure,
  heldMessages,
  ok,
  openTurn,
  waitingApproval,
  type ApprovalRequested,
  queuedMessages,
  rowState,
  turnTree,
  type Failure,
  type NewSessionEvent,
  type Result,
} from '../protocol';
import { limitReached, type TurnEnd } from '../turn';
import type { Beginning } from './conduct-turn';
import { createConductor, type Conductor } from './conductor';
import { currentIdentity, identityProblem } from './identity';
import { filesOf, openBranch, openMessage, openQueued, openRerun, openRetry, type Opening } from './openings';
import { createPauseDesk, type PauseDesk } from './pause-desk';
import { classifiedAs } from './permissions';
import { toolFacts } from './prepare';
import { recover, type SuspendedTurn } from './recover';
import type { BegunTurn, Session, SessionDeps, SessionStanding, Settlement } from './session-port';
import { openStream, type Stream } from './stream';
import { workedByRecord } from './worked-time';

interface Parts {
  readonly deps: SessionDeps;
  readonly stream: Stream;
  readonly conductor: Conductor;
  readonly pauses: PauseDesk;
  /** Why the session does not go on here, once that is known (S0-58). */
  changed: Failure | null;
  closed: boolean;
}

function asNull(result: Result<unknown>): Result<null> {
  return result.ok ? ok(null) : result;
}

function busyFailure({ conductor }: Parts): Failure | null {
  if (conductor.activity().type === 'idle') return null;
  const busy = fail(
    'session_busy',
    'This session is still working. Wait for it, or press Stop, then send again.',
  );
  return busy.error;
}

function refusal(parts: Parts): Failure | null {
  return parts.changed ?? busyFailure(parts);
}

/** Queued messages go on by themselves only behind a turn that completed, and none that was held back. */
function advance(parts: Parts, end: TurnEnd): void {
  if (parts.closed || end.outcome !== 'completed' || parts.conductor.activity().type !== 'idle') return;
  const facts = parts.stream.facts();
  const held = new Set(heldMessages(facts));
  const next = queuedMessages(facts).find((message) => !held.has(message));
  if (!next) return;
  const begun = begin(parts, openQueued(parts, next), { type: 'model' });
  if (!begun.ok) parts.deps.log(`A queued message could not be sent and still waits: ${begun.error.message}`);
}

function begin(parts: Parts, opening: Opening, from: Beginning): Result<BegunTurn> {
  const { conductor, stream } = parts;
  const refused = refusal(parts);
  if (refused) return { ok: false, error: refused };
  const settled = conductor.settle();
  if (!settled.ok) return settled;
  const recorded = stream.record(opening.events, opening.attachments);
  if (!recorded.ok) return recorded;
  const { turn_id } = opening;
  const done = conductor.begin(turn_id, from);
  void done.then((end) => advance(parts, end));
  return ok({ turn_id, done });
}

/** Opens a turn only when the session is free, so that nothing is prepared in vain. */
function beginWith(parts: Parts, open: () => Result<Opening>): Result<BegunTurn> {
  const refused = refusal(parts);
  if (refused) return { ok: false, error: refused };
  // What a retry goes on from must be on record first.
  const settled = parts.conductor.settle();
  if (!settled.ok) return settled;
  const opening = open();
  return opening.ok ? begin(parts, opening.value, { type: 'model' }) : opening;
}

function resume(parts: Parts, turn: SuspendedTurn): void {
  const done = parts.conductor.begin(turn.turn_id, { type: 'suspended', turn });
  void done.then((end) => advance(parts, end));
}

function answer(parts: Parts, approvalId: string, shown: ShownRequest, given: Answer): Result<null> {
  if (parts.closed) return fail('stale_answer', 'The session is closed. Open it again, then answer.');
  const taken = parts.stream.desk.answer(approvalId, shown, given);
  const activity = parts.conductor.activity();
  if (taken.ok && activity.type === 'suspended') resume(parts, activity.turn);
  return taken;
}

function waitingRequest({ stream }: Parts, approvalId: string): Result<ApprovalRequested> {
  const gone = 'This request waits no more: it was answered, or its turn has ended.';
  const open = openTurn(stream.facts());
  const turn = open ? stream.turn(open.turn_id) : ok(null);
  if (!turn.ok) return turn;
  const waiting = [...(turn.value?.rows.values() ?? [])]
    .map((row) => turn.value && waitingApproval(row, turn.value))
    .find((approval) => approval?.approval_id === approvalId)?.requested?.data;
  return waiting ? ok(waiting) : fail('stale_answer', gone);
}

function revokeGrant({ stream }: Parts, grantId: string): Result<null> {
  const { grants, grants_ended } = stream.facts();
  if (!grants.some(({ data }) => data.grant_id === grantId)) {
    return fail('not_found', `There is no permission ${grantId} in this session.`);
  }
  if (grants_ended.has(grantId)) return ok(null);
  const data = { grant_id: grantId, how: 'revoked' } as const;
  return asNull(stream.record([{ turn_id: null, type: 'grant_ended', data }]));
}

/** A pause of before a restart is ended here; the turn then goes on, or ends as stopped. */
function answerPause(parts: Parts, pauseId: string, goOn: boolean): Result<null> {
  const { conductor, stream, pauses } = parts;
  const activity = conductor.activity();
  if (activity.type !== 'suspended' || activity.turn.pause_id !== pauseId) {
    return pauses.answer(pauseId, goOn ? 'continued' : 'stopped');
  }
  const turn = stream.turn(activity.turn.turn_id);
  if (!turn.ok) return turn;
  const recorded = stream.record([
    {
      turn_id: activity.turn.turn_id,
      type: 'pause_ended',
      data: { pause_id: pauseId, outcome: goOn ? 'continued' : 'stopped', by: 'person' },
    },
  ]);
  if (!recorded.ok) return recorded;
  const reached = turn.value?.pauses.find((pause) => pause.pause_id === pauseId)?.started?.data;
  if (goOn) resume(parts, activity.turn);
  else conductor.endSuspended({ outcome: 'stopped', error: reached ? limitReached(reached) : null });
  return ok(null);
}

function settle(
  parts: Parts,
  turnId: string,
  callId: string,
  settlement: Settlement,
  note: string,
): Result<BegunTurn | null> {
  // A word on what happened runs nothing, so it is taken also where the session does not go on.
  const refused = settlement === 'run_again' ? refusal(parts) : busyFailure(parts);
  if (refused) return { ok: false, error: refused };
  const turn = parts.stream.turn(turnId);
  if (!turn.ok) return turn;
  const row = turn.value?.rows.get(callId);
  if (
    !turn.value ||
    !row ||
    !['outcome_unknown', 'cancelled_may_have_run'].includes(rowState(row, turn.value))
  ) {
    return fail('stale_answer', `Call ${callId} has no unknown outcome that could be settled.`);
  }
  if (settlement !== 'run_again') {
    const data = { call_id: callId, settlement, note };
    return asNull(parts.stream.record([{ turn_id: turnId, type: 'call_settled', data }]));
  }
  const again = openRerun(parts, turnId, callId, note);
  if (!again.ok) return again;
  const { opening, rerun } = again.value;
  return begin(parts, opening, { type: 'rerun', rerun });
}

function queue(
  parts: Parts,
  submission: Parameters<Session['queue']>[0],
  delivery: Parameters<Session['queue']>[1],
): ReturnType<Session['queue']> {
  if (parts.changed) return { ok: false, error: parts.changed };
  if (parts.conductor.activity().type === 'idle' && queuedMessages(parts.stream.facts()).length === 0) {
    const begun = beginWith(parts, () => ok(openMessage(parts, submission)));
    return begun.ok ? ok({ queued_id: null }) : begun;
  }
  const queued_id = parts.deps.newId('queued');
  const { facts, kept } = filesOf(submission);
  const { text, mentions } = submission;
  const data = { queued_id, text, mentions, attachments: facts, delivery };
  const recorded = parts.stream.record([{ turn_id: null, type: 'message_queued', data }], kept);
  return recorded.ok ? ok({ queued_id }) : recorded;
}

/** The oldest queued message, held back or not; what was held back goes on behind it. */
function sendQueued(parts: Parts): Result<BegunTurn> {
  return beginWith(parts, () => {
    const [next] = queuedMessages(parts.stream.facts());
    return next ? ok(openQueued(parts, next)) : fail('not_found', 'No message waits to be sent.');
  });
}

function unqueue({ stream }: Parts, queuedId: string): Result<null> {
  if (!queuedMessages(stream.facts()).some(({ data }) => data.queued_id === queuedId)) {
    return fail('stale_answer', 'This message waits no more: it was sent or taken back.');
  }
  return asNull(stream.record([{ turn_id: null, type: 'message_unqueued', data: { queued_id: queuedId } }]));
}

function selectBranch(parts: Parts, turnId: string): Result<null> {
  const refused = busyFailure(parts);
  if (refused) return { ok: false, error: refused };
  const facts = parts.stream.facts();
  if (!facts.turns.has(turnId)) return fail('not_found', `There is no turn ${turnId} in this session.`);
  const end = turnTree(facts).newestEndOf(turnId);
  if (end === facts.head?.data) return ok(null);
  return asNull(parts.stream.record([{ turn_id: null, type: 'branch_selected', data: { turn_id: end } }]));
}

function plainFailure({ code, message, data }: Failure): Failure {
  return failure(code, message, data);
}

async function standing(parts: Parts, signal: AbortSignal): Promise<Result<SessionStanding>> {
  const { coworker, identity } = parts.stream.facts();
  const bundle = await parts.deps.bundle(coworker?.id ?? '');
  if (signal.aborted) return fail('cancelled', 'Nobody waits for this answer any more.');
  if (!bundle.ok) return bundle;
  const problem = identityProblem(identity, currentIdentity(parts.deps, bundle.value));
  parts.changed = problem;
  // What waits for a person cannot go on under another identity: it is closed, with the reason (S0-56, S0-58).
  if (problem) parts.conductor.endSuspended({ outcome: 'failed', error: plainFailure(problem) });
  return ok(
    problem ? { type: 'changed', parts: problem.parts, reason: problem.message } : { type: 'current' },
  );
}

async function tools(parts: Parts, signal: AbortSignal): ReturnType<Session['tools']> {
  const prepared = await parts.conductor.prepare(signal);
  if (!prepared.ok) return prepared;
  return ok(
    prepared.value.tools.map((tool) => ({
      ...toolFacts(tool, classifiedAs(parts.deps.ledger, tool).classification),
      input_schema: tool.descriptor.input_schema,
    })),
  );
}

async function close(parts: Parts): Promise<void> {
  const { stream, pauses, conductor, deps } = parts;
  const waits = stream.desk.waits() || pauses.waiting();
  if (stream.live.busy() || !waits) await conductor.stop('closing');
  conductor.revoke();
  deps.images.drop(stream.facts().session_id);
  stream.end();
  parts.closed = true;
  await conductor.abandon();
}

/** Ends what a crash left open, and answers what still waits for a person. */
function recoverSession(stream: Stream, lastRecordAt: () => string | null): Result<SuspendedTurn | null> {
  const left = openTurn(stream.facts());
  if (!left) return ok(null);
  const turn = stream.turn(left.turn_id);
  if (!turn.ok) return turn;
  if (!turn.value) return ok(null);
  const last = lastRecordAt();
  const recovery = recover(turn.value, last === null ? {} : { worked_ms: workedByRecord(turn.value, last) });
  if (recovery.events.length === 0) return ok(recovery.suspended);
  const closed = stream.record(recovery.events);
  return closed.ok ? ok(recovery.suspended) : closed;
}

/**
 * Opens a recorded session by its key events, ends what a crash left open, and keeps a turn that waits for a person
 * answerable. It is the one writer of the session's stream from here on.
 */
export function openSession(deps: SessionDeps, sessionId: string): Result<Session> {
  const opened = openStream(deps, sessionId);
  if (!opened.ok) return opened;
  const stream = opened.value;
  const suspended = recoverSession(stream, () => deps.journal.summary(sessionId)?.updated_at ?? null);
  if (!suspended.ok) return suspended;
  const pauses = createPauseDesk();
  const conductor = createConductor(deps, stream, pauses, suspended.value);
  const parts: Parts = { deps, stream, conductor, pauses, changed: null, closed: false };
  const note = (event: NewSessionEvent): Result<null> => asNull(stream.record([event]));
  const { workspace, coworker } = stream.facts();
  return ok({
    session_id: sessionId,
    workspace,
    coworker_id: coworker?.id ?? '',
    submit: (submission) => beginWith(parts, () => ok(openMessage(parts, submission))),
    edit: (turnId, submission) => beginWith(parts, () => openBranch(parts, turnId, submission)),
    regenerate: (turnId) => beginWith(parts, () => openBranch(parts, turnId, null)),
    retry: () => beginWith(parts, () => openRetry(parts)),
    sendQueued: () => sendQueued(parts),
    selectBranch: (turnId) => selectBranch(parts, turnId),
    queue: (submission, delivery) => queue(parts, submission, delivery),
    unqueue: (queuedId) => unqueue(parts, queuedId),
    settle: (turnId, callId, settlement, words) => settle(parts, turnId, callId, settlement, words),
    answerPause: (pauseId, goOn) => answerPause(parts, pauseId, goOn),
    busy: () => conductor.activity().type !== 'idle',
    stop: () => conductor.stop('stopped'),
    answer: (approvalId, shown, given) => answer(parts, approvalId, shown, given),
    request: (approvalId) => waitingRequest(parts, approvalId),
    revokeGrant: (grantId) => revokeGrant(parts, grantId),
    rename: (title) => note({ turn_id: null, type: 'session_renamed', data: { title, by: 'person' } }),
    archive: (archived) => note({ turn_id: null, type: 'session_archived', data: { archived } }),
    setModel: (model) => note({ turn_id: null, type: 'session_model_changed', data: { model } }),
    setMode: (mode) => note({ turn_id: null, type: 'session_mode_changed', data: { mode } }),
    setEffort: (effort) => note({ turn_id: null, type: 'session_effort_changed', data: { effort } }),
    setLimits: (limits) => note({ turn_id: null, type: 'session_limits_changed', data: { limits } }),
    standing: (signal) => standing(parts, signal),
    tools: (signal) => tools(parts, signal),
    subscribe: (afterSeq, listener) => stream.subscribe(afterSeq, listener),
    close: () => close(parts),
  });
}
