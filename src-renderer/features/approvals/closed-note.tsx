import { X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { ApprovalResolved, PendingApproval, SessionView } from '../../../src-preload/contract';
import { RichText, useText } from '../../messages/use-text';
import { IconButton } from '../../ui/buttons';
import { VisibleText } from '../../ui/visible-text';

/** Requests that went without an answer of the person to them. */
export interface Closing {
  readonly closed: number;
  readonly reason: string;
  readonly freed: number;
  /** The turns in which the closed ones waited. */
  readonly turns: readonly string[];
}

function resolutionOf(view: SessionView, entry: PendingApproval): ApprovalResolved | null {
  const row = view.turns.get(entry.turn_id)?.rows.get(entry.row.call_id);
  const fact = row?.approvals.find((approval) => approval.approval_id === entry.approval_id);
  return fact?.resolved?.data ?? null;
}

/** What is to be said of requests that wait no more; null where the person answered each. */
export function closingOf(view: SessionView, gone: readonly PendingApproval[]): Closing | null {
  const found = gone.map((entry) => ({ turn: entry.turn_id, data: resolutionOf(view, entry) }));
  const freed = found.filter(({ data }) => data?.outcome === 'allowed' && data.by === 'grant').length;
  const closed = found.filter(({ data }) => data?.outcome === 'expired' || data?.outcome === 'cancelled');
  if (freed + closed.length === 0) return null;
  const reason = closed[0]?.data?.note ?? '';
  return { closed: closed.length, reason, freed, turns: [...new Set(closed.map(({ turn }) => turn))] };
}

/** A person who stopped the turn knows why its requests closed. */
function isStopped(view: SessionView, { closed, turns }: Closing): boolean {
  return closed > 0 && turns.every((id) => view.turns.get(id)?.finished?.data.outcome === 'stopped');
}

/** Says once why a request closed without an answer, or that a wider permission freed others that waited. */
export function ClosedNote(props: {
  readonly view: SessionView;
  readonly pending: readonly PendingApproval[];
}): ReactNode {
  const { t } = useText();
  const { view, pending } = props;
  const before = useRef<readonly PendingApproval[]>(pending);
  const [found, setFound] = useState<Closing | null>(null);
  const said = found && !isStopped(view, found) ? found : null;
  useEffect(() => {
    const waits = new Set(pending.map((entry) => entry.approval_id));
    const gone = before.current.filter((entry) => !waits.has(entry.approval_id));
    before.current = pending;
    if (gone.length === 0) return;
    setFound(closingOf(view, gone));
  }, [pending, view]);
  return (
    <div role="status" className={said ? 'closed-note' : 'visually-hidden'}>
      {said ? (
        <>
          <p>
            {said.closed > 0 ? (
              <RichText
                message="request.closed"
                values={{ count: said.closed }}
                slots={{ reason: <VisibleText key="reason" text={said.reason} /> }}
              />
            ) : null}{' '}
            {said.freed > 0 ? t('request.freed', { count: said.freed }) : null}
          </p>
          <IconButton small icon={X} label={t('common.dismiss')} onClick={() => setFound(null)} />
        </>
      ) : null}
    </div>
  );
}
