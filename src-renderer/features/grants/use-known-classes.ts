import { useEffect, useMemo, useState } from 'react';
import type { Classification, GrantEntry } from '../../../src-preload/contract';
import { listOf } from '../../state/host-store';
import { useApp, useHost } from '../../state/use-app';
import { serversToAsk, toolKey, type KnownClasses } from './grant-risk';

const nothing: KnownClasses = new Map();

/** What the tools of running servers count as that permissions cover without being narrowed. Starts no server. */
export function useKnownClasses(entries: readonly GrantEntry[]): KnownClasses {
  const { gateway } = useApp();
  const servers = useHost((state) => listOf(state.servers));
  const [known, setKnown] = useState(nothing);
  const names = useMemo(() => {
    const ready = new Set(servers.filter(({ state }) => state === 'ready').map(({ name }) => name));
    return JSON.stringify(serversToAsk(entries, ready));
  }, [entries, servers]);
  useEffect(() => {
    let gone = false;
    const ask = async (name: string): Promise<[string, Classification][]> => {
      const answer = await gateway.query('server.tools', { name });
      const tools = answer.ok ? answer.value : [];
      return tools.map((tool) => [toolKey(tool.qualified_name, tool.pin ?? ''), tool.classification]);
    };
    void Promise.all((JSON.parse(names) as string[]).map(ask)).then((found) => {
      if (!gone) setKnown(new Map(found.flat()));
    });
    return () => {
      gone = true;
    };
  }, [gateway, names]);
  return known;
}
