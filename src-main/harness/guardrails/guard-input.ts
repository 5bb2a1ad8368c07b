import { failure, isJsonObject, type Failure, type GuardrailFact, type JsonObject } from '../protocol';
import { isBoundedJson } from '../validation';
import { factOf, gravestFacts, maxNote } from './facts';
import type { GuardedCall, InputRelease, InputVerdict } from './guardrail';
import { brokeOff, guardrailTimeMs, overdue, stopped } from './limits';
import type { Chosen } from './select-guardrails';
import { withinTime } from './within-time';

/** What is no verdict of the contract counts as a failure of the guardrail. */
function isVerdict(value: InputVerdict): boolean {
  if (!isJsonObject(value)) return false;
  if (value.action === 'transform') return isJsonObject(value.arguments) && isBoundedJson(value.arguments);
  return value.action === 'pass' || value.action === 'withhold' || value.action === 'block';
}

async function ask(
  { guardrail, options }: Chosen,
  call: GuardedCall,
  args: JsonObject,
  valid: boolean,
  stop: AbortSignal,
): Promise<InputVerdict> {
  const pass: InputVerdict = { action: 'pass' };
  const answer = await withinTime(
    (signal) =>
      guardrail.input ? guardrail.input({ ...call, arguments: args, valid, options }, signal) : pass,
    guardrailTimeMs,
    stop,
  );
  if (answer.type === 'answered' && isVerdict(answer.value)) return answer.value;
  const note = answer.type === 'overdue' ? overdue : answer.type === 'stopped' ? stopped : brokeOff;
  return { action: 'block', withhold: true, note };
}

function blocked(name: string, call: GuardedCall, note = ''): Failure {
  const words = note === '' ? '' : ` ${note.slice(0, maxNote)}`;
  return failure(
    'guardrail_blocked',
    `Guardrail ${name} blocked ${call.model_alias}, so it was not run.${words}`,
  );
}

const actions = { pass: 'passed', transform: 'transformed', withhold: 'withheld', block: 'blocked' } as const;

/** The input stage of one call. Fails closed: blocked, and withheld from the record. */
export async function guardInput(
  chosen: readonly Chosen[],
  call: GuardedCall,
  args: JsonObject,
  valid: boolean,
  stop: AbortSignal,
): Promise<InputRelease> {
  const facts: GuardrailFact[] = [];
  let released = args;
  let withheld = false;
  for (const one of chosen) {
    const { name } = one.guardrail;
    const verdict = await ask(one, call, released, valid, stop);
    const fact = factOf(name, 'input', actions[verdict.action], verdict);
    if (fact) facts.push(fact);
    if (verdict.action === 'transform') released = verdict.arguments;
    if (verdict.action === 'withhold') withheld = true;
    if (verdict.action === 'block') {
      const keepOut = withheld || verdict.withhold === true;
      return { type: 'blocked', error: blocked(name, call, verdict.note), withheld: keepOut, facts };
    }
  }
  return { type: 'released', arguments: released, transformed: released !== args, withheld, facts };
}

/**
 * The input stage of a call that no selected tool answers. It will not run, and what is at stake is its record: each
 * guardrail looks at what was proposed, whatever another one would have released, and the strictest word holds.
 */
export async function guardUnknown(
  chosen: readonly Chosen[],
  call: GuardedCall,
  args: JsonObject,
  stop: AbortSignal,
): Promise<InputRelease> {
  const facts: GuardrailFact[] = [];
  let withheld = false;
  for (const one of chosen) {
    const verdict = await ask(one, call, args, false, stop);
    const fact = factOf(one.guardrail.name, 'input', actions[verdict.action], verdict);
    if (fact) facts.push(fact);
    withheld ||= verdict.action === 'withhold' || (verdict.action === 'block' && verdict.withhold === true);
  }
  return { type: 'released', arguments: args, transformed: false, withheld, facts: gravestFacts(facts) };
}
