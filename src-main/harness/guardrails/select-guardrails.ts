import type { JsonObject } from '../protocol';
import type { Guardrail, GuardrailSelection } from './guardrail';

/** A guardrail that looks at a tool, with the options that the configuration gives it there. */
export interface Chosen {
  readonly guardrail: Guardrail;
  readonly options: JsonObject;
}

/** How exactly a pattern names a tool: 3 the tool itself, 2 its namespace, 1 every tool, 0 not at all. */
export function exactness(pattern: string, qualifiedName: string): 0 | 1 | 2 | 3 {
  if (pattern === '*') return 1;
  if (pattern === qualifiedName) return 3;
  return pattern.endsWith('.*') && qualifiedName.startsWith(pattern.slice(0, -1)) ? 2 : 0;
}

/**
 * The guardrails that look at one tool, in the order of the configuration. Of several entries for one guardrail the one
 * that names the tool most exactly holds, and the first of equals.
 */
export function selectFor(
  guardrails: ReadonlyMap<string, Guardrail>,
  selections: readonly GuardrailSelection[],
  qualifiedName: string,
): readonly Chosen[] {
  const best = new Map<string, { readonly place: number; readonly exact: number }>();
  selections.forEach(({ guardrail, tools }, place) => {
    const exact = tools.reduce((most, pattern) => Math.max(most, exactness(pattern, qualifiedName)), 0);
    if (exact > (best.get(guardrail)?.exact ?? 0)) best.set(guardrail, { place, exact });
  });
  return selections.flatMap((selection, place) => {
    const guardrail = guardrails.get(selection.guardrail);
    if (!guardrail || best.get(selection.guardrail)?.place !== place) return [];
    return [{ guardrail, options: selection.options }];
  });
}

/**
 * Every guardrail that looks at any tool, once with each of its options: for a call that no tool answers, since nobody
 * knows which tool it was meant for.
 */
export function everyChoice(
  guardrails: ReadonlyMap<string, Guardrail>,
  selections: readonly GuardrailSelection[],
): readonly Chosen[] {
  const seen = new Set<string>();
  return selections.flatMap(({ guardrail: name, tools, options }) => {
    const guardrail = guardrails.get(name);
    const key = `${name} ${JSON.stringify(options)}`;
    if (!guardrail || tools.length === 0 || seen.has(key)) return [];
    seen.add(key);
    return [{ guardrail, options }];
  });
}
