import {
  orderedTurns,
  type SessionView,
  type TokenUsage,
  type TurnView,
} from '../../../src-preload/contract';

/** What a continued session's numbers hold of the session before: its turns came along with their times. */
export interface CarriedUse {
  readonly turns: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

function usagesOf(turn: TurnView): readonly TokenUsage[] {
  return [
    ...turn.attempts.flatMap(({ message, failed }) =>
      [message?.data.usage, failed?.data.usage].filter((usage) => usage !== undefined),
    ),
    ...turn.compactions.map((compaction) => compaction.data.usage),
  ];
}

/** Null where nothing was carried over, and until the beginning of the session has arrived. */
export function carriedUse(view: SessionView): CarriedUse | null {
  const { continues, created_at: created } = view;
  if (!continues || created === null) return null;
  const carried = orderedTurns(view).filter((turn) => {
    const opened = turn.submitted ?? turn.retried ?? turn.rerun;
    return opened !== null && opened.at < created;
  });
  if (carried.length === 0) return null;
  const usages = carried.flatMap(usagesOf);
  return {
    turns: carried.length,
    input_tokens: usages.reduce(
      (sum, usage) => sum + (usage.input_tokens ?? usage.estimate?.input_tokens ?? 0),
      0,
    ),
    output_tokens: usages.reduce(
      (sum, usage) => sum + (usage.output_tokens ?? usage.estimate?.output_tokens ?? 0),
      0,
    ),
  };
}
