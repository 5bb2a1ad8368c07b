import { decide, type Decision, type PatternSubject } from '../approvals';
import type { JsonObject } from '../protocol';
import type { Tool } from '../tools';
import type { ReadyCall } from './call-events';
import type { CallDeps, CallPlan } from './call-port';

/** Hints that a server gives of its own tool; believed only where they make the app more careful. */
function saysItWrites({ descriptor, origin }: Tool): boolean {
  const hints = descriptor.annotations;
  if (origin.kind === 'native' || !hints) return false;
  return hints['readOnlyHint'] === false || hints['destructiveHint'] === true;
}

/** A call as patterns of grants look at it. */
export function subjectOf(
  deps: Pick<CallDeps, 'command' | 'realPath'>,
  tool: Tool,
  workspace: string | null,
  args: JsonObject,
): PatternSubject {
  return { arguments: args, workspace, realPath: deps.realPath, command: deps.command(tool, args) };
}

/** The policy's word on exactly this call, with everything as it is now. */
export function decideCall(deps: CallDeps, plan: CallPlan, { tool, args }: ReadyCall): Decision {
  const { qualified_name } = tool.descriptor;
  const { mode, at } = deps.mode();
  return decide({
    coworker_id: plan.coworker_id,
    qualified_name,
    pin: tool.pin,
    classified: deps.classified(tool),
    hint_not_read_only: saysItWrites(tool),
    mode,
    mode_at: at,
    grants: deps.grants(plan.coworker_id, qualified_name),
    subject: subjectOf(deps, tool, plan.workspace, args),
  });
}
