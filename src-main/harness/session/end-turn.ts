import { failure, ok, type Failure, type Result } from '../protocol';
import type { TurnEnd } from '../turn';
import type { TurnParts } from './conduct-turn';
import { closeTurn, type TurnTimes } from './recover';
import type { Stream } from './stream';
import { tellTools } from './tool-hooks';

const stoppedNote = 'The turn was stopped.';

export function defect(error: unknown): TurnEnd {
  const detail = error instanceof Error ? error.message : String(error);
  const message = `The app failed in this turn (${detail}). What completed stays. Please report this.`;
  return { outcome: 'failed', error: failure('internal', message) };
}

/** The end of a turn as it is to be recorded. */
export interface PendingEnd {
  readonly turn_id: string;
  readonly end: TurnEnd;
  readonly times: TurnTimes;
}

/** Records the end of a turn, and closes first every call that is still open in it. */
export function recordClosed(stream: Stream, { turn_id, end, times }: PendingEnd): Result<unknown> {
  const turn = stream.turn(turn_id);
  if (!turn.ok) return turn;
  if (!turn.value || turn.value.finished) return ok(null);
  const note = end.error?.message ?? stoppedNote;
  return stream.record(closeTurn(turn.value, end, note, times));
}

/** How a turn ended here, and what the journal could not take of it. */
export interface Ended {
  readonly end: TurnEnd;
  readonly unrecorded: PendingEnd | null;
}

/** Tells the tools, forgets what waits, and records the end; `mayBeOpen`: calls may be left without an end. */
export function endTurn(
  { deps, stream, tools, prepared }: TurnParts,
  turnId: string,
  end: TurnEnd,
  began: number,
  mayBeOpen: boolean,
): Ended {
  const { outcome, error } = end;
  const completed = outcome === 'completed';
  const moment = completed ? 'completed' : outcome === 'failed' ? 'ended' : 'revoked';
  // The end of a turn that could not be prepared is none of the former turn's tools; what ends consent is.
  if (prepared === turnId || moment === 'revoked') {
    tellTools(deps, tools, stream.facts().session_id, moment);
  }
  stream.desk.clear();
  const times = {
    duration_ms: Math.round(deps.clock() - began),
    worked_ms: Math.round(stream.work.worked()),
  };
  const pending: PendingEnd = { turn_id: turnId, end, times };
  const data = { outcome, error, ...times };
  const recorded =
    mayBeOpen || !completed
      ? recordClosed(stream, pending)
      : stream.record([{ turn_id: turnId, type: 'turn_finished', data }]);
  if (recorded.ok) return { end, unrecorded: null };
  return { end: unrecordedEnd(stream, pending, recorded.error), unrecorded: pending };
}

/** Tells whoever watches that the turn is over although no record says so. */
function unrecordedEnd(stream: Stream, { turn_id, end }: PendingEnd, why: Failure): TurnEnd {
  const error = end.error ?? why;
  stream.emit({ type: 'turn_unrecorded', turn_id, error });
  return { outcome: 'failed', error };
}

/** Ends a turn that only waits for a person, without going on with it. Answers what the journal could not take. */
export function endWithout(stream: Stream, turnId: string, end: TurnEnd): PendingEnd | null {
  stream.desk.clear();
  const pending: PendingEnd = { turn_id: turnId, end, times: {} };
  const recorded = recordClosed(stream, pending);
  if (recorded.ok) return null;
  unrecordedEnd(stream, pending, recorded.error);
  return pending;
}
