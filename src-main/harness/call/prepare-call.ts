import type { GuardedCall } from '../guardrails';
import { failure, type Failure, type GuardrailFact, type JsonObject, type ProposedCall } from '../protocol';
import type { Tool } from '../tools';
import { canonicalDigest, sha256Hex } from '../validation';
import type { CallDeps } from './call-port';
import { validatorOf } from './validator-of';

/**
 * A call whose arguments have passed the checks and the input guardrails, or have not. Proposed, released and withheld
 * are three facts: what is recorded of the model's words, what runs, and whether records may hold it (S1-84, S1-85).
 */
export interface PreparedCall {
  /** The proposal as it is recorded: without arguments, and with their digest, where they are withheld. */
  readonly proposed: ProposedCall;
  /** Exactly these run; null when nothing can. */
  readonly released: JsonObject | null;
  readonly withheld: boolean;
  /** The input guardrails that had something to say. */
  readonly guardrails: readonly GuardrailFact[];
  /** Why the call cannot run; the model reads it. */
  readonly problem: Failure | null;
}

export type PrepareCallDeps = Pick<CallDeps, 'schemas' | 'guardrails'>;

function malformed(name: string): Failure {
  return failure(
    'arguments_malformed',
    `The arguments of ${name} are not one JSON object, or hold too many values or levels, so it was not run. Send one plain JSON object that fits its schema.`,
  );
}

/** Most bytes of the JSON text of arguments: more than a model writes at once, and what guardrails look through quickly. */
export const maxArgumentBytes = 1024 * 1024;

function tooLarge(name: string, bytes: number): Failure {
  return failure(
    'limit_reached',
    `The arguments of ${name} have ${bytes} bytes; at most ${maxArgumentBytes} are allowed, so it was not run and the record holds only their SHA-256. Send less at once.`,
  );
}

/** An error about arguments that stand in no record must not quote them. */
function withheldProblem(name: string, problem: Failure): Failure {
  if (problem.code !== 'arguments_invalid') return problem;
  return failure(
    'arguments_invalid',
    `The arguments of ${name} do not fit its schema, so it was not run. A guardrail keeps them out of the record, so nothing more is said here.`,
  );
}

function gone(name: string): Failure {
  return failure(
    'withheld_gone',
    `The arguments of ${name} were withheld from the record and are gone since the app was closed, so it was not run. Send the message again.`,
  );
}

/** Makes what was looked at unchangeable, so that nobody exchanges it between the look and the run. */
function deepFreeze(value: JsonObject): JsonObject {
  const open: object[] = [value];
  for (let next = open.pop(); next; next = open.pop()) {
    if (Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const member of Object.values(next)) {
      if (typeof member === 'object' && member !== null) open.push(member as object);
    }
  }
  return value;
}

function withoutArguments(proposed: ProposedCall, digest: string): ProposedCall {
  const { call_id, name, qualified_name, provider_metadata } = proposed;
  return {
    call_id,
    name,
    qualified_name,
    arguments: null,
    withheld_digest: digest,
    ...(provider_metadata ? { provider_metadata } : {}),
  };
}

/** What is to be looked at: the arguments, or the text that was to be some. */
function materialOf(proposed: ProposedCall): JsonObject {
  return proposed.arguments ?? { text: proposed.arguments_text ?? '' };
}

function digestOf(proposed: ProposedCall): string {
  return proposed.arguments === null
    ? sha256Hex(proposed.arguments_text ?? '')
    : canonicalDigest(proposed.arguments);
}

function checkArguments(deps: PrepareCallDeps, tool: Tool | null, args: JsonObject): Failure | null {
  if (!tool) return null;
  const validator = validatorOf(deps.schemas, tool.descriptor.input_schema);
  if (!validator.ok) return validator.error;
  const checked = validator.value.check(args);
  return checked.ok ? null : checked.error;
}

function callOf(proposed: ProposedCall, tool: Tool | null): GuardedCall {
  return {
    call_id: proposed.call_id,
    // Each dot of a name is `__` in its alias: a guardrail that knows namespaces knows this one too.
    qualified_name: tool?.descriptor.qualified_name ?? proposed.name.replaceAll('__', '.'),
    model_alias: tool?.model_alias ?? proposed.name,
    classification: tool?.classification ?? null,
  };
}

/**
 * Parse, validate, input guardrails: everything that must be known of a call before its proposal is recorded, since
 * withheld arguments may stand in no record (S1-43, S1-84). `tool` is null where the name belongs to no selected tool;
 * that is said by `runCall`, and every guardrail of the configuration looks at it. Arguments that are too large for
 * guardrails are withheld unseen. A withheld proposal that was read back from the journal has lost its arguments. Never throws.
 */
export async function prepareCall(
  deps: PrepareCallDeps,
  proposed: ProposedCall,
  tool: Tool | null,
  signal: AbortSignal,
): Promise<PreparedCall> {
  const { name } = proposed;
  if (proposed.withheld_digest !== undefined) {
    return { proposed, released: null, withheld: true, guardrails: [], problem: gone(name) };
  }
  const bytes = Buffer.byteLength(JSON.stringify(materialOf(proposed)), 'utf8');
  if (bytes > maxArgumentBytes) {
    const unseen = withoutArguments(proposed, digestOf(proposed));
    return {
      proposed: unseen,
      released: null,
      withheld: true,
      guardrails: [],
      problem: tooLarge(name, bytes),
    };
  }
  const material = deepFreeze(materialOf(proposed));
  const broken =
    proposed.arguments === null ? malformed(name) : checkArguments(deps, tool, proposed.arguments);
  const valid = broken === null && tool !== null;
  const release = await deps.guardrails.input(callOf(proposed, tool), material, valid, signal);
  const { withheld, facts } = release;
  const recorded = withheld ? withoutArguments(proposed, digestOf(proposed)) : proposed;
  const refused = (problem: Failure): PreparedCall => ({
    proposed: recorded,
    released: null,
    withheld,
    guardrails: facts,
    problem: withheld ? withheldProblem(name, problem) : problem,
  });
  if (broken) return refused(broken);
  if (release.type === 'blocked') return refused(release.error);
  if (release.transformed) {
    const unfit = checkArguments(deps, tool, release.arguments);
    if (unfit) {
      const words = `A guardrail changed the arguments of ${name} so that they no longer fit its schema, so it was not run.`;
      return refused(failure('guardrail_blocked', words));
    }
  }
  const released = deepFreeze(release.arguments);
  return { proposed: recorded, released, withheld, guardrails: facts, problem: null };
}
