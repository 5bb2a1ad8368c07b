import { CircleHelp, Inbox as InboxIcon, PauseCircle } from 'lucide-react';
import { useEffect, useMemo, type ReactNode } from 'react';
import {
  openPause,
  openTurn,
  pendingApprovals,
  rowArguments,
  rowName,
  type CallRow,
  type PauseStarted,
  type PendingApproval,
  type SessionSummary,
  type SessionView,
} from '../../../src-preload/contract';
import { formatTime } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { valueOr, type Sessions } from '../../state/host-store';
import { useActions, useHost, useSession } from '../../state/use-app';
import { CoworkerIcon } from '../../ui/coworker-icon';
import { limitWords } from '../../ui/limit-words';
import { SentenceIconView, SentenceView } from '../../ui/sentence-view';
import { EmptyNote, Load, LoadingNote } from '../../ui/states';
import { toolSentence } from '../../ui/tool-sentence';
import { VisibleText } from '../../ui/visible-text';
import './inbox.css';

/** Sessions whose requests are shown with their details; the others say how many wait. */
const detailed = 6;
const none: Sessions = new Map();

function RequestLine(props: { readonly sessionId: string; readonly pending: PendingApproval }): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  const request = props.pending.request.data;
  const name = request.qualified_name ?? request.name;
  const sentence = toolSentence(name, request.arguments, 'asked');
  return (
    <li>
      <button
        type="button"
        className="inbox-request"
        onClick={() =>
          actions.reveal({
            type: 'session',
            session_id: props.sessionId,
            approval_id: props.pending.approval_id,
          })
        }
      >
        <SentenceIconView icon={sentence.icon} />
        <span className="inbox-sentence">
          <span>
            <SentenceView sentence={sentence} />
          </span>
          <span className="muted small">
            <code>
              <VisibleText text={name} />
            </code>{' '}
            · {t(`classification.${request.classification}`)}
          </span>
        </span>
        <span className="muted small">{formatTime(props.pending.request.at, language)}</span>
      </button>
    </li>
  );
}

function PauseLine(props: {
  readonly sessionId: string;
  readonly started: PauseStarted;
  readonly at: string;
}): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  const { kind, limit, used, pause_id } = props.started;
  const words = limitWords(kind, limit, t, language);
  return (
    <li>
      <button
        type="button"
        className="inbox-request"
        onClick={() =>
          actions.reveal({ type: 'session', session_id: props.sessionId, approval_id: pause_id })
        }
      >
        <PauseCircle size={16} aria-hidden />
        <span className="inbox-sentence">
          <span>{t(`pause.reached.${kind}`, { limit: words })}</span>
          <span className="muted small">
            {t('pause.used', { used: limitWords(kind, used, t, language), limit: words })}
          </span>
        </span>
        <span className="muted small">{formatTime(props.at, language)}</span>
      </button>
    </li>
  );
}

/** A call of unknown outcome, by what a summary says of it. Ids of turns hold no slash. */
function unsettledCall(id: string): { readonly turn_id: string; readonly call_id: string } {
  const slash = id.indexOf('/');
  return { turn_id: id.slice(0, slash), call_id: id.slice(slash + 1) };
}

function UnknownSentence({ row }: { readonly row: CallRow }): ReactNode {
  const { t } = useText();
  const name = rowName(row);
  const fact = rowArguments(row);
  const sentence = toolSentence(name, fact.type === 'value' ? fact.value : null, 'asked');
  return (
    <span className="inbox-sentence">
      <span>
        <SentenceView sentence={sentence} />
      </span>
      <span className="muted small">
        <code>
          <VisibleText text={name} />
        </code>{' '}
        · {t('inbox.unknown')}
      </span>
    </span>
  );
}

/** Leads to a call about which only the person can say what became of it, in whatever version it stands. */
function UnknownLine(props: {
  readonly sessionId: string;
  readonly id: string;
  readonly view: SessionView | null;
}): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  const place = unsettledCall(props.id);
  const row = props.view?.turns.get(place.turn_id)?.rows.get(place.call_id);
  const at = row?.finished?.at ?? row?.started?.at;
  return (
    <li>
      <button
        type="button"
        className="inbox-request unknown"
        onClick={() => {
          actions.goTo({ type: 'session', session_id: props.sessionId });
          actions.point({ type: 'row', ...place });
        }}
      >
        <CircleHelp size={16} aria-hidden />
        {row ? <UnknownSentence row={row} /> : <span className="inbox-sentence">{t('inbox.unknown')}</span>}
        {at === undefined ? null : <span className="muted small">{formatTime(at, language)}</span>}
      </button>
    </li>
  );
}

function InboxSession(props: { readonly session: SessionSummary; readonly detail: boolean }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const { session, detail } = props;
  const open = useSession(session.session_id);
  useEffect(() => {
    if (detail) actions.follow(session.session_id);
  }, [actions, detail, session.session_id]);
  const pending = useMemo(() => (open ? pendingApprovals(open.view) : []), [open]);
  const turn = open ? openTurn(open.view) : null;
  const pause = turn ? (openPause(turn)?.started ?? null) : null;
  const waits = session.waiting.length > 0;
  const known = pending.length > 0 || pause !== null || !waits;
  return (
    <section className="card inbox-session" aria-label={session.title}>
      <header>
        <CoworkerIcon id={session.coworker_id} icon={session.coworker_icon} />
        <h2 className="truncate">
          <VisibleText text={session.title} />
        </h2>
        <span className="muted small">{session.coworker_name}</span>
        <span className={waits ? 'count-badge' : 'count-badge unknown'}>
          {session.waiting.length + session.unsettled.length}
        </span>
      </header>
      {known ? (
        <ul>
          {pause ? <PauseLine sessionId={session.session_id} started={pause.data} at={pause.at} /> : null}
          {pending.map((entry) => (
            <RequestLine key={entry.approval_id} sessionId={session.session_id} pending={entry} />
          ))}
        </ul>
      ) : null}
      {session.unsettled.length === 0 ? null : (
        <ul>
          {session.unsettled.map((id) => (
            <UnknownLine key={id} sessionId={session.session_id} id={id} view={open?.view ?? null} />
          ))}
        </ul>
      )}
      {!known && detail && !open?.caughtUp && !open?.error ? <LoadingNote /> : null}
      {!known && (!detail || open?.error || open?.caughtUp) ? (
        <button
          type="button"
          className="inbox-request"
          onClick={() =>
            actions.reveal({
              type: 'session',
              session_id: session.session_id,
              approval_id: session.waiting[0] ?? null,
            })
          }
        >
          {t('inbox.open')}
        </button>
      ) : null}
    </section>
  );
}

/** Everything that waits for the person, over all sessions. */
export function InboxPage(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const sessions = useHost((state) => state.sessions);
  const waiting = useMemo(
    () =>
      [...valueOr(sessions, none).values()]
        .filter(({ waiting, unsettled }) => waiting.length + unsettled.length > 0)
        .sort((a, b) => Number(b.waiting.length > 0) - Number(a.waiting.length > 0)),
    [sessions],
  );
  return (
    <div className="page-scroll">
      <div className="page-inner">
        <h1 className="page-title">{t('inbox.title')}</h1>
        <p className="page-lead">{t('inbox.lead')}</p>
        <Load from={sessions} retry={() => void actions.reload('sessions')}>
          {() =>
            waiting.length === 0 ? (
              <EmptyNote icon={InboxIcon} title={t('inbox.empty')}>
                <p>{t('inbox.empty.detail')}</p>
              </EmptyNote>
            ) : (
              <div className="stack">
                {waiting.map((session, index) => (
                  <InboxSession key={session.session_id} session={session} detail={index < detailed} />
                ))}
              </div>
            )
          }
        </Load>
      </div>
    </div>
  );
}
