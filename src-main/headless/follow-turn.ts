import {
  foldSession,
  openPause,
  openTurn,
  orderedRows,
  pendingApprovals,
  turnEnd,
  waitingApproval,
  type Failure,
  type Session,
  type SessionView,
  type TurnOutcome,
  type TurnView,
} from '../harness';

/** How a turn went on: to its end, or to where it waits for a person once more. */
export interface FollowedTurn {
  readonly status: TurnOutcome | 'waiting';
  readonly error: Failure | null;
  readonly turn_id: string;
  /** Ids of the requests and pauses that wait. */
  readonly waiting: readonly string[];
}

/** Whether nothing of the turn goes on until a person says something. */
export function waitsForPerson(turn: TurnView): boolean {
  if (openPause(turn)) return true;
  const open = orderedRows(turn).filter((row) => row.finished === null);
  return open.length > 0 && open.every((row) => waitingApproval(row, turn) !== null);
}

/** Ids of what waits for a person in this session. */
export function waitingIds(view: SessionView): readonly string[] {
  const turn = openTurn(view);
  const pause = turn && openPause(turn);
  return [
    ...pendingApprovals(view).map(({ approval_id }) => approval_id),
    ...(pause ? [pause.pause_id] : []),
  ];
}

/** What to follow: a turn on from what is known of its session. */
export interface Following {
  readonly session: Session;
  readonly view: SessionView;
  readonly turn_id: string;
  /** Whether it is done with a turn that waits for a person like this; without it, only with its end. */
  readonly rests?: (turn: TurnView) => boolean;
}

/** Settles when the turn, and what was queued behind it, has ended, or rests. */
export function followTurn({ session, view: known, turn_id, rests }: Following): Promise<FollowedTurn> {
  return new Promise((resolve) => {
    let view = known;
    let following = turn_id;
    let unwatch = (): void => undefined;
    const settle = (status: FollowedTurn['status'], error: Failure | null): void => {
      unwatch();
      resolve({ status, error, turn_id: following, waiting: waitingIds(view) });
    };
    const look = (): void => {
      const turn = view.turns.get(following);
      if (!turn) return;
      const end = turnEnd(turn);
      if (!end) {
        if (rests?.(turn)) settle('waiting', null);
      } else if (!session.busy()) settle(end.outcome, end.error);
      else {
        // A message that was queued has gone on behind it.
        const next = openTurn(view)?.turn_id ?? following;
        if (next === following) return;
        following = next;
        look();
      }
    };
    unwatch = session.subscribe(known.last_seq, ({ events, signals }) => {
      view = foldSession(view, [
        ...events.map((event) => ({ kind: 'event', event }) as const),
        ...signals.map((signal) => ({ kind: 'signal', signal }) as const),
      ]);
      // What the session does with an end comes right behind it.
      setImmediate(look);
    });
  });
}
