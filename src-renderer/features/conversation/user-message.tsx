import { AtSign, File as FileIcon, Pencil } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { AttachmentFacts, MessageSubmitted } from '../../../src-preload/contract';
import { formatBytes } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { useApp } from '../../state/use-app';
import { isImage } from '../../ui/image-types';
import { LongText } from '../../ui/long-text';
import { VisibleText } from '../../ui/visible-text';
import { MessageEdit } from './message-edit';

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** An object URL of an attached image, made once its bytes have come; null until then and for other types. */
function useImage(sessionId: string, attachment: AttachmentFacts): string | null {
  const { gateway } = useApp();
  const [url, setUrl] = useState<string | null>(null);
  const { digest, media_type: type } = attachment;
  useEffect(() => {
    if (!isImage(type)) return;
    let made: string | null = null;
    let gone = false;
    void gateway.query('attachment.read', { session_id: sessionId, digest }).then((result) => {
      if (gone || !result.ok) return;
      made = URL.createObjectURL(new Blob([bytesOf(result.value.base64)], { type }));
      setUrl(made);
    });
    return () => {
      gone = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [gateway, sessionId, digest, type]);
  return url;
}

function Attachment(props: {
  readonly sessionId: string;
  readonly attachment: AttachmentFacts;
  readonly unseen: boolean;
}): ReactNode {
  const { t, language } = useText();
  const { attachment } = props;
  const url = useImage(props.sessionId, attachment);
  return (
    <li className="sent-attachment">
      {url === null ? <FileIcon size={14} aria-hidden /> : <img src={url} alt="" />}
      <span className="truncate">
        <VisibleText text={attachment.name} />
      </span>
      <span className="muted small">{formatBytes(attachment.bytes, language)}</span>
      {props.unseen && isImage(attachment.media_type) ? (
        <span className="sent-unseen">{t('attachment.not_shown')}</span>
      ) : null}
    </li>
  );
}

type Words = Pick<MessageSubmitted, 'text' | 'attachments' | 'mentions'>;

/** What the person wrote, with what went along. */
export function MessageBody(props: {
  readonly sessionId: string;
  readonly message: Words;
  /** The turn's model was not shown attached pictures. */
  readonly unseen: boolean;
}): ReactNode {
  const { t } = useText();
  const { message } = props;
  return (
    <>
      {message.text === '' ? null : (
        <p className="user-text">
          <LongText text={message.text} />
        </p>
      )}
      {message.attachments.length + message.mentions.length === 0 ? null : (
        <ul className="sent-attachments" aria-label={t('conversation.attachments')}>
          {message.attachments.map((attachment) => (
            <Attachment
              key={attachment.digest}
              sessionId={props.sessionId}
              attachment={attachment}
              unseen={props.unseen}
            />
          ))}
          {message.mentions.map((path) => (
            <li key={path} className="sent-attachment">
              <AtSign size={14} aria-hidden />
              <span className="truncate">
                <VisibleText text={path} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A message that reached the model in the middle of a turn. */
export function SteeredMessage(props: {
  readonly sessionId: string;
  readonly message: Words;
  readonly unseen: boolean;
}): ReactNode {
  const { t } = useText();
  return (
    <div className="user-message steered">
      <h3 className="steered-head">{t('steered.head')}</h3>
      <MessageBody {...props} />
    </div>
  );
}

/** The message of a turn, and the way to its other wordings. */
export function UserMessage(props: {
  readonly sessionId: string;
  readonly turnId: string;
  readonly message: MessageSubmitted;
  readonly unseen: boolean;
  readonly editable: boolean;
  /** Chooses between the branches beside this turn; null where there is one. */
  readonly branches: ReactNode;
}): ReactNode {
  const { t } = useText();
  const [editing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !editing) editButton.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  const { message } = props;
  return (
    <div className={editing ? 'user-message editing' : 'user-message'}>
      <h2 className="visually-hidden">{t('conversation.you')}</h2>
      {editing ? (
        <MessageEdit
          sessionId={props.sessionId}
          turnId={props.turnId}
          message={message}
          onClose={() => setEditing(false)}
        />
      ) : (
        <>
          <MessageBody sessionId={props.sessionId} message={message} unseen={props.unseen} />
          <div className={props.branches ? 'message-tools' : 'message-tools beside'}>
            {props.branches}
            {props.editable ? (
              <button
                ref={editButton}
                type="button"
                className="icon-button small message-tool"
                aria-label={t('edit.start')}
                title={t('edit.start')}
                onClick={() => setEditing(true)}
              >
                <Pencil size={14} aria-hidden />
              </button>
            ) : null}
          </div>
        </>
      )}
    </div>
  );
}
