import { failure, isJsonObject, type GuardrailFact, type ProgressEntry } from '../protocol';
import { isBoundedJson } from '../validation';
import { factOf } from './facts';
import type {
  GuardedCall,
  GuardedOutput,
  OutputRelease,
  OutputVerdict,
  ProgressRelease,
  ProgressVerdict,
} from './guardrail';
import { brokeOff, guardrailTimeMs, overdue } from './limits';
import type { Chosen } from './select-guardrails';
import { withinTime } from './within-time';

/** Most values of a result that a guardrail gives back. */
const maxValues = 200_000;

function isOutput({ result, error }: GuardedOutput): boolean {
  const fits =
    result === null ||
    (isJsonObject(result) &&
      typeof result.text === 'string' &&
      (result.structured === undefined || isBoundedJson(result.structured, maxValues)));
  return (
    fits &&
    (error === null ||
      (isJsonObject(error) &&
        typeof error.code === 'string' &&
        typeof error.message === 'string' &&
        (error.data === undefined || (isJsonObject(error.data) && isBoundedJson(error.data, maxValues)))))
  );
}

function isVerdict(value: OutputVerdict): boolean {
  if (!isJsonObject(value)) return false;
  if (value.action === 'transform') return isJsonObject(value.output) && isOutput(value.output);
  return value.action === 'pass' || value.action === 'withhold' || value.action === 'block';
}

async function ask(
  { guardrail, options }: Chosen,
  call: GuardedCall,
  output: GuardedOutput,
): Promise<OutputVerdict> {
  const pass: OutputVerdict = { action: 'pass' };
  const answer = await withinTime(
    (signal) => (guardrail.output ? guardrail.output({ ...call, output, options }, signal) : pass),
    guardrailTimeMs,
    null,
  );
  if (answer.type === 'answered' && isVerdict(answer.value)) return answer.value;
  return { action: 'withhold', note: answer.type === 'overdue' ? overdue : brokeOff };
}

/** What stands in the place of a result, a failure, or both. */
function withheldOutput(name: string, { result, error }: GuardedOutput): GuardedOutput {
  const words = `[The result was withheld by guardrail ${name}.]`;
  return {
    result: result && { text: words },
    error: error && failure(error.code, `The reason was withheld by guardrail ${name}.`),
  };
}

const actions = { pass: 'passed', transform: 'transformed', withhold: 'withheld', block: 'blocked' } as const;

/** The output stage of one call, also of a stopped one: what it gave is recorded, so it is looked at. Fails closed. */
export async function guardOutput(
  chosen: readonly Chosen[],
  call: GuardedCall,
  output: GuardedOutput,
): Promise<OutputRelease> {
  const facts: GuardrailFact[] = [];
  let current = output;
  for (const one of chosen) {
    const { name } = one.guardrail;
    const verdict = await ask(one, call, current);
    const fact = factOf(name, 'output', actions[verdict.action], verdict);
    if (fact) facts.push(fact);
    if (verdict.action === 'transform') current = verdict.output;
    if (verdict.action === 'withhold' || verdict.action === 'block') {
      const blocked = verdict.action === 'block';
      return {
        output: withheldOutput(name, current),
        released: false,
        blocked_by: blocked ? name : null,
        facts,
      };
    }
  }
  return { output: current, released: true, blocked_by: null, facts };
}

function askProgress(
  { guardrail, options }: Chosen,
  call: GuardedCall,
  entry: ProgressEntry,
): ProgressVerdict {
  try {
    if (!guardrail.progress) return { action: 'pass' };
    const verdict = guardrail.progress({ ...call, entry, options });
    // A promise is no verdict here, and must not bring the app down when it rejects.
    if (verdict instanceof Promise) verdict.catch(() => undefined);
    if (verdict.action === 'pass' || verdict.action === 'withhold') return verdict;
    if (verdict.action !== 'transform') return { action: 'withhold', note: brokeOff };
    const { message, data } = verdict.entry;
    if (typeof message === 'string' && (data === undefined || isBoundedJson(data))) return verdict;
  } catch {
    // Answered below: a guardrail that fails withholds.
  }
  return { action: 'withhold', note: brokeOff };
}

/** The progress of a running call; synchronous, since it passes while the tool runs. Fails closed. */
export function guardProgress(
  chosen: readonly Chosen[],
  call: GuardedCall,
  entry: ProgressEntry,
): ProgressRelease {
  const facts: GuardrailFact[] = [];
  let current = entry;
  for (const one of chosen) {
    const { name } = one.guardrail;
    const verdict = askProgress(one, call, current);
    const fact = factOf(name, 'output', actions[verdict.action], verdict);
    if (fact) facts.push(fact);
    const { index, fraction } = current;
    const share = fraction === undefined ? {} : { fraction };
    if (verdict.action === 'withhold') {
      const message = `[Withheld by guardrail ${name}.]`;
      return { entry: { index, message, ...share }, facts };
    }
    if (verdict.action === 'transform') {
      const { message, data } = verdict.entry;
      current = { index, message, ...(data === undefined ? {} : { data }), ...share };
    }
  }
  return { entry: current, facts };
}
