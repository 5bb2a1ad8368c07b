import type { CallRow, GuardrailFact } from '../../../src-preload/contract';

/** Every fact that guardrails stated about a call, once each: approval and start repeat what was done to the input. */
export function guardrailFacts(row: CallRow): readonly GuardrailFact[] {
  const stated = [
    ...row.approvals.flatMap((approval) => approval.requested?.data.guardrails ?? []),
    ...(row.started?.data.guardrails ?? []),
    ...(row.finished?.data.guardrails ?? []),
  ];
  const known = new Set<string>();
  return stated.filter((fact) => {
    const words = JSON.stringify(fact);
    if (known.has(words)) return false;
    known.add(words);
    return true;
  });
}

/** The strongest thing that a guardrail did to a call; null where none changed anything. */
export function strongestAction(
  facts: readonly GuardrailFact[],
): Exclude<GuardrailFact['action'], 'passed'> | null {
  for (const action of ['blocked', 'withheld', 'transformed'] as const) {
    if (facts.some((fact) => fact.action === action)) return action;
  }
  return null;
}

export interface Withheld {
  /** The guardrail that keeps the arguments back; null where no fact names it. */
  readonly guardrail: string | null;
  readonly digest: string | null;
}

/** Who keeps the arguments of a call out of every record, and their digest. */
export function withheldBy(row: CallRow): Withheld {
  const fact = guardrailFacts(row).find((one) => one.stage === 'input' && one.action === 'withheld');
  return {
    guardrail: fact?.guardrail ?? null,
    digest: row.started?.data.withheld_digest ?? row.proposed?.withheld_digest ?? null,
  };
}
