import {
  failure,
  type AskReason,
  type Classification,
  type DecisionRule,
  type Failure,
  type GrantEnded,
  type GrantMade,
  type Mode,
} from '../protocol';
import { coversArguments, type PatternSubject } from './argument-pattern';

/** What a host without a window answers to every request: ask on its own surface, allow each once, or deny each. */
export type StandingAnswer = 'ask' | 'once' | 'deny';

/** A grant of this coworker for this tool, and whether it has ended since. */
export interface StandingGrant {
  readonly grant: GrantMade;
  /** ISO 8601, UTC. */
  readonly made_at: string;
  readonly ended: GrantEnded['how'] | null;
}

/** What the tool may do, and who says so. */
export interface ClassifiedAs {
  readonly classification: Classification;
  readonly by: 'host' | 'person';
  /** When the person said so; null for the host. */
  readonly at: string | null;
}

export interface PolicyQuestion {
  readonly coworker_id: string;
  readonly qualified_name: string;
  readonly pin: string;
  readonly classified: ClassifiedAs;
  /** The server itself says that the tool does more than read. A hint narrows, and never widens. */
  readonly hint_not_read_only: boolean;
  readonly mode: Mode;
  /** When the mode was chosen, ISO 8601, UTC; null where it is the one the session began with. */
  readonly mode_at: string | null;
  /** In any order; those of other coworkers and tools are left out of account. */
  readonly grants: readonly StandingGrant[];
  /** The released arguments: exactly these would run. */
  readonly subject: PatternSubject;
}

export type Decision =
  | { readonly type: 'allow'; readonly rule: DecisionRule }
  | { readonly type: 'ask'; readonly reason: AskReason; readonly grant_id?: string }
  | { readonly type: 'refuse'; readonly rule: DecisionRule; readonly error: Failure };

const since = (at: string | null): { at?: string } => (at === null ? {} : { at });

function grantsFor({ coworker_id, qualified_name, grants }: PolicyQuestion): readonly StandingGrant[] {
  return grants
    .filter(({ grant }) => grant.coworker_id === coworker_id && grant.qualified_name === qualified_name)
    .sort((a, b) => (a.made_at < b.made_at ? 1 : -1));
}

const holdsFor = ({ pin }: PolicyQuestion, { grant, ended }: StandingGrant): boolean =>
  ended === null && grant.pin === pin;

function covering(question: PolicyQuestion): StandingGrant | null {
  const found = grantsFor(question).find(
    (standing) =>
      holdsFor(question, standing) && coversArguments(standing.grant.pattern ?? [], question.subject),
  );
  return found ?? null;
}

type Ask = Extract<Decision, { type: 'ask' }>;

function about(reason: AskReason, found: StandingGrant | undefined): Ask | null {
  return found ? { type: 'ask', reason, grant_id: found.grant.grant_id } : null;
}

/** Why a person is asked, the most telling reason first. */
function asked(question: PolicyQuestion): Ask {
  const grants = grantsFor(question);
  const changed = grants.find(({ grant, ended }) => ended === null && grant.pin !== question.pin);
  if (question.subject.command?.inspectable === false) return { type: 'ask', reason: 'uninspectable' };
  return (
    about(
      'outside_grant',
      grants.find((standing) => holdsFor(question, standing)),
    ) ??
    about('definition_changed', changed) ??
    about(
      'grant_ended',
      grants.find(
        ({ ended, grant }) => grant.pin === question.pin && (ended === 'expired' || ended === 'unused'),
      ),
    ) ?? {
      type: 'ask',
      reason: question.classified.classification === 'read' ? 'server_hint' : 'not_read_only',
    }
  );
}

/** One line of the precedence: the first that answers decides. */
export interface PolicyRule {
  readonly name: string;
  readonly answer: (question: PolicyQuestion) => Decision | null;
}

/** The precedence (docs/approvals.md has it as a table). */
export const policyRules: readonly PolicyRule[] = [
  {
    name: 'read only tools run in every mode',
    answer({ classified, hint_not_read_only }) {
      if (classified.classification !== 'read' || hint_not_read_only) return null;
      const rule = {
        rule: 'classification_read',
        scope: 'app',
        by: classified.by,
        ...since(classified.at),
      } as const;
      return { type: 'allow', rule };
    },
  },
  {
    name: 'Read only refuses the rest',
    answer({ mode, mode_at, qualified_name }) {
      if (mode !== 'read_only') return null;
      const message = `${qualified_name} may do more than read, and this session is in Read only mode. It was not run.`;
      return {
        type: 'refuse',
        rule: { rule: 'mode_read_only', scope: 'session', by: 'person', ...since(mode_at) },
        error: failure('denied_by_policy', message),
      };
    },
  },
  {
    name: 'Bypass asks nobody',
    answer: ({ mode, mode_at }) =>
      mode === 'bypass'
        ? { type: 'allow', rule: { rule: 'mode_bypass', scope: 'session', by: 'person', ...since(mode_at) } }
        : null,
  },
  {
    name: 'a grant that covers the call runs',
    answer(question) {
      const found = covering(question);
      if (!found) return null;
      const { grant_id, scope } = found.grant;
      const rule = scope === 'session' ? 'grant_session' : 'grant_coworker';
      return { type: 'allow', rule: { rule, grant_id, scope, by: 'person', at: found.made_at } };
    },
  },
  { name: 'a person is asked', answer: asked },
];

/**
 * The one policy for engine, window and command line: may this call run, must a person be asked, or is it refused?
 * Always with the rule that decided. Pure but for `subject.realPath`.
 */
export function decide(question: PolicyQuestion): Decision {
  for (const { answer } of policyRules) {
    const decision = answer(question);
    if (decision) return decision;
  }
  return { type: 'ask', reason: 'not_read_only' };
}
