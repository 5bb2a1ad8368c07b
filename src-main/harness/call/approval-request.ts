import type { Answer } from '../approvals';
import type { AskReason, DecisionRule, Failure, JsonObject, NewSessionEvent } from '../protocol';
import type { Tool } from '../tools';
import { canonicalDigest } from '../validation';
import { requestEvent, resolvedEvent } from './call-events';
import type { CallDeps, CallPlan } from './call-port';

export type Request =
  | {
      readonly type: 'open';
      readonly approval_id: string;
      readonly answer: Promise<Answer | { readonly type: 'cancelled' }>;
    }
  /** The person denied the request of before a restart, and the tool has changed since: the denial holds. */
  | {
      readonly type: 'denied_before';
      readonly approval_id: string;
      readonly answer: Extract<Answer, { type: 'deny' }>;
    }
  | { readonly type: 'not_recorded'; readonly error: Failure };

/**
 * Opens a request, or the one of before a restart again. One whose tool or arguments are no longer those that were
 * shown is closed, and the person is asked anew (S0-56). A host's standing answer is given at once.
 */
export function openRequest(
  deps: CallDeps,
  plan: CallPlan,
  tool: Tool,
  args: JsonObject,
  reason: AskReason,
  signal: AbortSignal,
): Request {
  const digest = canonicalDigest(args);
  const { pending } = plan;
  const again = pending !== null && pending.pin === tool.pin && pending.arguments_digest === digest;
  const approvalId = again ? pending.approval_id : deps.newId('approval');
  if (!again) {
    const before = pending && deps.desk.withdraw(pending.approval_id);
    if (pending && before?.type === 'deny') {
      return { type: 'denied_before', approval_id: pending.approval_id, answer: before };
    }
    const recorded = deps.record([
      ...(pending ? [resolvedEvent(plan, pending.approval_id, { type: 'outdated' })] : []),
      requestEvent(plan, tool, args, approvalId, digest, pending ? 'definition_changed' : reason),
    ]);
    if (!recorded.ok) return { type: 'not_recorded', error: recorded.error };
  }
  const binding = {
    approval_id: approvalId,
    turn_id: plan.turn_id,
    call_id: plan.call.call_id,
    qualified_name: tool.descriptor.qualified_name,
    pin: tool.pin,
    arguments_digest: digest,
  };
  const { answer } = deps.desk.open(binding, signal);
  if (deps.standing === 'once')
    deps.desk.answer(approvalId, digest, { type: 'allow', scope: 'once', by: 'host' });
  if (deps.standing === 'deny') deps.desk.answer(approvalId, digest, { type: 'deny', note: '', by: 'host' });
  return { type: 'open', approval_id: approvalId, answer };
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
    .find((g) => g.pin === tool.pin && g.qualified_name === tool.descriptor.qualified_name);
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
