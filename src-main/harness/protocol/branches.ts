import { orderedTurns, type SessionView, type TurnView } from './session-view';

/** Turns form a tree: each follows one, or none. What a person reads and a model gets is the path to the head. */
export interface TurnTree {
  /** Null for a turn that follows none; undefined where the turn's opening is not known yet. */
  parentOf(turnId: string): string | null | undefined;
  /** Turns beside this one, itself included, oldest first: the branches between which a person can choose. */
  siblingsOf(turnId: string): readonly TurnView[];
  /** From the first turn to `head`, as far as it is known. */
  pathTo(head: string): readonly TurnView[];
  /** The newest end of the branch that goes on from this turn. */
  newestEndOf(turnId: string): string;
}

type Opened = Pick<TurnView, 'submitted' | 'retried' | 'rerun'>;

function followed(turn: Opened): string | null | undefined {
  if (turn.submitted) return turn.submitted.data.follows;
  if (turn.retried) return turn.retried.data.follows;
  return turn.rerun?.data.follows;
}

function isOpened(turn: Opened): boolean {
  return turn.submitted !== null || turn.retried !== null || turn.rerun !== null;
}

/** Views do not change, and several readers of one view ask for its tree. */
const known = new WeakMap<SessionView, TurnTree>();

export function turnTree(view: SessionView): TurnTree {
  const tree = known.get(view) ?? growTree(view);
  known.set(view, tree);
  return tree;
}

function growTree(view: SessionView): TurnTree {
  const turns = orderedTurns(view);
  const parents = new Map<string, string | null | undefined>();
  const children = new Map<string | null, TurnView[]>();
  turns.forEach((turn, index) => {
    const named = followed(turn);
    const before = turns[index - 1]?.turn_id ?? null;
    const parent = !isOpened(turn) ? undefined : named === undefined ? before : named;
    parents.set(turn.turn_id, parent);
    if (parent === undefined) return;
    const beside = children.get(parent);
    if (beside) beside.push(turn);
    else children.set(parent, [turn]);
  });
  return {
    parentOf: (turnId) => parents.get(turnId),
    siblingsOf(turnId) {
      const parent = parents.get(turnId);
      const own = view.turns.get(turnId);
      return parent === undefined ? (own ? [own] : []) : (children.get(parent) ?? []);
    },
    pathTo(head) {
      const path: TurnView[] = [];
      const seen = new Set<string>();
      for (let id: string | null | undefined = head; typeof id === 'string' && !seen.has(id);) {
        const turn = view.turns.get(id);
        if (!turn) break;
        seen.add(id);
        path.push(turn);
        id = parents.get(id);
      }
      return path.reverse();
    },
    newestEndOf(turnId) {
      let end = turnId;
      const seen = new Set<string>();
      for (;;) {
        if (seen.has(end)) return end;
        seen.add(end);
        const next = children.get(end)?.at(-1);
        if (!next) return end;
        end = next.turn_id;
      }
    },
  };
}

/** The turns that a person reads now, in order: the path to the head. */
export function activeTurns(view: SessionView): readonly TurnView[] {
  return view.head ? turnTree(view).pathTo(view.head.data) : orderedTurns(view);
}
