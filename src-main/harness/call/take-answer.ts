import { coversArguments, type Answer, type PatternSubject, type TakenAnswer } from '../approvals';
import {
  fail,
  ok,
  type ArgumentPattern,
  type Classification,
  type GrantMade,
  type JsonObject,
  type JsonSchema,
  type Result,
} from '../protocol';
import type { SchemaCompiler } from '../validation';
import type { CallDeps } from './call-port';
import { validatorOf } from './validator-of';

/** The request that an answer is given to, whether its call is open or was left behind by a restart. */
export interface AnsweredRequest {
  readonly approval_id: string;
  readonly session_id: string;
  readonly turn_id: string;
  readonly call_id: string;
  readonly coworker_id: string;
  readonly qualified_name: string;
  readonly pin: string;
  readonly classification: Classification;
  /** The schema of its arguments; null where that is not known any more. */
  readonly schema: JsonSchema | null;
  /** False where a guardrail withholds the arguments: nobody can edit what they cannot see. */
  readonly editable: boolean;
  /** The call as a pattern looks at it, with the arguments that would run. */
  readonly subject: (args: JsonObject | null) => PatternSubject | null;
}

export type TakeDeps = Pick<CallDeps, 'ledger' | 'newId' | 'wallClock'> & {
  readonly schemas: SchemaCompiler;
};

/** Longest time for which a permission with an end is given. */
const maxGrantDays = 3_660;

function checkEdited(deps: TakeDeps, request: AnsweredRequest, edited: JsonObject): Result<null> {
  if (!request.editable) {
    const words = `The arguments of ${request.qualified_name} are withheld, so they cannot be edited. Allow or deny the call as it is.`;
    return fail('invalid_input', words);
  }
  if (!request.schema) return ok(null);
  const validator = validatorOf(deps.schemas, request.schema);
  if (!validator.ok) return validator;
  const checked = validator.value.check(edited);
  return checked.ok ? ok(null) : checked;
}

function checkTerms(
  deps: TakeDeps,
  request: AnsweredRequest,
  pattern: ArgumentPattern,
  { arguments: edited, expires_at }: Extract<Answer, { type: 'allow' }>,
): Result<null> {
  const end = expires_at ? Date.parse(expires_at) : null;
  const now = deps.wallClock();
  if (end !== null && !(end > now && end < now + maxGrantDays * 24 * 60 * 60 * 1000)) {
    return fail(
      'invalid_input',
      'The permission would end in the past or in many years. Choose another end.',
    );
  }
  const subject = request.subject(edited ?? null);
  if (subject && !coversArguments(pattern, subject)) {
    const words = `The permission would not cover this call of ${request.qualified_name} itself, so it was not given. Widen it, or allow once.`;
    return fail('invalid_input', words);
  }
  return ok(null);
}

/**
 * What has to hold, and to be on record, before an allowance is acknowledged: edited arguments fit the schema, a lasting
 * permission covers the call that it is given with, and one that outlives the session stands in the ledger. A permission
 * for the session is recorded with the start of its call.
 */
export function takeAllowance(
  deps: TakeDeps,
  request: AnsweredRequest,
  answer: Extract<Answer, { type: 'allow' }>,
): Result<TakenAnswer> {
  if (answer.arguments) {
    const edited = checkEdited(deps, request, answer.arguments);
    if (!edited.ok) return edited;
  }
  const { scope, pattern = [], expires_at = null } = answer;
  if (scope === 'once' || answer.by !== 'person') return ok(answer);
  const terms = checkTerms(deps, request, pattern, answer);
  if (!terms.ok) return terms;
  const grant: GrantMade = {
    grant_id: deps.newId('grant'),
    scope,
    coworker_id: request.coworker_id,
    qualified_name: request.qualified_name,
    pin: request.pin,
    classification: request.classification,
    approval_id: request.approval_id,
    pattern,
    expires_at,
    session_id: request.session_id,
    turn_id: request.turn_id,
    call_id: request.call_id,
  };
  if (scope === 'coworker') {
    const made = deps.ledger.make(grant);
    if (!made.ok) return made;
  }
  return ok({ ...answer, grant });
}
