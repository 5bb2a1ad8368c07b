import type { TurnView } from '../protocol';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Spans in which the turn waited for a person, in milliseconds of the wall clock; open ones last to the end. */
function waits(turn: TurnView, end: number): Span[] {
  const asked = [...turn.rows.values()].flatMap((row) =>
    row.approvals.map(({ requested, resolved }) => ({ begun: requested, over: resolved })),
  );
  const stood = turn.pauses.map(({ started, ended }) => ({ begun: started, over: ended }));
  return [...asked, ...stood]
    .flatMap(({ begun, over }) =>
      begun ? [{ from: Date.parse(begun.at), to: over ? Date.parse(over.at) : end }] : [],
    )
    .sort((a, b) => a.from - b.from);
}

/**
 * How long a turn worked whose process is gone, as far as its records tell: from its opening to its last record, without
 * the time in which it waited for a person. Milliseconds by the wall clock, never negative.
 */
export function workedByRecord(turn: TurnView, lastRecordAt: string): number {
  const opening = turn.submitted ?? turn.retried ?? turn.rerun;
  if (!opening) return 0;
  const end = Date.parse(lastRecordAt);
  let worked = 0;
  let from = Date.parse(opening.at);
  for (const wait of waits(turn, end)) {
    worked += Math.max(0, Math.min(wait.from, end) - from);
    from = Math.max(from, wait.to);
  }
  return Math.max(0, Math.round(worked + Math.max(0, end - from)));
}
