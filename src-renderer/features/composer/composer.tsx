import { ArrowUp, Paperclip, Square } from 'lucide-react';
import {
  useEffect,
  useId,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { maxTextLength } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useActions, useUi } from '../../state/use-app';
import { emptyDraft } from '../../state/ui-store';
import { IconButton } from '../../ui/buttons';
import { DraftAttachments, MentionList } from './composer-parts';
import { useAttach } from './use-attach';
import { useMentions } from './use-mentions';
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
  readonly running: boolean;
  readonly waiting: boolean;
  readonly onSend: () => Promise<unknown>;
  readonly onStop: () => void;
  /** Model and mode menus. */
  readonly menus: ReactNode;
}

function Actions(props: ComposerProps & { readonly canSend: boolean; readonly send: () => void }): ReactNode {
  const { t } = useText();
  return (
    <div className="composer-actions">
      {props.waiting ? (
        <span className="composer-hint">
          <kbd className="kbd">F6</kbd> {t('composer.to_request')}
        </span>
      ) : null}
      {props.running ? (
        <button type="button" className="button" onClick={props.onStop} aria-keyshortcuts="Control+.">
          <Square size={12} fill="currentColor" aria-hidden />
          {t('composer.stop')}
        </button>
      ) : null}
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
function useSend(onSend: () => Promise<unknown>, canSend: boolean): () => void {
  const sending = useRef(false);
  return () => {
    if (!canSend || sending.current) return;
    sending.current = true;
    void onSend().finally(() => (sending.current = false));
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

/** Where the person writes. The draft belongs to the session and stays until it is sent. */
export function Composer(props: ComposerProps): ReactNode {
  const { t } = useText();
  const actions = useActions();
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
  const send = useSend(props.onSend, canSend);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (mentions.onKeyDown(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.repeat) return;
    event.preventDefault();
    send();
  };
  const listed = mentions.files.length > 0;
  return (
    <div className={drop.over ? 'composer over' : 'composer'} data-region="composer" {...drop.handlers}>
      <MentionList id={listId} mentions={mentions} />
      <DraftAttachments draftKey={draftKey} attachments={draft.attachments} seesImages={props.seesImages} />
      <textarea
        ref={textarea}
        className="composer-text"
        rows={1}
        maxLength={maxTextLength}
        aria-label={props.placeholder}
        placeholder={props.placeholder}
        aria-autocomplete="list"
        aria-controls={listed ? listId : undefined}
        aria-activedescendant={listed ? `${listId}-${mentions.active}` : undefined}
        aria-describedby={props.blocked === null ? undefined : reasonId}
        value={draft.text}
        onChange={(event) => {
          actions.updateDraft(draftKey, () => ({ text: event.target.value }));
          mentions.onCaret(event.target.value, event.target.selectionStart);
        }}
        onBlur={mentions.close}
        onKeyDown={onKeyDown}
      />
      <div className="composer-foot">
        <IconButton icon={Paperclip} label={t('composer.attach')} onClick={() => void pick()} />
        {props.menus}
        <Actions {...props} canSend={canSend} send={send} />
      </div>
      <Reason id={reasonId} words={props.blocked} shown={filled} />
      {drop.over ? <p className="composer-drop">{t('composer.drop')}</p> : null}
    </div>
  );
}
