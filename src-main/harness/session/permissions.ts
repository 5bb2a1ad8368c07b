import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ClassifiedAs, CommandFacts, Ledger, StandingGrant } from '../approvals';
import type { CallDeps } from '../call';
import type { JsonObject, NewSessionEvent } from '../protocol';
import type { Tool } from '../tools';
import type { Stream } from './stream';

/** What decides over calls beside the session's own record. */
export interface PermissionDeps {
  readonly ledger: Ledger;
  /** What the command of these arguments is; null for a tool that runs none. */
  readonly command: (tool: Pick<Tool, 'presentation'>, args: JsonObject) => CommandFacts | null;
  /** Milliseconds after which a request expires; null: never. */
  readonly expiryMs: () => number | null;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
}

/** The path with its links followed as far as it exists; what does not exist yet has none. */
export function realPath(absolute: string): string | null {
  const missing: string[] = [];
  for (let path = absolute; ; path = dirname(path)) {
    try {
      return join(realpathSync.native(path), ...missing);
    } catch (error) {
      const gone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!gone || dirname(path) === path) return null;
      missing.unshift(basename(path));
    }
  }
}

/** What a tool may do: the host's word, or the person's on exactly this definition of a tool that is not the app's own. */
export function classifiedAs(ledger: Pick<Ledger, 'classified'>, tool: Tool): ClassifiedAs {
  const said =
    tool.origin.kind === 'native' ? null : ledger.classified(tool.descriptor.qualified_name, tool.pin);
  return said
    ? { classification: said.classification, by: 'person', at: said.at }
    : { classification: tool.classification, by: 'host', at: null };
}

/** The grants of this session for a tool; a lapse is recorded when it is first seen, so that no clock revives it. */
function sessionGrants({ ledger }: PermissionDeps, stream: Stream, qualifiedName: string): StandingGrant[] {
  const { grants, grants_ended } = stream.facts();
  const found = grants.filter(({ data }) => data.qualified_name === qualifiedName);
  const lapsed: NewSessionEvent[] = [];
  const standing = found.map(({ data: grant, at: made_at }): StandingGrant => {
    const ended = grants_ended.get(grant.grant_id)?.data.how ?? null;
    const lapse = ended === null ? ledger.lapse(grant, made_at) : null;
    if (lapse) {
      const data = { grant_id: grant.grant_id, how: lapse };
      lapsed.push({ turn_id: null, type: 'grant_ended', data });
    }
    return { grant, made_at, ended: ended ?? lapse };
  });
  if (lapsed.length > 0) stream.record(lapsed);
  return standing;
}

/** What the calls of a session are decided by, read anew at each decision. */
export function permissionsOf(
  deps: PermissionDeps,
  stream: Stream,
): Pick<
  CallDeps,
  'grants' | 'ledger' | 'classified' | 'mode' | 'identity' | 'command' | 'realPath' | 'expiryMs' | 'wallClock'
> {
  const { ledger, command, expiryMs, wallClock } = deps;
  return {
    grants: (coworkerId, qualifiedName) => [
      ...sessionGrants(deps, stream, qualifiedName),
      ...ledger.standing(coworkerId, qualifiedName),
    ],
    ledger,
    classified: (tool) => classifiedAs(ledger, tool),
    mode() {
      const { mode } = stream.facts();
      return { mode: mode?.data ?? 'ask', at: mode?.at ?? null };
    },
    identity: stream.facts().identity?.digest ?? null,
    command,
    realPath,
    expiryMs,
    wallClock,
  };
}
