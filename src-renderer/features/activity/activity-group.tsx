import type { ReactNode } from 'react';
import type { CallRow, TurnView } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { ActivityRow } from './activity-row';
import './activity.css';

/** The calls of one response, visibly together. */
export function ActivityGroup(props: {
  readonly sessionId: string;
  readonly turn: TurnView;
  readonly rows: readonly CallRow[];
}): ReactNode {
  const { t } = useText();
  const count = props.rows.length;
  return (
    <div className="activity-group card" role="group" aria-label={t('activity.group', { count })}>
      {count > 1 ? <p className="activity-together">{t('activity.together', { count })}</p> : null}
      <ul>
        {props.rows.map((row) => (
          <ActivityRow key={row.call_id} sessionId={props.sessionId} turn={props.turn} row={row} />
        ))}
      </ul>
    </div>
  );
}
