import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../messages/use-text';
import { useActions, useUi } from '../../state/use-app';
import { IconButton } from '../../ui/buttons';
import { FailureNote } from '../../ui/failure-note';
import './notices.css';

/** What went wrong with something the person just did, until they have read it. */
export function Notices(): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const notices = useUi((state) => state.notices);
  return (
    <div className="notices" role="status">
      {notices.map((notice) => (
        <div key={notice.id} className="notice">
          <FailureNote failure={notice.error} />
          <IconButton
            small
            icon={X}
            label={t('common.dismiss')}
            onClick={() => actions.dismissNotice(notice.id)}
          />
        </div>
      ))}
    </div>
  );
}
