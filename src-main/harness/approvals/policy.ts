import {
  failure,
  type AskReason,
  type Classification,
  type DecisionRule,
  type Failure,
  type GrantMade,
  type Mode,
} from '../protocol';

/** What a host without a window answers to every request: ask on its own surface, allow each once, or deny each. */
export type StandingAnswer = 'ask' | 'once' | 'deny';

export interface PolicyQuestion {
  readonly coworker_id: string;
  readonly qualified_name: string;
  readonly pin: string;
  readonly classification: Classification;
  readonly mode: Mode;
  readonly grants: readonly GrantMade[];
}

export type Decision =
  | { readonly type: 'allow'; readonly rule: DecisionRule }
  | { readonly type: 'ask'; readonly reason: AskReason }
  | { readonly type: 'refuse'; readonly rule: DecisionRule; readonly error: Failure };

/**
 * The one policy: may this call run, must a person be asked, or is it refused? First match wins: `read` runs in every
 * mode; Read only refuses the rest; Bypass asks nobody; a grant for exactly this definition runs; else ask. A grant
 * given for another definition makes the question say so (S0-56).
 */
export function decide(question: PolicyQuestion): Decision {
  if (question.classification === 'read') return { type: 'allow', rule: { rule: 'classification_read' } };
  if (question.mode === 'read_only') {
    return {
      type: 'refuse',
      rule: { rule: 'mode_read_only' },
      error: failure(
        'denied_by_policy',
        `${question.qualified_name} may do more than read, and this session is in Read only mode. It was not run.`,
      ),
    };
  }
  if (question.mode === 'bypass') return { type: 'allow', rule: { rule: 'mode_bypass' } };
  const named = question.grants.filter(
    (grant) => grant.coworker_id === question.coworker_id && grant.qualified_name === question.qualified_name,
  );
  const grant = named.find((candidate) => candidate.pin === question.pin);
  if (grant) return { type: 'allow', rule: { rule: 'grant_session', grant_id: grant.grant_id } };
  return { type: 'ask', reason: named.length > 0 ? 'definition_changed' : 'not_read_only' };
}
