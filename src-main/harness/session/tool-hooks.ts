import type { ImageStore } from '../images';
import type { Tool } from '../tools';

/** `completed` and `ended` are ends of a turn; `revoked` is a stop, or the end of the session (S0-11..S0-13). */
export type HookMoment = 'completed' | 'ended' | 'revoked';

interface HookDeps {
  readonly images: Pick<ImageStore, 'latest' | 'drop'>;
  /** Takes plain lines for the host's log. */
  readonly log: (line: string) => void;
}

function tell({ hooks }: Tool, sessionId: string, moment: HookMoment): unknown {
  if (moment !== 'revoked' && hooks.turnFinished) {
    return hooks.turnFinished(sessionId, moment === 'completed') as unknown;
  }
  return hooks.revoke?.(sessionId) as unknown;
}

/** Whether the moment ends what the person allowed the tool. */
function endsConsent({ hooks }: Tool, moment: HookMoment): boolean {
  return hooks.revoke !== undefined && (moment === 'revoked' || !hooks.turnFinished);
}

/**
 * Tells the selected tools that the turn is over. A tool without `turnFinished` gives up what the person allowed it; a
 * stop and the end of a session revoke directly. With its consent goes the image that a tool gave. A hook that throws
 * is named in the log and keeps nobody else from hearing.
 */
export function tellTools(
  { images, log }: HookDeps,
  tools: readonly Tool[],
  sessionId: string,
  moment: HookMoment,
): void {
  for (const tool of tools) {
    const { qualified_name } = tool.descriptor;
    const failed = (): void => log(`A hook of tool ${qualified_name} failed at the end of a turn.`);
    const source = images.latest(sessionId)?.source.qualified_name;
    if (endsConsent(tool, moment) && source === qualified_name) images.drop(sessionId);
    try {
      const answer = tell(tool, sessionId, moment);
      // A hook is synchronous; of one that is not, the rejection must not end the process.
      if (answer instanceof Promise) answer.catch(failed);
    } catch {
      failed();
    }
  }
}
