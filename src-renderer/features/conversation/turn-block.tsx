import { memo, type ReactNode } from 'react';
import {
  openPause,
  orderedRows,
  rowsOfAttempt,
  turnEnd,
  type CallRow,
  type TurnView,
} from '../../../src-preload/contract';
import { formatTime } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { AttemptBlock, Working } from './attempt-block';
import type { AttemptRun } from './attempt-runs';
import { BranchNav } from './branch-nav';
import { FailedAttempts } from './failed-attempts';
import { CompactionNote, DefinitionNote, PauseNote, TurnOrigin } from './side-notes';
import { TurnEnd } from './turn-end';
import { turnPieces, type TurnPiece } from './turn-pieces';
import type { BranchPlace } from './turn-places';
import type { Steps } from './use-look';
import { TurnTools } from './turn-tools';
import { SteeredMessage, UserMessage } from './user-message';

export type RenderRows = (turn: TurnView, rows: readonly CallRow[]) => ReactNode;

interface TurnBlockProps {
  readonly sessionId: string;
  readonly coworker: string;
  readonly turn: TurnView;
  readonly branch: BranchPlace | null;
  readonly regenerates: string | null;
  readonly retries: boolean;
  /** Nothing runs, and the session may go on: the person can change course. */
  readonly idle: boolean;
  readonly steps: Steps;
  readonly practice: boolean;
  readonly renderRows: RenderRows;
}

function Run(props: TurnBlockProps & { readonly run: AttemptRun }): ReactNode {
  const { turn, run } = props;
  const rows = run.flatMap((attempt) => rowsOfAttempt(turn, attempt.attempt));
  const shared = { turn, last: run.at(-1) === turn.attempts.at(-1), practice: props.practice };
  return (
    <div className="attempt-and-rows">
      {run.length > 1 ? (
        <FailedAttempts attempts={run} {...shared} />
      ) : (
        <AttemptBlock attempt={run[0]} {...shared} />
      )}
      {rows.length === 0 ? null : props.renderRows(turn, rows)}
    </div>
  );
}

function Piece(props: TurnBlockProps & { readonly piece: TurnPiece }): ReactNode {
  const { piece, sessionId, turn } = props;
  switch (piece.type) {
    case 'run':
      return <Run {...props} run={piece.run} />;
    case 'steered':
      return (
        <SteeredMessage
          sessionId={sessionId}
          message={piece.message.data}
          unseen={turn.started?.data.sees_images === false}
        />
      );
    case 'compaction':
      return <CompactionNote compaction={piece.compaction.data} />;
    case 'definition':
      return <DefinitionNote change={piece.change.data} />;
    case 'pause':
      return <PauseNote pause={piece.pause} />;
  }
}

function keyOf(piece: TurnPiece): string {
  switch (piece.type) {
    case 'run':
      return `run ${piece.run[0].attempt}`;
    case 'steered':
      return piece.message.data.message_id;
    case 'compaction':
      return piece.compaction.data.compaction_id;
    case 'definition':
      return `definition ${piece.change.seq}`;
    case 'pause':
      return piece.pause.pause_id;
  }
}

/** What opened the turn: a message, or an act without one. */
function Opening(props: TurnBlockProps): ReactNode {
  const { turn, branch, idle } = props;
  const branches = branch ? <BranchNav turnId={turn.turn_id} branch={branch} steps={props.steps} /> : null;
  if (turn.submitted) {
    return (
      <UserMessage
        sessionId={props.sessionId}
        turnId={turn.turn_id}
        message={turn.submitted.data}
        unseen={turn.started?.data.sees_images === false}
        editable={idle}
        branches={branches}
      />
    );
  }
  return (
    <>
      {turn.retried ? <TurnOrigin kind="retried" /> : null}
      {turn.rerun ? <TurnOrigin kind="rerun" /> : null}
      {branches}
    </>
  );
}

/** One turn: what the person said and everything that followed from it. Unchanged turns are not drawn again. */
export const TurnBlock = memo(function TurnBlock(props: TurnBlockProps): ReactNode {
  const { t, language } = useText();
  const { turn, idle } = props;
  const numbers = new Set(turn.attempts.map((attempt) => attempt.attempt));
  // Rows of which no response is known: signals came first, or a person had the call run again.
  const loose = orderedRows(turn).filter(
    (row) => row.position === null || !numbers.has(row.position.attempt),
  );
  const ended = turnEnd(turn) !== null;
  const opened = turn.submitted ?? turn.retried ?? turn.rerun;
  const compacting = turn.compacting !== null && !ended;
  const quiet = turn.attempts.length === 0 && loose.length === 0 && !ended;
  const starting = quiet && !compacting && openPause(turn) === null;
  return (
    <article
      className="turn"
      data-turn-id={turn.turn_id}
      aria-label={opened ? formatTime(opened.at, language) : undefined}
    >
      <Opening {...props} />
      <div className="answer">
        <h2 className="visually-hidden">{props.coworker}</h2>
        {starting ? <p className="working-line">{t('turn.preparing')}</p> : null}
        {turnPieces(turn).map((piece) => (
          <Piece key={keyOf(piece)} {...props} piece={piece} />
        ))}
        {loose.length === 0 ? null : props.renderRows(turn, loose)}
        {compacting ? <Working label={t('compaction.working')} /> : null}
        <TurnEnd turn={turn} retries={props.retries && idle} />
        {ended ? (
          <TurnTools
            sessionId={props.sessionId}
            turn={turn}
            regenerates={idle ? props.regenerates : null}
            retries={idle && props.retries}
          />
        ) : null}
      </div>
    </article>
  );
});
