import { File as FileIcon, Image as ImageIcon, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatBytes } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import type { DraftAttachment } from '../../state/ui-store';
import { IconButton } from '../../ui/buttons';
import { isImage } from '../../ui/image-types';
import { VisibleText } from '../../ui/visible-text';
import type { Mentions } from './use-mentions';

function AttachmentPicture({ attachment }: { readonly attachment: DraftAttachment }): ReactNode {
  if (attachment.preview !== null) return <img src={attachment.preview} alt="" />;
  const Icon = isImage(attachment.media_type) ? ImageIcon : FileIcon;
  return <Icon size={14} aria-hidden />;
}

/** Says before sending that a picture may not reach the model. */
function UnseenWarning({ seesImages }: { readonly seesImages: boolean | null }): ReactNode {
  const { t } = useText();
  if (seesImages === true) return null;
  return (
    <span className="attachment-unseen" title={t('attachment.unseen.detail')}>
      <TriangleAlert size={13} aria-hidden />
      {t(seesImages === false ? 'attachment.unseen' : 'attachment.may_be_unseen')}
    </span>
  );
}

export function DraftAttachments(props: {
  readonly draftKey: string;
  readonly attachments: readonly DraftAttachment[];
  readonly seesImages: boolean | null;
}): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  if (props.attachments.length === 0) return null;
  const remove = (attachment: DraftAttachment): void => {
    if (attachment.preview !== null) URL.revokeObjectURL(attachment.preview);
    actions.updateDraft(props.draftKey, (draft) => ({
      attachments: draft.attachments.filter((known) => known !== attachment),
    }));
    actions.point({ type: 'composer' });
  };
  return (
    <ul className="draft-attachments" aria-label={t('composer.attached')}>
      {props.attachments.map((attachment) => (
        <li key={attachment.attachment_id} className="draft-attachment">
          <AttachmentPicture attachment={attachment} />
          <span className="truncate">
            <VisibleText text={attachment.name} />
          </span>
          <span className="muted small">{formatBytes(attachment.bytes, language)}</span>
          {isImage(attachment.media_type) ? <UnseenWarning seesImages={props.seesImages} /> : null}
          <IconButton
            small
            icon={X}
            label={t('attachment.remove', { name: attachment.name })}
            onClick={() => remove(attachment)}
          />
        </li>
      ))}
    </ul>
  );
}

export function MentionList(props: { readonly id: string; readonly mentions: Mentions }): ReactNode {
  const { t } = useText();
  const { files, active, choose } = props.mentions;
  if (files.length === 0) return null;
  return (
    <ul className="mention-list" id={props.id} role="listbox" aria-label={t('composer.files')}>
      {files.map((path, index) => (
        <li
          key={path}
          id={`${props.id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={index === active ? 'active' : ''}
          onPointerDown={(event) => {
            event.preventDefault();
            choose(path);
          }}
        >
          <FileIcon size={14} aria-hidden />
          <span className="truncate">
            <VisibleText text={path} />
          </span>
        </li>
      ))}
    </ul>
  );
}
