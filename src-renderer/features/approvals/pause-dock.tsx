import { PauseCircle } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import {
  emptyMeter,
  type PauseFact,
  type PauseStarted,
  type SessionView,
} from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { valueOr, type Sessions } from '../../state/host-store';
import { alsoReached } from '../../state/limit-use';
import { useActions, useHost, useUi } from '../../state/use-app';
import { FailureNote } from '../../ui/failure-note';
import { limitWords, usedWords, type LimitUse } from '../../ui/limit-words';
import { useClickGuard } from '../../state/use-click-guard';
import { useFocusLoss } from '../../ui/use-focus-loss';
import './pause.css';

const noSessions: Sessions = new Map();

/** What was used beside the limit, and which other limits ask next. */
function Used(props: { readonly sessionId: string; readonly started: PauseStarted }): ReactNode {
  const { t, language } = useText();
  const { started } = props;
  const known = useHost((host) => valueOr(host.sessions, noSessions).get(props.sessionId)?.meter);
  const meter = known ?? emptyMeter;
  const { kind, used, limit } = started;
  const words = (use: LimitUse): string => usedWords(use, t, language);
  const also = alsoReached(meter, kind);
  return (
    <>
      <div className="pause-meter">
        <progress value={Math.min(1, used / limit)} max={1} aria-label={t('pause.meter')} />
        <span>{words({ kind, used, limit, allowed: meter.allowed[kind] ?? limit })}</span>
      </div>
      {also.length === 0 ? null : (
        <p className="pause-also">
          {t('pause.also', { count: also.length, limits: also.map(words).join('; ') })}
        </p>
      )}
    </>
  );
}

function PauseCard(props: {
  readonly sessionId: string;
  readonly started: PauseStarted;
  readonly coworker: string;
}): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  const { started } = props;
  const { kind } = started;
  const guard = useClickGuard(started.pause_id);
  const state = useUi((ui) => ui.answers[started.pause_id] ?? null);
  const sending = state?.status === 'sending';
  const limit = limitWords(kind, started.limit, t, language);
  const answer = (event: MouseEvent, goOn: boolean): void => {
    const verdict = guard.judge({ isTrusted: event.nativeEvent.isTrusted, detail: event.detail });
    if (verdict !== 'accept' || sending) return;
    void actions.answerPause(props.sessionId, started.pause_id, goOn);
  };
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    const onButton = event.target instanceof HTMLButtonElement;
    if (onButton && guard.keyRepeats(event)) event.preventDefault();
    else if (event.key === 'Enter' || event.key === ' ') guard.pressed();
  };
  return (
    <div onPointerDownCapture={() => guard.pressed()} onKeyDownCapture={onKeyDownCapture}>
      <header className="pause-head">
        <PauseCircle size={16} aria-hidden />
        <h2>{t('pause.title', { coworker: props.coworker })}</h2>
      </header>
      <div className="pause-body">
        <p className="pause-sentence">{t(`pause.reached.${kind}`, { limit })}</p>
        <Used sessionId={props.sessionId} started={started} />
        {state?.status === 'failed' ? <FailureNote failure={state.error} announce /> : null}
      </div>
      <div className="pause-foot">
        <p className="muted">{t('pause.covers', { limit })}</p>
        <div className="pause-buttons">
          <button
            type="button"
            className="button"
            aria-disabled={sending}
            onClick={(event) => answer(event, false)}
          >
            {t('pause.stop')}
          </button>
          <button
            type="button"
            className="button primary"
            aria-disabled={sending}
            onClick={(event) => answer(event, true)}
          >
            {t('pause.go_on')}
          </button>
        </div>
      </div>
    </div>
  );
}

/** Takes the focus when a notification, the inbox or the timeline points at this pause, and at no other time. */
function usePointedAt(pauseId: string) {
  const actions = useActions();
  const root = useRef<HTMLElement>(null);
  const wish = useUi((state) => {
    const target = state.reveal?.target;
    return target?.type === 'approval' && target.approval_id === pauseId ? state.reveal?.nonce : null;
  });
  useEffect(() => {
    if (wish == null) return;
    root.current?.focus();
    actions.granted(wish);
  }, [wish, actions]);
  useFocusLoss(root, () => actions.point({ type: 'composer' }));
  return root;
}

/** Says once, politely, that the turn waits at a limit. */
function PauseAnnouncement({ words }: { readonly words: string }): ReactNode {
  // A live region must be there before its words are.
  const [said, setSaid] = useState('');
  useEffect(() => setSaid(words), [words]);
  return (
    <div className="visually-hidden" aria-live="polite">
      {said}
    </div>
  );
}

/** A turn that stands at a limit asks whether to go on. It takes no focus and covers nothing. */
export function PauseDock(props: { readonly view: SessionView; readonly pause: PauseFact }): ReactNode {
  const { t, language } = useText();
  const { view, pause } = props;
  const root = usePointedAt(pause.pause_id);
  const started = pause.started?.data;
  if (!started) return null;
  const coworker = view.coworker?.name ?? t('conversation.coworker');
  const limit = limitWords(started.kind, started.limit, t, language);
  return (
    <section
      className="pause-dock"
      ref={root}
      tabIndex={-1}
      data-region="approval"
      aria-label={t('pause.label')}
    >
      <PauseAnnouncement words={t('pause.announce', { coworker, limit })} />
      <PauseCard sessionId={view.session_id} started={started} coworker={coworker} />
    </section>
  );
}
