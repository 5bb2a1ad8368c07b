import type { ArgumentPattern, GrantEntry, LastingScope, SessionView } from '../../../src-preload/contract';
import { latestStartedTurn } from '../../state/selectors';

export interface GrantInForce {
  readonly grant_id: string;
  readonly qualified_name: string;
  readonly scope: LastingScope;
  readonly pattern: ArgumentPattern;
  /** ISO 8601, UTC; null where it ends with no date of its own. */
  readonly expires_at: string | null;
  readonly made_at: string;
  /** False once the tool is no longer defined as it was when it was allowed: then it is asked about anew. */
  readonly holds: boolean;
}

type Known = Pick<GrantEntry, 'grant' | 'made_at' | 'ended'>;

/** What the session's own stream says of its grants. */
function ofSession(view: SessionView): readonly Known[] {
  return view.grants.map(({ data, at }) => {
    const ended = view.grants_ended.get(data.grant_id);
    return { grant: data, made_at: at, ended: ended ? { how: ended.data.how, at: ended.at } : null };
  });
}

/**
 * What is allowed here in advance, the newest first: permissions of this session, and those of its coworker. A
 * permission holds for the definition that it was given for.
 */
export function grantsInForce(view: SessionView, listed: readonly GrantEntry[]): readonly GrantInForce[] {
  const tools = latestStartedTurn(view)?.started?.data.tools ?? [];
  const pins = new Map(tools.map((tool) => [tool.qualified_name, tool.pin]));
  const found = new Map<string, Known>();
  for (const entry of listed) {
    const { grant } = entry;
    const here =
      grant.scope === 'coworker'
        ? grant.coworker_id === view.coworker?.id
        : grant.session_id === view.session_id;
    if (here) found.set(grant.grant_id, entry);
  }
  for (const entry of ofSession(view)) {
    const known = found.get(entry.grant.grant_id);
    // Whichever says that it has ended is right: nothing takes that back.
    if (!known || (known.ended === null && entry.ended !== null)) found.set(entry.grant.grant_id, entry);
  }
  return [...found.values()]
    .filter(({ ended }) => ended === null)
    .sort((a, b) => (a.made_at < b.made_at ? 1 : -1))
    .map(({ grant, made_at }) => {
      const pin = pins.get(grant.qualified_name);
      return {
        grant_id: grant.grant_id,
        qualified_name: grant.qualified_name,
        scope: grant.scope,
        pattern: grant.pattern ?? [],
        expires_at: grant.expires_at ?? null,
        made_at,
        holds: pin === undefined || pin === grant.pin,
      };
    });
}
