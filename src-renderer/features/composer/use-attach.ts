import { useCallback } from 'react';
import { failure, maxAttachments, type Failure } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';
import { useApp } from '../../state/use-app';
import { emptyDraft } from '../../state/ui-store';
import { base64Of, checkFile } from './attachment-files';

/** Adds files to a draft: dropped and pasted ones through main's check, picked ones through its dialog. */
export function useAttach(draftKey: string) {
  const { t } = useText();
  const { gateway, ui, actions } = useApp();
  const add = useCallback(
    async (files: readonly File[]) => {
      const refusals: Failure[] = [];
      for (const file of files) {
        const name = file.name === '' ? t('attachment.pasted') : file.name;
        const already = (ui.getState().drafts[draftKey] ?? emptyDraft).attachments.length;
        const refused = checkFile({ name, size: file.size }, already, {
          count: maxAttachments,
          words: (key, which) => t(`attachment.refused.${key}`, { name: which, count: maxAttachments }),
        });
        if (refused) {
          refusals.push(refused);
          continue;
        }
        try {
          const result = await gateway.command('attachment.add', {
            name,
            media_type: file.type,
            base64: await base64Of(file),
          });
          if (!result.ok) refusals.push(result.error);
          else {
            const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null;
            actions.addAttachments(draftKey, [{ ...result.value, preview }]);
          }
        } catch {
          refusals.push(failure('attachment_refused', t('attachment.refused.unreadable', { name })));
        }
      }
      actions.showNotice(...refusals);
    },
    [t, gateway, ui, actions, draftKey],
  );
  const pick = useCallback(async () => {
    const result = await actions.run('attachment.pick', {});
    if (!result.ok) return;
    const already = (ui.getState().drafts[draftKey] ?? emptyDraft).attachments.length;
    const taken = result.value.attachments.slice(0, Math.max(0, maxAttachments - already));
    const left = result.value.attachments.slice(taken.length);
    actions.showNotice(
      ...result.value.refused,
      ...left.map(({ name }) =>
        failure('attachment_refused', t('attachment.refused.count', { name, count: maxAttachments })),
      ),
    );
    actions.addAttachments(
      draftKey,
      taken.map((attachment) => ({ ...attachment, preview: null })),
    );
  }, [t, ui, actions, draftKey]);
  return { add, pick };
}
