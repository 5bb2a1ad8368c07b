import { ArrowDown, ArrowUpRight } from 'lucide-react';
import { useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { openTurn, type SessionView } from '../../../src-preload/contract';
import { RichText, useText } from '../../messages/use-text';
import { valueOr, type Sessions } from '../../state/host-store';
import { useActions, useHost } from '../../state/use-app';
import { VisibleText } from '../../ui/visible-text';
import { LookBar } from './look-bar';
import { TurnBlock, type RenderRows } from './turn-block';
import { turnPlaces, type TurnPlace } from './turn-places';
import { useFollowEnd } from './use-follow-end';
import { useLook, useSteps, type Steps } from './use-look';
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

interface ConversationProps {
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
}

/** The turns of the version that is read, and what stands before the first. */
function Turns(
  props: ConversationProps & {
    readonly places: readonly TurnPlace[];
    readonly idle: boolean;
    readonly steps: Steps;
  },
): ReactNode {
  const { t } = useText();
  const { view, places, loadsEarlier } = props;
  const { shown, top } = useShownTurns(places, props.scroller, props.all);
  const whole = !loadsEarlier && shown.length === places.length;
  return (
    <>
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
          idle={props.idle}
          steps={props.steps}
          practice={props.practice}
          renderRows={props.renderRows}
        />
      ))}
    </>
  );
}

/** The timeline of one session: the version that goes on, or another one while it is read. */
export function Conversation(props: ConversationProps): ReactNode {
  const { t } = useText();
  const { scroller } = props;
  const look = useLook(props.view);
  const { view } = look;
  const content = useRef<HTMLDivElement>(null);
  const { atEnd, jump, hold } = useFollowEnd(scroller, content, view.session_id);
  const places = useMemo(() => turnPlaces(view), [view]);
  const free = !props.locked && openTurn(view) === null;
  const idle = free && !look.away;
  const steps = useSteps({ sessionId: view.session_id, look, selects: idle, onStep: hold });
  const goBack = (): void => {
    look.back();
    scroller.current?.focus();
    jump();
  };
  return (
    <>
      <LookBar look={look} idle={free} onBack={goBack} />
      <div className="conversation" data-focus-home=".conversation-scroll">
        <div
          className="conversation-scroll"
          ref={scroller}
          tabIndex={0}
          role="region"
          aria-label={t('conversation.label')}
        >
          <div className="conversation-inner" ref={content}>
            <Turns {...props} view={view} places={places} idle={idle} steps={steps} />
          </div>
        </div>
        {atEnd || places.length === 0 ? null : (
          <button type="button" className="jump-pill" onClick={jump}>
            <ArrowDown size={14} aria-hidden />
            {t('conversation.jump')}
          </button>
        )}
      </div>
    </>
  );
}
