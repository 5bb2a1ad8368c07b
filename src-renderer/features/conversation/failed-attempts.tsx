import { useState, type ReactNode } from 'react';
import type { AttemptView, TurnView } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { AttemptBlock } from './attempt-block';

/** Attempts that failed one after the other: the latest stands for all until the person wants to see each. */
export function FailedAttempts(props: {
  readonly turn: TurnView;
  readonly attempts: readonly AttemptView[];
  readonly last: boolean;
  readonly practice: boolean;
}): ReactNode {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const { attempts } = props;
  const shown = open ? attempts : attempts.slice(-1);
  return (
    <div className="failed-attempts">
      <p className="muted small">
        {t('attempt.failed', { count: attempts.length })}{' '}
        <button type="button" className="link-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'attempt.show_last' : 'attempt.show_all')}
        </button>
      </p>
      {shown.map((attempt) => (
        <AttemptBlock
          key={attempt.attempt}
          turn={props.turn}
          attempt={attempt}
          last={props.last && attempt === attempts.at(-1)}
          practice={props.practice}
        />
      ))}
    </div>
  );
}
