import { useEffect, useState } from 'react';
import type { PendingApproval, RequestReading } from '../../../src-preload/contract';
import { loadableOf, type Loadable } from '../../state/host-store';
import { useApp } from '../../state/use-app';

export interface Reading {
  readonly state: Loadable<RequestReading>;
  /** Grows with each answer: what stands on the screen has changed. */
  readonly version: number;
  /** Asks once more: a file may have changed. What is known stays meanwhile. */
  again(): void;
}

/** What the arguments of a waiting request come to, as main sees it. The plain form needs none of it. */
export function useReading(sessionId: string, pending: PendingApproval): Reading {
  const { gateway } = useApp();
  const [state, setState] = useState<Loadable<RequestReading>>({ status: 'loading' });
  const [version, setVersion] = useState(0);
  const [asked, setAsked] = useState(0);
  const { approval_id } = pending;
  const { arguments_digest } = pending.request.data;
  useEffect(() => {
    let gone = false;
    void gateway.query('approval.reading', { session_id: sessionId, approval_id }).then((result) => {
      if (gone) return;
      setState(loadableOf(result));
      setVersion((known) => known + 1);
    });
    return () => {
      gone = true;
    };
  }, [gateway, sessionId, approval_id, arguments_digest, asked]);
  return { state, version, again: () => setAsked((known) => known + 1) };
}
