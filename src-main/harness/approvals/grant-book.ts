import type { GrantEnded, GrantEntry, GrantMade, SessionEventOf } from '../protocol';

export interface HeldGrant {
  readonly grant: GrantMade;
  /** ISO 8601, UTC. */
  readonly made_at: string;
  readonly ended: GrantEntry['ended'];
}

export interface GrantUses {
  readonly uses: number;
  readonly last_used_at: string;
}

/** Grants with how they ended, folded from the records of whatever streams they stand in. The first end counts. */
export interface GrantBook {
  made(grant: GrantMade, at: string): void;
  ended(end: GrantEnded, at: string): void;
  /** The record of a session, whose grants say where they were given. */
  follow(event: SessionEventOf<'grant_made'> | SessionEventOf<'grant_ended'>): void;
  get(grantId: string): HeldGrant | undefined;
  /** In the order in which they were made. */
  all(): readonly HeldGrant[];
}

export function createGrantBook(): GrantBook {
  const held = new Map<string, HeldGrant>();
  const made: GrantBook['made'] = (grant, made_at) =>
    void held.set(grant.grant_id, { grant, made_at, ended: null });
  const ended: GrantBook['ended'] = ({ grant_id, how }, at) => {
    const entry = held.get(grant_id);
    if (entry && !entry.ended) held.set(grant_id, { ...entry, ended: { how, at } });
  };
  return {
    made,
    ended,
    follow(event) {
      if (event.type === 'grant_ended') return ended(event.data, event.at);
      const { session_id, turn_id, data, at } = event;
      made({ ...data, session_id, ...(turn_id === null ? {} : { turn_id }) }, at);
    },
    get: (grantId) => held.get(grantId),
    all: () => [...held.values()],
  };
}

/** One line of the ledger. `lapse` says whether the grant has lapsed by now, though nobody has recorded that yet. */
export function entryOf(
  { grant, made_at, ended }: HeldGrant,
  use: GrantUses | null,
  lapse: 'expired' | 'unused' | null,
): GrantEntry {
  const last_used_at = use?.last_used_at ?? null;
  const lapsed = lapse && { how: lapse, at: last_used_at ?? made_at };
  return { grant, made_at, uses: use?.uses ?? 0, last_used_at, ended: ended ?? lapsed };
}

export function newestFirst(entries: readonly GrantEntry[]): readonly GrantEntry[] {
  return [...entries].sort((a, b) => (a.made_at < b.made_at ? 1 : -1));
}
