import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { PendingApproval } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';

/** Says each new request once, politely, with its tool, what it can do, and the key that leads to it. */
export function ApprovalAnnouncer(props: {
  readonly coworker: string;
  readonly pending: readonly PendingApproval[];
}): ReactNode {
  const { t } = useText();
  const said = useRef(new Set<string>());
  const [words, setWords] = useState('');
  const { pending, coworker } = props;
  useEffect(() => {
    const fresh = pending.filter((entry) => !said.current.has(entry.approval_id));
    if (fresh.length === 0) return;
    for (const entry of fresh) said.current.add(entry.approval_id);
    const first = fresh[0]?.request.data;
    if (!first) return;
    setWords(
      t('approval.announce', {
        coworker,
        tool: first.qualified_name ?? first.name,
        can: t(`classification.${first.classification}`),
        count: pending.length,
      }),
    );
  }, [pending, coworker, t]);
  return (
    <div className="visually-hidden" aria-live="polite">
      {words}
    </div>
  );
}
