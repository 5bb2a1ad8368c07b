import { ArrowDown } from 'lucide-react';
import { useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { orderedTurns, type SessionView } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { TurnBlock, type RenderRows } from './turn-block';
import { useFollowEnd } from './use-follow-end';
import './conversation.css';

/** The timeline of one session. */
export function Conversation(props: {
  readonly view: SessionView;
  readonly practice: boolean;
  readonly renderRows: RenderRows;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly empty: ReactNode;
}): ReactNode {
  const { t } = useText();
  const { view, scroller } = props;
  const content = useRef<HTMLDivElement>(null);
  const { atEnd, jump } = useFollowEnd(scroller, content, view.session_id);
  const turns = useMemo(() => orderedTurns(view), [view]);
  return (
    <div className="conversation">
      <div
        className="conversation-scroll"
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={t('conversation.label')}
      >
        <div className="conversation-inner" ref={content}>
          {turns.length === 0 ? props.empty : null}
          {turns.map((turn) => (
            <TurnBlock
              key={turn.turn_id}
              sessionId={view.session_id}
              coworker={view.coworker?.name ?? t('conversation.coworker')}
              turn={turn}
              practice={props.practice}
              renderRows={props.renderRows}
            />
          ))}
        </div>
      </div>
      {atEnd || turns.length === 0 ? null : (
        <button type="button" className="jump-pill" onClick={jump}>
          <ArrowDown size={14} aria-hidden />
          {t('conversation.jump')}
        </button>
      )}
    </div>
  );
}
