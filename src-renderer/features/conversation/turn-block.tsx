import { memo, type ReactNode } from 'react';
import {
  orderedRows,
  rowsOfAttempt,
  turnEnd,
  type CallRow,
  type TurnView,
} from '../../../src-preload/contract';
import { formatTime } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { AttemptBlock } from './attempt-block';
import { attemptRuns } from './attempt-runs';
import { FailedAttempts } from './failed-attempts';
import { TurnEnd } from './turn-end';
import { UserMessage } from './user-message';

export type RenderRows = (turn: TurnView, rows: readonly CallRow[]) => ReactNode;

interface TurnBlockProps {
  readonly sessionId: string;
  readonly coworker: string;
  readonly turn: TurnView;
  readonly practice: boolean;
  readonly renderRows: RenderRows;
}

/** One turn: what the person said and everything that followed from it. Unchanged turns are not drawn again. */
export const TurnBlock = memo(function TurnBlock(props: TurnBlockProps): ReactNode {
  const { t, language } = useText();
  const { turn } = props;
  const attempts = turn.attempts;
  const numbers = new Set(attempts.map((attempt) => attempt.attempt));
  // Rows of which no response is known yet: signals came first.
  const early = orderedRows(turn).filter(
    (row) => row.position === null || !numbers.has(row.position.attempt),
  );
  const starting = attempts.length === 0 && !turnEnd(turn);
  return (
    <article
      className="turn"
      aria-label={turn.submitted ? formatTime(turn.submitted.at, language) : undefined}
    >
      {turn.submitted ? (
        <UserMessage
          sessionId={props.sessionId}
          message={turn.submitted.data}
          unseen={turn.started?.data.sees_images === false}
        />
      ) : null}
      <div className="answer">
        <h2 className="visually-hidden">{props.coworker}</h2>
        {starting ? <p className="working-line">{t('turn.preparing')}</p> : null}
        {attemptRuns(attempts).map((run) => {
          const rows = run.flatMap((attempt) => rowsOfAttempt(turn, attempt.attempt));
          const last = run.at(-1) === attempts.at(-1);
          const shared = { turn, last, practice: props.practice };
          return (
            <div key={run[0].attempt} className="attempt-and-rows">
              {run.length > 1 ? (
                <FailedAttempts attempts={run} {...shared} />
              ) : (
                <AttemptBlock attempt={run[0]} {...shared} />
              )}
              {rows.length === 0 ? null : props.renderRows(turn, rows)}
            </div>
          );
        })}
        {early.length === 0 ? null : props.renderRows(turn, early)}
        <TurnEnd turn={turn} />
      </div>
    </article>
  );
});
