import type { GuardrailFact, GuardrailFinding } from '../protocol';

/** Longest words of a guardrail that are kept, in UTF-16 units. */
export const maxNote = 500;
const maxFindings = 50;
const maxDigests = 20;

/** The record of what a guardrail did, bounded, or null where it had nothing to say. */
export function factOf(
  guardrail: string,
  stage: GuardrailFact['stage'],
  action: GuardrailFact['action'],
  said: { readonly findings?: readonly GuardrailFinding[]; readonly note?: string },
): GuardrailFact | null {
  const findings = (said.findings ?? []).slice(0, maxFindings).map(({ kind, count, digests, replaced }) => ({
    kind: String(kind).slice(0, 100),
    count,
    ...(typeof replaced === 'number' ? { replaced } : {}),
    ...(digests ? { digests: digests.slice(0, maxDigests) } : {}),
  }));
  const note = (said.note ?? '').slice(0, maxNote);
  if (action === 'passed' && findings.length === 0 && note === '') return null;
  return { guardrail, stage, action, findings, note };
}

/** A look that changed nothing replaced nothing; one that changed something may not say how much. */
function replacedOf({ action }: GuardrailFact, finding: GuardrailFinding): number | undefined {
  return finding.replaced ?? (action === 'transformed' ? undefined : 0);
}

function mergedFinding(
  a: GuardrailFact,
  one: GuardrailFinding,
  b: GuardrailFact,
  other: GuardrailFinding,
): GuardrailFinding {
  const digests = new Set((one.digests ?? []).concat(other.digests ?? []));
  const [ofOne, ofOther] = [replacedOf(a, one), replacedOf(b, other)];
  const said = one.replaced !== undefined || other.replaced !== undefined;
  const known = said && ofOne !== undefined && ofOther !== undefined;
  return {
    kind: one.kind,
    count: one.count + other.count,
    ...(known ? { replaced: ofOne + ofOther } : {}),
    ...(digests.size > 0 ? { digests: [...digests].slice(0, maxDigests) } : {}),
  };
}

function mergedFindings(a: GuardrailFact, b: GuardrailFact): readonly GuardrailFinding[] {
  const byKind = new Map(a.findings.map((finding) => [finding.kind, finding]));
  for (const finding of b.findings) {
    const known = byKind.get(finding.kind);
    byKind.set(finding.kind, known ? mergedFinding(a, known, b, finding) : finding);
  }
  return [...byKind.values()].slice(0, maxFindings);
}

const weight: Record<GuardrailFact['action'], number> = {
  passed: 0,
  transformed: 1,
  withheld: 2,
  blocked: 3,
};

/** One fact for each guardrail and stage: counts add up, the gravest action stays. */
export function mergeFacts(facts: readonly GuardrailFact[]): readonly GuardrailFact[] {
  if (facts.length < 2) return facts;
  const merged = new Map<string, GuardrailFact>();
  for (const fact of facts) {
    const key = `${fact.stage} ${fact.guardrail}`;
    const known = merged.get(key);
    merged.set(
      key,
      known
        ? {
            ...known,
            action: weight[fact.action] > weight[known.action] ? fact.action : known.action,
            findings: mergedFindings(known, fact),
            note: known.note === '' ? fact.note : known.note,
          }
        : fact,
    );
  }
  return [...merged.values()];
}

/** The gravest fact of each guardrail, where one looked at the same several times: its counts do not add up. */
export function gravestFacts(facts: readonly GuardrailFact[]): readonly GuardrailFact[] {
  const gravest = new Map<string, GuardrailFact>();
  for (const fact of facts) {
    const known = gravest.get(fact.guardrail);
    if (!known || weight[fact.action] > weight[known.action]) gravest.set(fact.guardrail, fact);
  }
  return [...gravest.values()];
}
