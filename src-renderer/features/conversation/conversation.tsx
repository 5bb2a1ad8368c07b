import { ArrowDown, ArrowUpRight } from 'lucide-react';
import { useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { openTurn, type SessionView } from '../../../src-preload/contract';
import { RichText, useText } from '../../messages/use-text';
import { valueOr, type Sessions } from '../../state/host-store';
import { useActions, useHost } from '../../state/use-app';
import { VisibleText } from '../../ui/visible-text';
import { TurnBlock, type RenderRows } from './turn-block';
import { turnPlaces } from './turn-places';
import { useFollowEnd } from './use-follow-end';
import { useShownTurns } from './use-shown-turns';
import './conversation.css';
import './turn.css';

const none: Sessions = new Map();

/** Says which session this one carries on, and leads there. */
function ContinuesLine({ from }: { readonly from: string }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const title = useHost((state) => valueOr(state.sessions, none).get(from)?.title);
  const link = (
    <button
      key="session"
      type="button"
      className="link-button"
      onClick={() => actions.goTo({ type: 'session', session_id: from })}
    >
      <VisibleText text={title ?? ''} />
    </button>
  );
  return (
    <p className="side-line">
      <ArrowUpRight size={14} aria-hidden />
      <span>
        {title === undefined ? (
          t('continues.gone')
        ) : (
          <RichText message="continues.from" slots={{ session: link }} />
        )}
      </span>
    </p>
  );
}

/** The timeline of one session. */
export function Conversation(props: {
  readonly view: SessionView;
  readonly practice: boolean;
  /** Older parts are still on their way. */
  readonly loadsEarlier: boolean;
  /** The session is read only: nothing can be begun from its turns. */
  readonly locked: boolean;
  /** Draws every turn, for who searches them. */
  readonly all: boolean;
  readonly renderRows: RenderRows;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly empty: ReactNode;
}): ReactNode {
  const { t } = useText();
  const { view, scroller, loadsEarlier } = props;
  const content = useRef<HTMLDivElement>(null);
  const { atEnd, jump } = useFollowEnd(scroller, content, view.session_id);
  const places = useMemo(() => turnPlaces(view), [view]);
  const idle = !props.locked && openTurn(view) === null;
  const { shown, top } = useShownTurns(places, scroller, props.all);
  const whole = !loadsEarlier && shown.length === places.length;
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
          <div ref={top} className="timeline-top" role="status">
            {loadsEarlier ? <p className="side-line">{t('conversation.loads_earlier')}</p> : null}
          </div>
          {whole && view.continues ? <ContinuesLine from={view.continues.session_id} /> : null}
          {whole && places.length === 0 ? props.empty : null}
          {shown.map(({ turn, branch, regenerates, retries }) => (
            <TurnBlock
              key={turn.turn_id}
              sessionId={view.session_id}
              coworker={view.coworker?.name ?? t('conversation.coworker')}
              turn={turn}
              branch={branch}
              regenerates={regenerates}
              retries={retries}
              idle={idle}
              practice={props.practice}
              renderRows={props.renderRows}
            />
          ))}
        </div>
      </div>
      {atEnd || places.length === 0 ? null : (
        <button type="button" className="jump-pill" onClick={jump}>
          <ArrowDown size={14} aria-hidden />
          {t('conversation.jump')}
        </button>
      )}
    </div>
  );
}
