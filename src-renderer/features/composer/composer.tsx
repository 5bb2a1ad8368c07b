import { ArrowUp, CornerDownRight, ListPlus, Paperclip, Square } from 'lucide-react';
import {
  useEffect,
  useId,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { maxTextLength } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import type { Delivery } from '../../state/turn-actions';
import { useActions, useUi } from '../../state/use-app';
import { emptyDraft } from '../../state/ui-store';
import { IconButton } from '../../ui/buttons';
import { DraftAttachments, MentionList } from './composer-parts';
import { useAttach } from './use-attach';
import { useMentions, type Mentions } from './use-mentions';
import './composer.css';

export interface ComposerProps {
  readonly draftKey: string;
  /** The session whose folder `@` names; null where it has none. */
  readonly sessionId: string | null;
  /** The folder that `@` names before there is a session. */
  readonly workspace: string | null;
  /** Whether the chosen model sees pictures; null where nobody says so. */
  readonly seesImages: boolean | null;
  readonly placeholder: string;
  /** Why nothing can be sent just now; null when it can. */
  readonly blocked: string | null;
  /** Nothing can be written either: the session is read only. `blocked` says why. */
  readonly locked?: boolean;
  /** `blocked` is said at once, and not only when there is something to send. */
  readonly stopped?: boolean;
  readonly running: boolean;
  readonly waiting: boolean;
  readonly onSend: () => Promise<unknown>;
  /** While a turn runs: keeps the draft until it has ended, or sends it into the turn. */
  readonly onQueue?: (delivery: Delivery) => Promise<unknown>;
  readonly onStop: () => void;
  /** Model and mode menus. */
  readonly menus: ReactNode;
}

interface SendActs {
  readonly canSend: boolean;
  readonly send: () => void;
  readonly steer: () => void;
}

/** While a turn runs: at its end, or into it. */
function QueueButtons({ canSend, send, steer }: SendActs): ReactNode {
  const { t } = useText();
  return (
    <>
      <button
        type="button"
        className="button steer-button"
        aria-disabled={!canSend}
        aria-label={t('composer.steer')}
        aria-keyshortcuts="Control+Enter"
        title={t('composer.steer_hint')}
        onClick={steer}
      >
        <CornerDownRight size={15} aria-hidden />
        <span>{t('composer.steer')}</span>
      </button>
      <button
        type="button"
        className="button primary send-button"
        aria-disabled={!canSend}
        title={t('composer.queue_hint')}
        onClick={send}
      >
        <ListPlus size={15} aria-hidden />
        {t('composer.queue')}
      </button>
    </>
  );
}

function Actions(props: ComposerProps & SendActs): ReactNode {
  const { t } = useText();
  const queues = props.running && props.onQueue !== undefined;
  return (
    <div className="composer-actions">
      {props.waiting ? (
        <span className="composer-hint">
          <kbd className="kbd">F6</kbd> {t('composer.to_request')}
        </span>
      ) : null}
      {props.running ? (
        <button
          type="button"
          className="button stop-button"
          aria-label={t('composer.stop')}
          aria-keyshortcuts="Control+."
          title={t('composer.stop')}
          onClick={props.onStop}
        >
          <Square size={12} fill="currentColor" aria-hidden />
          <span>{t('composer.stop')}</span>
        </button>
      ) : null}
      {queues ? (
        <QueueButtons {...props} />
      ) : (
        <button
          type="button"
          className="button primary send-button"
          aria-disabled={!props.canSend}
          title={props.blocked ?? t('composer.send_hint')}
          onClick={props.send}
        >
          <ArrowUp size={15} aria-hidden />
          {t('composer.send')}
        </button>
      )}
    </div>
  );
}

function useFocusWish(textarea: { readonly current: HTMLTextAreaElement | null }): void {
  const wish = useUi((state) => (state.reveal?.target.type === 'composer' ? state.reveal.nonce : null));
  const actions = useActions();
  useEffect(() => {
    if (wish === null) return;
    textarea.current?.focus();
    actions.granted(wish);
  }, [wish, textarea, actions]);
}

function useFileDrop(add: (files: readonly File[]) => Promise<void>) {
  const [over, setOver] = useState(false);
  return {
    over,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        void add([...event.dataTransfer.files]);
      },
      onPaste: (event: ClipboardEvent) => {
        if (event.clipboardData.files.length === 0) return;
        event.preventDefault();
        void add([...event.clipboardData.files]);
      },
    },
  };
}

/** Sends once, however often it is asked while the first is on its way. */
function useSend(props: ComposerProps, canSend: boolean): Omit<SendActs, 'canSend'> {
  const sending = useRef(false);
  const act = (what: () => Promise<unknown>): void => {
    if (!canSend || sending.current) return;
    sending.current = true;
    void what().finally(() => (sending.current = false));
  };
  const { running, onQueue, onSend } = props;
  const queue = running ? onQueue : undefined;
  return {
    send: () => act(queue ? () => queue('next_turn') : onSend),
    steer: () => act(queue ? () => queue('this_turn') : onSend),
  };
}

/** Why nothing can be sent now; shown once there is something to send. */
function Reason(props: {
  readonly id: string;
  readonly words: string | null;
  readonly shown: boolean;
}): ReactNode {
  return (
    <p className={props.words !== null && props.shown ? 'composer-reason' : 'visually-hidden'} id={props.id}>
      {props.words}
    </p>
  );
}

function TextField(props: {
  readonly composer: ComposerProps;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly mentions: Mentions;
  readonly listId: string;
  readonly reasonId: string;
  readonly acts: Omit<SendActs, 'canSend'>;
}): ReactNode {
  const actions = useActions();
  const { mentions, acts, listId } = props;
  const { draftKey, placeholder, blocked, locked } = props.composer;
  const listed = mentions.files.length > 0;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (mentions.onKeyDown(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.repeat) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) acts.steer();
    else acts.send();
  };
  return (
    <textarea
      ref={props.field}
      className="composer-text"
      rows={1}
      maxLength={maxTextLength}
      disabled={locked === true}
      aria-label={placeholder}
      placeholder={placeholder}
      aria-autocomplete="list"
      aria-controls={listed ? listId : undefined}
      aria-activedescendant={listed ? `${listId}-${mentions.active}` : undefined}
      aria-describedby={blocked === null ? undefined : props.reasonId}
      value={props.text}
      onChange={(event) => {
        actions.updateDraft(draftKey, () => ({ text: event.target.value }));
        mentions.onCaret(event.target.value, event.target.selectionStart);
      }}
      onBlur={mentions.close}
      onKeyDown={onKeyDown}
    />
  );
}

/** Where the person writes. The draft belongs to the session and stays until it is sent. */
export function Composer(props: ComposerProps): ReactNode {
  const { t } = useText();
  const { draftKey } = props;
  const draft = useUi((state) => state.drafts[draftKey] ?? emptyDraft);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const { add, pick } = useAttach(draftKey);
  const mentions = useMentions({
    sessionId: props.sessionId,
    workspace: props.workspace,
    draftKey,
    textarea,
  });
  const drop = useFileDrop(add);
  const listId = useId();
  const reasonId = useId();
  useFocusWish(textarea);
  const filled = draft.text.trim() !== '' || draft.attachments.length > 0;
  const canSend = filled && props.blocked === null;
  const acts = useSend(props, canSend);
  const locked = props.locked === true;
  return (
    <div
      className={`composer${drop.over ? ' over' : ''}${locked ? ' locked' : ''}`}
      data-region="composer"
      data-focus-home=".composer-text"
      {...(locked ? {} : drop.handlers)}
    >
      <MentionList id={listId} mentions={mentions} />
      <DraftAttachments draftKey={draftKey} attachments={draft.attachments} seesImages={props.seesImages} />
      <TextField
        composer={props}
        field={textarea}
        text={draft.text}
        mentions={mentions}
        listId={listId}
        reasonId={reasonId}
        acts={acts}
      />
      <div className={props.running ? 'composer-foot running-menus' : 'composer-foot'}>
        <IconButton
          icon={Paperclip}
          label={t('composer.attach')}
          disabled={locked}
          onClick={() => void pick()}
        />
        {props.menus}
        <Actions {...props} {...acts} canSend={canSend} />
      </div>
      <Reason id={reasonId} words={props.blocked} shown={filled || locked || props.stopped === true} />
      {drop.over ? <p className="composer-drop">{t('composer.drop')}</p> : null}
    </div>
  );
}
