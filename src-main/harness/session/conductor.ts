import { failure, ok, openTurn, type Failure, type Result } from '../protocol';
import { runTurn, type StopReason, type TurnDeps, type TurnEnd } from '../turn';
import { prepareTurn, toolFacts, type Prepared } from './prepare';
import { closeTurn, type Denials, type SuspendedTurn } from './recover';
import type { SessionDeps } from './session-port';
import type { Stream } from './stream';

type Activity =
  | { readonly type: 'idle' }
  | { readonly type: 'running'; readonly stop: AbortController; readonly done: Promise<TurnEnd> }
  | { readonly type: 'suspended'; readonly turn: SuspendedTurn };

/** Runs the turns of one session, one at a time. */
export interface Conductor {
  readonly activity: () => Activity;
  /** Settles, never rejects, with the end of the turn, recorded or not. */
  begin(turnId: string): Promise<TurnEnd>;
  /** Records at last the end of a turn that the journal could not take before; ok when there is none. */
  settle(): Result<unknown>;
  /** Goes on with the suspended turn. */
  resume(turn: SuspendedTurn): void;
  stop(reason: StopReason): Promise<void>;
  prepare(signal: AbortSignal): Promise<Result<Prepared>>;
}

function stoppedEnd(reason: StopReason): TurnEnd {
  if (reason === 'stopped') return { outcome: 'stopped', error: null };
  return { outcome: 'interrupted', error: failure('interrupted', 'The app was closed while this turn ran.') };
}

function defect(error: unknown): TurnEnd {
  const detail = error instanceof Error ? error.message : String(error);
  const message = `The app failed in this turn (${detail}). What completed stays. Please report this.`;
  return { outcome: 'failed', error: failure('internal', message) };
}

function turnDepsOf(deps: SessionDeps, stream: Stream, turnId: string): TurnDeps {
  return {
    record: (events) => stream.record(events),
    emit: (signal) => stream.emit(signal),
    desk: stream.desk,
    standing: deps.standing,
    schemas: deps.schemas,
    grants: () => stream.facts().grants.map((grant) => grant.data),
    mode: () => stream.facts().mode?.data ?? 'ask',
    clock: deps.clock,
    newId: deps.newId,
    sleep: deps.sleep,
    history: stream.history,
    onLiveText: (attempt, text, reasoning) => stream.live.text(turnId, attempt, text, reasoning),
  };
}

/** Records the end of a turn, and closes first every call that is still open in it. */
function recordClosed(stream: Stream, turnId: string, end: TurnEnd, denials?: Denials): Result<unknown> {
  const view = stream.view();
  if (!view.ok) return view;
  const turn = view.value.turns.get(turnId);
  if (!turn || turn.finished) return ok(null);
  return stream.record(closeTurn(turn, end, end.error?.message ?? 'The turn was stopped.', denials));
}

async function prepare(deps: SessionDeps, stream: Stream, signal: AbortSignal): Promise<Result<Prepared>> {
  const { session_id, coworker, workspace, model } = stream.facts();
  if (!coworker || !model) {
    return {
      ok: false,
      error: failure('internal', `Session ${session_id} has no coworker or model on record.`),
    };
  }
  return prepareTurn(deps, { session_id, coworker_id: coworker.id, workspace, model: model.data }, signal);
}

/** Requests that a restart left behind can be answered before their turn goes on. */
function expectAnswers(stream: Stream, suspended: SuspendedTurn | null): void {
  for (const { approval_id, arguments_digest } of suspended?.response.pending.values() ?? []) {
    stream.desk.expect(approval_id, arguments_digest);
  }
}

/** Denials of a suspended turn that never reached their calls, because the turn could not be prepared. */
function denialsOf(stream: Stream, from: SuspendedTurn | null): Denials {
  const denials = new Map<string, { readonly note: string }>();
  for (const { approval_id } of from?.response.pending.values() ?? []) {
    const answer = stream.desk.withdraw(approval_id);
    if (answer?.type === 'deny') denials.set(approval_id, { note: answer.note });
  }
  return denials;
}

/** Prepares and runs one turn. Answers its end; the caller records it. */
async function conduct(
  deps: SessionDeps,
  stream: Stream,
  turnId: string,
  from: SuspendedTurn | null,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const failed = (error: Failure): TurnEnd => ({ outcome: 'failed', error });
  const prepared = await prepare(deps, stream, signal);
  if (signal.aborted) return stoppedEnd(signal.reason as StopReason);
  if (!prepared.ok) return failed(prepared.error);
  const { bundle, system, provider, tools } = prepared.value;
  const { session_id, workspace, model: chosen, mode } = stream.facts();
  const model = chosen?.data ?? { provider: '', name: '' };
  const sees_images = provider.seesImages(model.name);
  const data = {
    model,
    sees_images,
    mode: mode?.data ?? 'ask',
    bundle_digest: bundle.digest,
    tools: tools.map(toolFacts),
  };
  const started = stream.record([{ turn_id: turnId, type: 'turn_started', data }]);
  if (!started.ok) return failed(started.error);
  const plan = {
    session_id,
    turn_id: turnId,
    coworker_id: bundle.id,
    workspace,
    system,
    model,
    provider,
    tools,
  };
  const start = { attempt: from?.attempt ?? 0, response: from?.response ?? null };
  return runTurn(turnDepsOf(deps, stream, turnId), plan, start, signal);
}

export function createConductor(
  deps: SessionDeps,
  stream: Stream,
  suspended: SuspendedTurn | null,
): Conductor {
  expectAnswers(stream, suspended);
  let activity: Activity = suspended ? { type: 'suspended', turn: suspended } : { type: 'idle' };

  /** A turn whose end the journal could not take. It is over all the same, and nothing of it goes on. */
  let unrecorded: { readonly turnId: string; readonly end: TurnEnd } | null = null;

  const begin = (turnId: string, from: SuspendedTurn | null): Promise<TurnEnd> => {
    const stop = new AbortController();
    const finish = (end: TurnEnd, mayBeOpen: boolean): TurnEnd => {
      activity = { type: 'idle' };
      const denials = denialsOf(stream, from);
      stream.desk.clear();
      const event = {
        turn_id: turnId,
        type: 'turn_finished',
        data: { outcome: end.outcome, error: end.error },
      } as const;
      const recorded = mayBeOpen ? recordClosed(stream, turnId, end, denials) : stream.record([event]);
      if (recorded.ok) return end;
      unrecorded = { turnId, end };
      const error = end.error ?? recorded.error;
      stream.emit({ type: 'turn_unrecorded', turn_id: turnId, error });
      return { outcome: 'failed', error };
    };
    const done = conduct(deps, stream, turnId, from, stop.signal).then(
      (end) => finish(end, from !== null),
      (error: unknown) => finish(defect(error), true),
    );
    activity = { type: 'running', stop, done };
    return done;
  };

  const stopSuspended = (): void => {
    activity = { type: 'idle' };
    stream.desk.clear();
    const view = stream.view();
    const turn = view.ok ? openTurn(view.value) : null;
    if (turn) stream.record(closeTurn(turn, { outcome: 'stopped', error: null }, 'The turn was stopped.'));
  };

  return {
    activity: () => activity,
    begin: (turnId) => begin(turnId, null),
    settle() {
      if (!unrecorded) return ok(null);
      const settled = recordClosed(stream, unrecorded.turnId, unrecorded.end);
      if (settled.ok) unrecorded = null;
      return settled;
    },
    resume: (turn) => void begin(turn.turn_id, turn),
    async stop(reason) {
      if (activity.type === 'suspended' && reason === 'stopped') stopSuspended();
      if (activity.type !== 'running') return;
      const { stop, done } = activity;
      stop.abort(reason);
      await done;
    },
    prepare: (signal) => prepare(deps, stream, signal),
  };
}
