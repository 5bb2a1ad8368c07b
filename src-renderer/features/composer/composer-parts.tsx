import { File as FileIcon, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatBytes } from '../../messages/format';
import { useText } from '../../messages/use-text';
import { useActions } from '../../state/use-app';
import type { DraftAttachment } from '../../state/ui-store';
import { IconButton } from '../../ui/buttons';
import { VisibleText } from '../../ui/visible-text';
import type { Mentions } from './use-mentions';

export function DraftAttachments(props: {
  readonly draftKey: string;
  readonly attachments: readonly DraftAttachment[];
}): ReactNode {
  const { t, language } = useText();
  const actions = useActions();
  if (props.attachments.length === 0) return null;
  const remove = (attachment: DraftAttachment): void => {
    if (attachment.preview !== null) URL.revokeObjectURL(attachment.preview);
    actions.updateDraft(props.draftKey, (draft) => ({
      attachments: draft.attachments.filter((known) => known !== attachment),
    }));
  };
  return (
    <ul className="draft-attachments" aria-label={t('composer.attached')}>
      {props.attachments.map((attachment) => (
        <li key={attachment.attachment_id} className="draft-attachment">
          {attachment.preview === null ? (
            <FileIcon size={14} aria-hidden />
          ) : (
            <img src={attachment.preview} alt="" />
          )}
          <span className="truncate">
            <VisibleText text={attachment.name} />
          </span>
          <span className="muted small">{formatBytes(attachment.bytes, language)}</span>
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
