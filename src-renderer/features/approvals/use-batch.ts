import { useEffect, useMemo, useRef, useState } from 'react';
import {
  pendingApprovals,
  type ApprovalResolved,
  type PendingApproval,
  type SessionView,
} from '../../../src-preload/contract';
import type { ApprovalAnswer } from '../../state/session-actions';
import { useApp } from '../../state/use-app';

/** What became of a request that the sheet shows; null while it waits. */
export type BatchOutcome = ApprovalResolved['outcome'] | null;

/** How the request was answered, or that its turn has gone on without it. */
export function batchOutcome(view: SessionView, entry: PendingApproval, waits: boolean): BatchOutcome {
  if (waits) return null;
  const row = view.turns.get(entry.turn_id)?.rows.get(entry.row.call_id);
  const fact = row?.approvals.find((approval) => approval.approval_id === entry.approval_id);
  return fact?.resolved?.data.outcome ?? 'cancelled';
}

/**
 * The requests of the sheet, in places that do not move once the person is at it: what comes from then on is taken in
 * when they say so.
 */
export function useBatchEntries(pending: readonly PendingApproval[], engaged: boolean) {
  const [entries, setEntries] = useState(pending);
  const [version, setVersion] = useState(0);
  const known = useMemo(() => new Set(entries.map((entry) => entry.approval_id)), [entries]);
  const waiting = useMemo(() => new Set(pending.map((entry) => entry.approval_id)), [pending]);
  const fresh = pending.filter((entry) => !known.has(entry.approval_id));
  const takeIn = (): void => {
    setEntries([...entries.filter((entry) => waiting.has(entry.approval_id)), ...fresh]);
    setVersion(version + 1);
  };
  const joins = !engaged && fresh.length > 0;
  useEffect(() => {
    if (!joins) return;
    setEntries(pending);
    setVersion((known) => known + 1);
  }, [joins, pending]);
  return { entries, waiting, fresh: engaged ? fresh.length : 0, version, takeIn };
}

/** Sends one answer after the other, each for its own call; requests that no longer wait are left alone. */
export function useBatchSending(sessionId: string): {
  readonly sending: boolean;
  send(entries: readonly PendingApproval[], answer: ApprovalAnswer): void;
} {
  const { actions, sessions } = useApp();
  const [sending, setSending] = useState(0);
  const line = useRef(Promise.resolve());
  const one = async (entry: PendingApproval, answer: ApprovalAnswer): Promise<void> => {
    const view = sessions.getState().open.get(sessionId)?.view;
    if (!view || !pendingApprovals(view).some(({ approval_id }) => approval_id === entry.approval_id)) return;
    const { arguments_digest, pin } = entry.request.data;
    await actions.answer({
      session_id: sessionId,
      approval_id: entry.approval_id,
      shown: { arguments_digest, pin },
      answer,
    });
  };
  return {
    sending: sending > 0,
    send(entries, answer) {
      setSending((count) => count + 1);
      line.current = line.current
        .then(async () => {
          for (const entry of entries) await one(entry, answer);
        })
        .finally(() => setSending((count) => count - 1));
    },
  };
}
