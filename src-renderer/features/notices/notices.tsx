import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../messages/use-text';
import { listOf } from '../../state/host-store';
import { useActions, useHost, useUi } from '../../state/use-app';
import type { Notice } from '../../state/ui-store';
import { IconButton } from '../../ui/buttons';
import { FailureNote } from '../../ui/failure-note';
import { VisibleText } from '../../ui/visible-text';
import './notices.css';

function NoticeView({ notice }: { readonly notice: Notice }): ReactNode {
  const { t } = useText();
  const actions = useActions();
  const [first, ...others] = notice.errors;
  if (!first) return null;
  return (
    <div className="notice">
      <FailureNote failure={first}>
        {others.map((error) => (
          <p key={error.message} className="failure-message break">
            <VisibleText text={error.message} />
          </p>
        ))}
      </FailureNote>
      <IconButton
        small
        icon={X}
        label={t('common.dismiss')}
        onClick={() => actions.dismissNotice(notice.id)}
      />
    </div>
  );
}

/** What went wrong with something the person just did. It stands in the flow of the page and covers nothing. */
export function Notices(): ReactNode {
  const all = useUi((state) => state.notices);
  const journal = useHost((state) => listOf(state.journal));
  const stands = new Set(journal.map((problem) => problem.message));
  // What stands above as a notice about the journal is not said twice.
  const notices = all.filter((notice) => !notice.errors.every(({ message }) => stands.has(message)));
  return (
    <div className={notices.length === 0 ? 'notices none' : 'notices'} role="status">
      {notices.map((notice) => (
        <NoticeView key={notice.id} notice={notice} />
      ))}
    </div>
  );
}
