import { withoutImageData } from '../images';
import type { GuardedCall } from '../guardrails';
import type { Failure, GuardrailFact, ProgressEntry } from '../protocol';
import type { Tool, ToolProgress } from '../tools';
import type { CallDeps } from './call-port';
import { brokenByProgress, hasNativeLimits, maxRemoteProgress } from './limits';
import { plainJson } from './plain-json';

/** The progress of one running call. */
export interface CallProgress {
  readonly entries: readonly ProgressEntry[];
  /** What guardrails did to it. */
  readonly facts: readonly GuardrailFact[];
  report(progress: ToolProgress): void;
  /** What comes after it is dropped. */
  end(): void;
}

/** Takes the progress of a call and passes it on; what breaks a native limit ends the call. */
export function createCallProgress(
  deps: Pick<CallDeps, 'emit' | 'guardrails'>,
  turnId: string,
  call: GuardedCall,
  tool: Tool,
  breakLimit: (error: Failure) => void,
): CallProgress {
  const entries: ProgressEntry[] = [];
  const facts: GuardrailFact[] = [];
  const native = hasNativeLimits(tool);
  let ended = false;
  return {
    entries,
    facts,
    report({ message, data, fraction }) {
      if (ended || (!native && entries.length >= maxRemoteProgress)) return;
      const plain = plainJson(data);
      const given: ProgressEntry = {
        index: entries.length,
        message: withoutImageData(String(message)),
        ...(plain ? { data: plain.value } : {}),
        ...(typeof fraction === 'number' && Number.isFinite(fraction) ? { fraction } : {}),
      };
      const broken = native ? brokenByProgress(call.qualified_name, given) : null;
      if (broken) {
        ended = true;
        breakLimit(broken);
        return;
      }
      const released = deps.guardrails.progress(call, given);
      facts.push(...released.facts);
      entries.push(released.entry);
      deps.emit({ type: 'call_progress', turn_id: turnId, call_id: call.call_id, entry: released.entry });
    },
    end() {
      ended = true;
    },
  };
}
