import type { Classification, GrantEntry } from '../../../src-preload/contract';
import { splitName } from '../../ui/tool-sentence';

/** What is known of tools, by `toolKey`. */
export type KnownClasses = ReadonlyMap<string, Classification>;

export const toolKey = (qualifiedName: string, pin: string): string => `${qualifiedName}\n${pin}`;

/** A permission that lets everything happen unasked that a dangerous tool can do. */
export type GrantRisk = 'exec' | 'external';

/**
 * Why a permission deserves a warning, or null. A tool of a server that nothing more is known of counts as acting
 * outside the app, as it does when it is called.
 */
export function grantRisk(
  { grant, ended }: GrantEntry,
  known: KnownClasses,
  servers: ReadonlySet<string>,
): GrantRisk | null {
  if (ended !== null || (grant.pattern ?? []).length > 0) return null;
  const said = known.get(toolKey(grant.qualified_name, grant.pin));
  if (said !== undefined) return said === 'exec' || said === 'external' ? said : null;
  return servers.has(splitName(grant.qualified_name).namespace ?? '') ? 'external' : null;
}

/** Servers whose word is wanted on tools that a permission covers without being narrowed. */
export function serversToAsk(entries: readonly GrantEntry[], ready: ReadonlySet<string>): readonly string[] {
  const wanted = entries
    .filter(({ grant, ended }) => ended === null && (grant.pattern ?? []).length === 0)
    .map(({ grant }) => splitName(grant.qualified_name).namespace ?? '');
  return [...new Set(wanted)].filter((name) => ready.has(name)).sort();
}
