import {
  samePermission,
  type Allowance,
  type Answer,
  type TakenAllowance,
  type TakenAnswer,
  type WaitEnd,
} from '../approvals';
import type { DecisionRule, Failure, NewSessionEvent, Result } from '../protocol';
import {
  deniedEvents,
  factsOf,
  requestEvent,
  resolvedEvent,
  type AskedFor,
  type ReadyCall,
} from './call-events';
import type { CallDeps, CallPlan } from './call-port';
import { decideCall, subjectOf } from './decide-call';
import { takeAllowance, type AnsweredRequest } from './take-answer';

export type Request =
  | {
      readonly type: 'open';
      readonly approval_id: string;
      readonly answer: Promise<WaitEnd>;
    }
  /**
   * Answered without a wait: by the host's standing answer, or by what a person allowed before the request was open
   * again. `events` are not recorded yet.
   */
  | {
      readonly type: 'answered';
      readonly approval_id: string;
      readonly answer: TakenAnswer;
      readonly events: readonly NewSessionEvent[];
    }
  | { readonly type: 'not_recorded'; readonly error: Failure };

function standingAnswer(deps: CallDeps): Answer | null {
  if (deps.standing === 'once') return { type: 'allow', scope: 'once', by: 'host' };
  return deps.standing === 'deny' ? { type: 'deny', note: '', by: 'host' } : null;
}

function answeredRequest(
  deps: CallDeps,
  plan: CallPlan,
  { tool, classified, args }: ReadyCall,
  approvalId: string,
): AnsweredRequest {
  return {
    approval_id: approvalId,
    session_id: plan.session_id,
    turn_id: plan.turn_id,
    call_id: plan.prepared.proposed.call_id,
    coworker_id: plan.coworker_id,
    qualified_name: tool.descriptor.qualified_name,
    pin: tool.pin,
    classification: classified.classification,
    schema: tool.descriptor.input_schema,
    editable: !plan.prepared.withheld,
    subject: (edited) => subjectOf(deps, tool, plan.workspace, edited ?? args),
  };
}

/** The answer of a grant that covers the call by now. */
function coveredNow(deps: CallDeps, plan: CallPlan, ready: ReadyCall): Allowance | null {
  if (plan.rerun) return null;
  const decision = decideCall(deps, plan, ready);
  if (decision.type !== 'allow') return null;
  const { rule } = decision.rule;
  if (rule !== 'grant_session' && rule !== 'grant_coworker') return null;
  return { type: 'allow', scope: rule === 'grant_session' ? 'session' : 'coworker', by: 'grant' };
}

function waitFor(
  deps: CallDeps,
  plan: CallPlan,
  ready: ReadyCall,
  approvalId: string,
  signal: AbortSignal,
): Request {
  const { tool } = ready;
  const binding = {
    approval_id: approvalId,
    turn_id: plan.turn_id,
    call_id: plan.prepared.proposed.call_id,
    qualified_name: tool.descriptor.qualified_name,
    pin: tool.pin,
    arguments_digest: ready.digest(),
  };
  const take = (answer: Answer): Result<TakenAnswer> => {
    if (answer.type === 'allow') {
      return takeAllowance(deps, answeredRequest(deps, plan, ready, approvalId), answer);
    }
    const recorded = deps.record(deniedEvents(factsOf(plan), approvalId, answer));
    return recorded.ok ? { ok: true, value: answer } : recorded;
  };
  const covered = (): Allowance | null => coveredNow(deps, plan, ready);
  const handlers = { take, covered, expires_in_ms: deps.expiryMs() };
  return { type: 'open', approval_id: approvalId, answer: deps.desk.open(binding, handlers, signal).answer };
}

/**
 * Opens a request, or the one of before a restart again. One whose tool or arguments are no longer those that were
 * shown is closed, and the person is asked anew (S0-56).
 */
export function openRequest(
  deps: CallDeps,
  plan: CallPlan,
  ready: ReadyCall,
  why: AskedFor,
  signal: AbortSignal,
): Request {
  const { tool } = ready;
  const { pending } = plan;
  const again = pending !== null && pending.pin === tool.pin && pending.arguments_digest === ready.digest();
  const standing = standingAnswer(deps);
  if (pending && (!again || standing)) {
    const before = deps.desk.withdraw(pending.approval_id);
    if (before && again) {
      return { type: 'answered', approval_id: pending.approval_id, answer: before, events: [] };
    }
  }
  const approvalId = again ? pending.approval_id : deps.newId('approval');
  const asked = pending ? { ...why, reason: 'definition_changed' as const } : why;
  const events: readonly NewSessionEvent[] = again
    ? []
    : [
        ...(pending ? [resolvedEvent(factsOf(plan), pending.approval_id, { type: 'outdated' })] : []),
        requestEvent(plan, ready, approvalId, asked),
      ];
  if (standing) return { type: 'answered', approval_id: approvalId, answer: standing, events };
  if (!again) {
    const recorded = deps.record(events);
    if (!recorded.ok) return { type: 'not_recorded', error: recorded.error };
  }
  return waitFor(deps, plan, ready, approvalId, signal);
}

/** What an answer allows: the rule that is recorded with the start, and the grant of the session that it makes. */
export function allowance(
  deps: CallDeps,
  plan: CallPlan,
  ready: ReadyCall,
  answer: TakenAllowance,
): { readonly rule: DecisionRule; readonly grant: readonly NewSessionEvent[] } {
  if (answer.by === 'host') {
    return { rule: { rule: 'host_allows_once', scope: 'call', by: 'host' }, grant: [] };
  }
  if (answer.by === 'grant') {
    const decision = decideCall(deps, plan, ready);
    if (decision.type === 'allow') return { rule: decision.rule, grant: [] };
  }
  const { grant } = answer;
  const asked = { rule: 'asked_person', scope: grant?.scope ?? 'call', by: 'person' } as const;
  if (!grant) return { rule: asked, grant: [] };
  const rule = { ...asked, grant_id: grant.grant_id };
  if (grant.scope !== 'session') return { rule, grant: [] };
  const held = deps
    .grants(plan.coworker_id, grant.qualified_name)
    .find((standing) => standing.ended === null && samePermission(standing.grant, grant));
  if (held) {
    return { rule: { ...asked, rule: 'grant_session', grant_id: held.grant.grant_id }, grant: [] };
  }
  return { rule, grant: [{ turn_id: plan.turn_id, type: 'grant_made', data: grant }] };
}
