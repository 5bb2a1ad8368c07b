import { failure, ok, type Result } from '../protocol';
import type { StopReason, TurnEnd } from '../turn';
import { conduct, lastPins, prepare, type Beginning, type TurnParts } from './conduct-turn';
import { createDefinitionWatch } from './definition-watch';
import { defect, endTurn, endWithout, recordClosed, type PendingEnd } from './end-turn';
import type { PauseDesk } from './pause-desk';
import type { Prepared } from './prepare';
import { expectAnswers } from './expect-answers';
import type { SuspendedTurn } from './recover';
import type { SessionDeps } from './session-port';
import type { Stream } from './stream';
import { tellTools } from './tool-hooks';

type Activity =
  | { readonly type: 'idle' }
  | { readonly type: 'running'; readonly stop: AbortController; readonly done: Promise<TurnEnd> }
  | { readonly type: 'suspended'; readonly turn: SuspendedTurn };

/** Runs the turns of one session, one at a time. */
export interface Conductor {
  readonly activity: () => Activity;
  /** Settles, never rejects, with the end of the turn, recorded or not. */
  begin(turnId: string, from: Beginning): Promise<TurnEnd>;
  /** Records at last the end of a turn that the journal could not take before; ok when there is none. */
  settle(): Result<unknown>;
  /** Ends the suspended turn without going on with it. */
  endSuspended(end: TurnEnd): void;
  stop(reason: StopReason): Promise<void>;
  prepare(signal: AbortSignal): Promise<Result<Prepared>>;
  /** Has the tools of the last turn give up what the person allowed them (S0-13). */
  revoke(): void;
  /** Lets go of a turn that waits for a person, without a record: the session is closed, and the journal keeps it open. */
  abandon(): Promise<void>;
}

async function endRunning(activity: Activity, reason: StopReason): Promise<void> {
  if (activity.type !== 'running') return;
  activity.stop.abort(reason);
  await activity.done;
}

const expiredEnd: TurnEnd = {
  outcome: 'failed',
  error: failure('expired', 'Nobody answered in time, so this turn was ended. Send a message to go on.'),
};

export function createConductor(
  deps: SessionDeps,
  stream: Stream,
  pauses: PauseDesk,
  suspended: SuspendedTurn | null,
): Conductor {
  const watch = createDefinitionWatch(deps.journal, () => lastPins(stream));
  const parts: TurnParts = { deps, stream, pauses, watch, tools: [], prepared: null };
  let activity: Activity = suspended ? { type: 'suspended', turn: suspended } : { type: 'idle' };
  /** A turn whose end the journal could not take. It is over all the same, and nothing of it goes on. */
  let unrecorded: PendingEnd | null = null;
  const begin = (turnId: string, from: Beginning): Promise<TurnEnd> => {
    const stop = new AbortController();
    const began = deps.clock();
    const open = from.type === 'suspended' ? (from.turn.response?.pending.values() ?? []) : [];
    stream.work.begin([...open].map(({ approval_id }) => approval_id));
    const finish = (end: TurnEnd, mayBeOpen: boolean): TurnEnd => {
      activity = { type: 'idle' };
      const ended = endTurn(parts, turnId, end, began, mayBeOpen);
      unrecorded = ended.unrecorded;
      return ended.end;
    };
    const done = conduct(parts, turnId, from, stop.signal).then(
      (end) => finish(end, from.type === 'suspended'),
      (error: unknown) => finish(defect(error), true),
    );
    activity = { type: 'running', stop, done };
    return done;
  };
  const endSuspended = (end: TurnEnd): void => {
    if (activity.type !== 'suspended') return;
    const { turn_id } = activity.turn;
    activity = { type: 'idle' };
    unrecorded = endWithout(stream, turn_id, end);
  };
  expectAnswers(deps, stream, suspended, () => stream.desk.waits() || endSuspended(expiredEnd));
  return {
    activity: () => activity,
    begin,
    settle() {
      if (!unrecorded) return ok(null);
      const settled = recordClosed(stream, unrecorded);
      if (settled.ok) unrecorded = null;
      return settled;
    },
    endSuspended,
    async stop(reason) {
      if (reason === 'stopped') endSuspended({ outcome: 'stopped', error: null });
      await endRunning(activity, reason);
    },
    prepare: (signal) => prepare(parts, signal),
    revoke: () => {
      tellTools(deps, parts.tools, stream.facts().session_id, 'revoked');
      parts.tools = [];
    },
    abandon: () => endRunning(activity, 'closing'),
  };
}
