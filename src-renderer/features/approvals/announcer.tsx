import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { PendingApproval } from '../../../src-preload/contract';
import { useText } from '../../messages/use-text';

/**
 * Says each new request once, politely, with its tool, what it can do, and the key that leads to it. The words go
 * when that request no longer waits.
 */
export function ApprovalAnnouncer(props: {
  readonly coworker: string;
  readonly pending: readonly PendingApproval[];
}): ReactNode {
  const { t } = useText();
  const known = useRef(new Set<string>());
  const [said, setSaid] = useState<{ readonly approval_id: string; readonly words: string } | null>(null);
  const { pending, coworker } = props;
  useEffect(() => {
    const fresh = pending.filter((entry) => !known.current.has(entry.approval_id));
    for (const entry of fresh) known.current.add(entry.approval_id);
    const first = fresh[0];
    if (!first) return;
    const { qualified_name, name, classification } = first.request.data;
    setSaid({
      approval_id: first.approval_id,
      words: t('approval.announce', {
        coworker,
        tool: qualified_name ?? name,
        can: t(`classification.${classification}`),
        count: pending.length,
      }),
    });
  }, [pending, coworker, t]);
  const waits = pending.some((entry) => entry.approval_id === said?.approval_id);
  return (
    <div className="visually-hidden" aria-live="polite">
      {waits ? said?.words : ''}
    </div>
  );
}
