import type { Answer, Denial } from '../approvals';
import type { AskReason, DecisionRule, Failure, NewSessionEvent, Result } from '../protocol';
import type { Tool } from '../tools';
import { deniedEvents, factsOf, requestEvent, resolvedEvent, type ReadyCall } from './call-events';
import type { CallDeps, CallPlan } from './call-port';

export type Request =
  | {
      readonly type: 'open';
      readonly approval_id: string;
      readonly answer: Promise<Answer | { readonly type: 'cancelled' }>;
    }
  /**
   * Answered without a wait: by the host's standing answer, or by what a person allowed before the request was open
   * again. `events` are not recorded yet.
   */
  | {
      readonly type: 'answered';
      readonly approval_id: string;
      readonly answer: Answer;
      readonly events: readonly NewSessionEvent[];
    }
  | { readonly type: 'not_recorded'; readonly error: Failure };

function standingAnswer(deps: CallDeps): Answer | null {
  if (deps.standing === 'once') return { type: 'allow', scope: 'once', by: 'host' };
  return deps.standing === 'deny' ? { type: 'deny', note: '', by: 'host' } : null;
}

/**
 * Opens a request, or the one of before a restart again. One whose tool or arguments are no longer those that were
 * shown is closed, and the person is asked anew (S0-56).
 */
export function openRequest(
  deps: CallDeps,
  plan: CallPlan,
  ready: ReadyCall,
  reason: AskReason,
  signal: AbortSignal,
): Request {
  const { tool } = ready;
  const digest = ready.digest();
  const { pending } = plan;
  const again = pending !== null && pending.pin === tool.pin && pending.arguments_digest === digest;
  const standing = standingAnswer(deps);
  if (pending && (!again || standing)) {
    const before = deps.desk.withdraw(pending.approval_id);
    if (before && again) {
      return { type: 'answered', approval_id: pending.approval_id, answer: before, events: [] };
    }
  }
  const approvalId = again ? pending.approval_id : deps.newId('approval');
  const events: readonly NewSessionEvent[] = again
    ? []
    : [
        ...(pending ? [resolvedEvent(factsOf(plan), pending.approval_id, { type: 'outdated' })] : []),
        requestEvent(plan, ready, approvalId, pending ? 'definition_changed' : reason),
      ];
  if (standing) return { type: 'answered', approval_id: approvalId, answer: standing, events };
  if (!again) {
    const recorded = deps.record(events);
    if (!recorded.ok) return { type: 'not_recorded', error: recorded.error };
  }
  const binding = {
    approval_id: approvalId,
    turn_id: plan.turn_id,
    call_id: plan.prepared.proposed.call_id,
    qualified_name: tool.descriptor.qualified_name,
    pin: tool.pin,
    arguments_digest: digest,
    answered_by_grant: plan.rerun === null,
  };
  const deny = (denial: Denial): Result<unknown> =>
    deps.record(deniedEvents(factsOf(plan), approvalId, denial));
  return { type: 'open', approval_id: approvalId, answer: deps.desk.open(binding, deny, signal).answer };
}

/** What an answer allows: the rule that is recorded with the start, and the grant that it makes. */
export function allowance(
  deps: CallDeps,
  plan: CallPlan,
  tool: Tool,
  approvalId: string,
  answer: Extract<Answer, { type: 'allow' }>,
): {
  rule: DecisionRule;
  grant: readonly NewSessionEvent[];
} {
  if (answer.by === 'host') return { rule: { rule: 'host_allows_once' }, grant: [] };
  if (answer.scope === 'once') return { rule: { rule: 'asked_person' }, grant: [] };
  const existing = deps
    .grants()
    .find(
      (g) =>
        g.coworker_id === plan.coworker_id &&
        g.pin === tool.pin &&
        g.qualified_name === tool.descriptor.qualified_name,
    );
  if (existing) return { rule: { rule: 'grant_session', grant_id: existing.grant_id }, grant: [] };
  const grantId = deps.newId('grant');
  return {
    rule: { rule: 'asked_person', grant_id: grantId },
    grant: [
      {
        turn_id: plan.turn_id,
        type: 'grant_made',
        data: {
          grant_id: grantId,
          scope: 'session',
          coworker_id: plan.coworker_id,
          qualified_name: tool.descriptor.qualified_name,
          pin: tool.pin,
          approval_id: approvalId,
        },
      },
    ],
  };
}
