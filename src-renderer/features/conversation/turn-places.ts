import {
  activeTurns,
  turnEnd,
  turnTree,
  type SessionView,
  type TurnView,
} from '../../../src-preload/contract';

/** Where a turn stands among the branches beside it; `at` counts from 1. */
export interface BranchPlace {
  readonly at: number;
  readonly count: number;
  readonly previous: string | null;
  readonly next: string | null;
}

export interface TurnPlace {
  readonly turn: TurnView;
  readonly branch: BranchPlace | null;
  /**
   * The turn whose message may be asked again from here: the head's own, or the one that it goes on from. Null behind
   * a call that was run again: asking again would leave that run out.
   */
  readonly regenerates: string | null;
  /** The head failed or was stopped, so the person can go on from it. */
  readonly retries: boolean;
}

function branchOf(siblings: readonly TurnView[], turn: TurnView): BranchPlace | null {
  const index = siblings.findIndex((sibling) => sibling.turn_id === turn.turn_id);
  if (siblings.length < 2 || index < 0) return null;
  return {
    at: index + 1,
    count: siblings.length,
    previous: siblings[index - 1]?.turn_id ?? null,
    next: siblings[index + 1]?.turn_id ?? null,
  };
}

/** The turns that are read now, oldest first, each with what can be done from it. */
export function turnPlaces(view: SessionView): readonly TurnPlace[] {
  const turns = activeTurns(view);
  const tree = turnTree(view);
  return turns.map((turn, index) => {
    const end = turnEnd(turn);
    const isEndedHead = index === turns.length - 1 && end !== null;
    const asked = turns
      .slice(0, index + 1)
      .findLast((before) => before.submitted !== null || before.rerun !== null);
    return {
      turn,
      branch: branchOf(tree.siblingsOf(turn.turn_id), turn),
      regenerates: isEndedHead && asked?.submitted ? asked.turn_id : null,
      retries: isEndedHead && end.outcome !== 'completed',
    };
  });
}
