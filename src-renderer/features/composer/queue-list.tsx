import { CornerDownRight, Hourglass, Paperclip, Undo2 } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { MessageQueued, SessionView } from '../../../src-preload/contract';
import { heldMessages, openTurn, orderedTurns, queuedMessages, turnEnd } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import { LongText } from '../../ui/long-text';
import { VisibleText } from '../../ui/visible-text';
import './queue.css';

type Queued = ReturnType<typeof queuedMessages>[number];

/** A completed turn hands over to the next message by itself; longer than this, it does not. */
const handOver = 700;

/** Messages that are held back until the person sends them: some of them while a turn runs, and all while none does. */
function useHeld(view: SessionView, messages: readonly Queued[], running: boolean): readonly Queued[] {
  const idle = messages.length > 0 && !running;
  const last = orderedTurns(view).at(-1);
  const completed = last ? turnEnd(last)?.outcome === 'completed' : true;
  const [over, setOver] = useState(false);
  useEffect(() => {
    setOver(false);
    if (!idle) return;
    const timer = setTimeout(() => setOver(true), handOver);
    return () => clearTimeout(timer);
  }, [idle, last?.turn_id]);
  return idle && (!completed || over) ? messages : heldMessages(view);
}

function QueuedItem(props: {
  readonly sessionId: string;
  readonly message: MessageQueued;
  readonly held: boolean;
  readonly running: boolean;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const [busy, setBusy] = useState(false);
  const { message } = props;
  const steers = message.delivery === 'this_turn' && !props.held;
  const Icon = steers ? CornerDownRight : Hourglass;
  const goes = steers ? 'queue.steers' : 'queue.next';
  const when = !props.held ? goes : props.running ? 'queue.held.item' : null;
  const files = message.attachments.length;
  const takeBack = (): void => {
    setBusy(true);
    void actions.takeBack(props.sessionId, message).finally(() => setBusy(false));
  };
  return (
    <li className="queued-item">
      <Icon size={14} aria-hidden />
      <span className="queued-text" tabIndex={0}>
        {message.text === '' ? (
          message.attachments.map((file) => <VisibleText key={file.digest} text={file.name} />)
        ) : (
          <LongText text={message.text} />
        )}
      </span>
      {files > 0 ? (
        <span className="queued-files">
          <Paperclip size={12} aria-hidden />
          {t('queue.files', { count: files })}
        </span>
      ) : null}
      {when === null ? null : <span className="queued-when">{t(when)}</span>}
      <button
        type="button"
        className="button quiet small"
        aria-disabled={busy}
        title={t('queue.take_back_hint')}
        onClick={() => {
          if (!busy) takeBack();
        }}
      >
        <Undo2 size={13} aria-hidden />
        {t('queue.take_back')}
      </button>
    </li>
  );
}

/** Messages that wait to be sent, each of which can be taken back. */
export function QueueList({
  view,
  locked,
}: {
  readonly view: SessionView;
  readonly locked: boolean;
}): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const messages = queuedMessages(view);
  const running = openTurn(view) !== null;
  const held = useHeld(view, messages, running);
  const [sending, setSending] = useState(false);
  if (messages.length === 0) return null;
  const send = (): void => {
    if (sending) return;
    setSending(true);
    void actions.sendQueued(view.session_id).finally(() => setSending(false));
  };
  return (
    <section className="queue-list" aria-label={t('queue.label')}>
      {held.length > 0 ? (
        <div className="queue-held" role="status">
          <span>
            {t('queue.held', { count: held.length })} {running ? t('queue.held.running') : null}
          </span>
          {locked || running ? null : (
            <button type="button" className="button small" aria-disabled={sending} onClick={send}>
              {t('queue.send_now')}
            </button>
          )}
        </div>
      ) : null}
      <ul>
        {messages.map((message) => (
          <QueuedItem
            key={message.data.queued_id}
            sessionId={view.session_id}
            message={message.data}
            held={held.includes(message)}
            running={running}
          />
        ))}
      </ul>
    </section>
  );
}
