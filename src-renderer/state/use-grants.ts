import { useEffect, useState } from 'react';
import type { Failure, GrantEntry } from '../../src-preload/contract';
import { loadableOf, type Loadable } from './host-store';
import { useApp, useHost } from './use-app';

/**
 * Remembered permissions over all sessions, asked anew whenever one came, went or lapsed; what is known stays until
 * the answer is here. With `wanted` false nothing is asked.
 */
export function useGrants(wanted = true): Loadable<readonly GrantEntry[]> {
  const { gateway } = useApp();
  const changes = useHost((state) => state.grantChanges);
  const [grants, setGrants] = useState<Loadable<readonly GrantEntry[]>>({ status: 'loading' });
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    void gateway.query('grants.list', {}).then((result) => {
      if (!gone) setGrants(loadableOf(result));
    });
    return () => {
      gone = true;
    };
  }, [gateway, changes, wanted]);
  return grants;
}

export interface Revoking {
  readonly busy: boolean;
  readonly error: Failure | null;
  revoke(): void;
}

/** Takes one permission back, and says what came of it. */
export function useRevoke(grantId: string): Revoking {
  const { gateway } = useApp();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Failure | null>(null);
  return {
    busy,
    error,
    revoke() {
      if (busy) return;
      setBusy(true);
      void gateway.command('grant.revoke', { grant_id: grantId }).then((result) => {
        setBusy(false);
        setError(result.ok ? null : result.error);
      });
    },
  };
}
