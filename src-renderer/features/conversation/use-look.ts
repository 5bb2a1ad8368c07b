import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import {
  activeTurns,
  rowState,
  turnTree,
  type SessionView,
  type TurnView,
} from '../../../src-preload/contract';
import { useActions, useUi } from '../../state/use-app';

/** A branch that is read without being selected, and the head that it was read beside. */
interface Kept {
  readonly head: string | null;
  readonly end: string;
}

/** A call of unknown outcome, for a reveal. */
export interface CallPlace {
  readonly turn_id: string;
  readonly call_id: string;
}

export interface Look {
  /** The session as it is read: with the head of the branch that is looked at. */
  readonly view: SessionView;
  /** What is read is not the branch that goes on. */
  readonly away: boolean;
  show(turnId: string): void;
  back(): void;
}

const includes = (turns: readonly TurnView[], turnId: string): boolean =>
  turns.some((turn) => turn.turn_id === turnId);

/** The view with another branch to read, or itself where the branch is its own. */
export function viewAt(view: SessionView, end: string | null): SessionView {
  return end === null || !view.head ? view : { ...view, head: { ...view.head, data: end } };
}

/** A branch to read on which a turn stands; null where the selected one has it. */
export function endToRead(view: SessionView, turnId: string): string | null {
  return includes(activeTurns(view), turnId) ? null : turnTree(view).newestEndOf(turnId);
}

/** Calls of unknown outcome that no person has settled, in turns that are not read now; the oldest first. */
export function unknownElsewhere(view: SessionView): readonly CallPlace[] {
  const read = new Set(activeTurns(view).map((turn) => turn.turn_id));
  return [...view.turns.values()]
    .filter((turn) => !read.has(turn.turn_id))
    .sort((a, b) => a.seq - b.seq)
    .flatMap((turn) =>
      [...turn.rows.values()]
        .filter((row) => row.settled === null && rowState(row, turn) === 'outcome_unknown')
        .map(({ turn_id, call_id }) => ({ turn_id, call_id })),
    );
}

/**
 * Reads branches without selecting one, so that it can be done while a turn runs or waits. The look ends by itself
 * when the session goes on at another turn, or when something points at a turn of the selected branch.
 */
export function useLook(view: SessionView): Look {
  const [kept, setKept] = useState<Kept | null>(null);
  const head = view.head?.data ?? null;
  const end = kept !== null && kept.head === head && kept.end !== head ? kept.end : null;
  const read = useMemo(() => viewAt(view, end), [view, end]);
  const pointed = useUi((state) =>
    state.reveal?.target.type === 'row' ? state.reveal.target.turn_id : null,
  );
  useEffect(() => {
    if (pointed === null || !view.turns.has(pointed) || includes(activeTurns(read), pointed)) return;
    const there = endToRead(view, pointed);
    setKept(there === null ? null : { head, end: there });
  }, [pointed, view, read, head]);
  return {
    view: read,
    away: end !== null,
    show: (turnId) => setKept({ head, end: turnTree(view).newestEndOf(turnId) }),
    back: () => setKept(null),
  };
}

export type Direction = 'previous' | 'next';

/** Which version was asked for, and where on the screen the asking stood. */
interface Arrival {
  readonly turnId: string;
  readonly direction: Direction;
  readonly top: number;
}

/** Steps between versions; the same object for as long as the conversation stands. */
export interface Steps {
  step(turnId: string, direction: Direction, from: HTMLElement): void;
  /** The step that led to this turn, once. */
  arrived(turnId: string): Arrival | null;
}

/** `select`: the session goes on from there. Otherwise it is only read. */
export function useSteps(given: {
  readonly sessionId: string;
  readonly look: Look;
  readonly selects: boolean;
  readonly onStep: () => void;
}): Steps {
  const actions = useActions();
  const latest = useRef(given);
  useLayoutEffect(() => {
    latest.current = given;
  });
  const arrival = useRef<Arrival | null>(null);
  return useMemo(
    () => ({
      step(turnId, direction, from) {
        const { sessionId, look, selects, onStep } = latest.current;
        onStep();
        arrival.current = { turnId, direction, top: from.getBoundingClientRect().top };
        if (!selects) look.show(turnId);
        else
          void actions.selectBranch(sessionId, turnId).then((taken) => {
            if (!taken) arrival.current = null;
          });
      },
      arrived(turnId) {
        const found = arrival.current?.turnId === turnId ? arrival.current : null;
        if (found) arrival.current = null;
        return found;
      },
    }),
    [actions],
  );
}
