import type {
  AttemptView,
  ContextCompacted,
  DefinitionChanged,
  MessageSteered,
  PauseFact,
  Stated,
  TurnView,
} from '../../../src-preload/contract';
import { attemptRuns, type AttemptRun } from './attempt-runs';

/** What stands in a turn, one below the other. */
export type TurnPiece =
  | { readonly type: 'run'; readonly run: AttemptRun }
  | { readonly type: 'steered'; readonly message: Stated<MessageSteered> }
  | { readonly type: 'compaction'; readonly compaction: Stated<ContextCompacted> }
  | { readonly type: 'definition'; readonly change: Stated<DefinitionChanged> }
  | { readonly type: 'pause'; readonly pause: PauseFact };

interface Placed {
  readonly piece: TurnPiece;
  readonly seq: number;
}

const last = Number.MAX_SAFE_INTEGER;

function attemptSeq(attempt: AttemptView): number {
  return attempt.started?.seq ?? attempt.message?.seq ?? attempt.failed?.seq ?? last;
}

/**
 * Attempts in runs, and between them what happened beside them: a steered message and a compaction before the attempt
 * that first carries them, anything else by its place in the journal.
 */
export function turnPieces(turn: TurnView): readonly TurnPiece[] {
  const before = (number: number, seq: number): number => {
    const carrier = turn.attempts.find((attempt) => attempt.attempt === number);
    return carrier ? Math.min(seq, attemptSeq(carrier) - 0.5) : seq;
  };
  const beside: Placed[] = [
    ...turn.definition_changes.map((change) => ({
      piece: { type: 'definition', change } as const,
      seq: change.seq,
    })),
    ...turn.compactions.map((compaction) => ({
      piece: { type: 'compaction', compaction } as const,
      seq: before(compaction.data.attempt, compaction.seq),
    })),
    ...turn.pauses.map((pause) => ({
      piece: { type: 'pause', pause } as const,
      seq: pause.started?.seq ?? pause.ended?.seq ?? last,
    })),
    ...turn.steered.map((message) => ({
      piece: { type: 'steered', message } as const,
      seq: before(message.data.attempt, message.seq),
    })),
  ].sort((a, b) => a.seq - b.seq);
  const pieces: TurnPiece[] = [];
  let pending: AttemptView[] = [];
  const flush = (): void => {
    for (const run of attemptRuns(pending)) pieces.push({ type: 'run', run });
    pending = [];
  };
  for (const attempt of turn.attempts) {
    while (beside[0] && beside[0].seq < attemptSeq(attempt)) {
      flush();
      pieces.push(beside[0].piece);
      beside.shift();
    }
    pending.push(attempt);
  }
  flush();
  return [...pieces, ...beside.map(({ piece }) => piece)];
}
