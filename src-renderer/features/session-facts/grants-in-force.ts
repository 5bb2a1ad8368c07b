import type { SessionView } from '../../../src-preload/contract';
import { latestStartedTurn } from '../../state/selectors';

export interface GrantInForce {
  readonly qualified_name: string;
  /** False once the tool is no longer defined as it was when it was allowed: then it is asked about anew. */
  readonly holds: boolean;
}

/** The tools that were allowed for the session, each once. A grant holds for the pin that it was given for. */
export function grantsInForce(view: SessionView): readonly GrantInForce[] {
  const tools = latestStartedTurn(view)?.started?.data.tools ?? [];
  const pins = new Map(tools.map((tool) => [tool.qualified_name, tool.pin]));
  const found = new Map<string, boolean>();
  for (const { data } of view.grants) {
    const pin = pins.get(data.qualified_name);
    const holds = pin === undefined || pin === data.pin;
    found.set(data.qualified_name, holds || found.get(data.qualified_name) === true);
  }
  return [...found].map(([qualified_name, holds]) => ({ qualified_name, holds }));
}
