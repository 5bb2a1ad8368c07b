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
  const findings = (said.findings ?? []).slice(0, maxFindings).map(({ kind, count, digests }) => ({
    kind: String(kind).slice(0, 100),
    count,
    ...(digests ? { digests: digests.slice(0, maxDigests) } : {}),
  }));
  const note = (said.note ?? '').slice(0, maxNote);
  if (action === 'passed' && findings.length === 0 && note === '') return null;
  return { guardrail, stage, action, findings, note };
}

function mergedFindings(
  a: readonly GuardrailFinding[],
  b: readonly GuardrailFinding[],
): readonly GuardrailFinding[] {
  const byKind = new Map<string, GuardrailFinding>();
  for (const finding of [...a, ...b]) {
    const known = byKind.get(finding.kind);
    const digests = new Set([...(known?.digests ?? []), ...(finding.digests ?? [])]);
    byKind.set(finding.kind, {
      kind: finding.kind,
      count: (known?.count ?? 0) + finding.count,
      ...(digests.size > 0 ? { digests: [...digests].slice(0, maxDigests) } : {}),
    });
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
            findings: mergedFindings(known.findings, fact.findings),
            note: known.note === '' ? fact.note : known.note,
          }
        : fact,
    );
  }
  return [...merged.values()];
}
