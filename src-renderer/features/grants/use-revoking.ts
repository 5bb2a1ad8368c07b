import { useState } from 'react';
import type { Failure, GrantEntry } from '../../../src-preload/contract';
import { useApp } from '../../state/use-app';

export interface Revoking {
  /** Ids of permissions that are on their way out. */
  readonly busy: ReadonlySet<string>;
  readonly failed: ReadonlyMap<string, Failure>;
  /** The one that was taken back last. */
  readonly done: GrantEntry | null;
  revoke(entry: GrantEntry): void;
}

/** Takes permissions back, one or several at a time. */
export function useRevoking(): Revoking {
  const { gateway, actions } = useApp();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [failed, setFailed] = useState<ReadonlyMap<string, Failure>>(new Map());
  const [done, setDone] = useState<GrantEntry | null>(null);
  return {
    busy,
    failed,
    done,
    revoke(entry) {
      const { grant_id } = entry.grant;
      setBusy((ids) => new Set(ids).add(grant_id));
      void gateway.command('grant.revoke', { grant_id }).then((result) => {
        setBusy((ids) => new Set([...ids].filter((id) => id !== grant_id)));
        setFailed((known) => {
          const next = new Map(known);
          next.delete(grant_id);
          return result.ok ? next : next.set(grant_id, result.error);
        });
        if (!result.ok) return;
        setDone(entry);
        // That of a session ends in the session's own stream, which this page need not follow.
        actions.reloadGrants();
      });
    },
  };
}
