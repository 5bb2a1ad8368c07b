import type { Guardrail, Guardrails, GuardrailSelection } from './guardrail';
import { guardInput, guardUnknown } from './guard-input';
import { guardOutput, guardProgress } from './guard-output';
import { everyChoice, selectFor, type Chosen } from './select-guardrails';

/** The guardrails that look at a tool, by what they look at. */
interface Stages {
  readonly input: readonly Chosen[];
  readonly output: readonly Chosen[];
  readonly progress: readonly Chosen[];
}

/** Names that no tool has come from models, so what is remembered of names is bounded. */
const maxRemembered = 2_000;

/**
 * Puts guardrails to work as the app's configuration says (S1-43). Several of one name, or a selection that names none,
 * are defects of the caller: `parseGuardrailSettings` refuses them before.
 */
export function createGuardrails(parts: {
  readonly guardrails: readonly Guardrail[];
  readonly selections: readonly GuardrailSelection[];
}): Guardrails {
  const byName = new Map(parts.guardrails.map((guardrail) => [guardrail.name, guardrail]));
  const remembered = new Map<string, Stages>();
  const stagesOf = (qualifiedName: string): Stages => {
    const known = remembered.get(qualifiedName);
    if (known) return known;
    const chosen = selectFor(byName, parts.selections, qualifiedName);
    const stages: Stages = {
      input: chosen.filter(({ guardrail }) => guardrail.input),
      output: chosen.filter(({ guardrail }) => guardrail.output),
      progress: chosen.filter(({ guardrail }) => guardrail.progress),
    };
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(qualifiedName, stages);
    return stages;
  };
  const forUnknown = everyChoice(byName, parts.selections).filter(({ guardrail }) => guardrail.input);
  return {
    input: (call, args, valid, signal) =>
      call.classification === null
        ? guardUnknown(forUnknown, call, args, signal)
        : guardInput(stagesOf(call.qualified_name).input, call, args, valid, signal),
    output: (call, output) => guardOutput(stagesOf(call.qualified_name).output, call, output),
    progress: (call, entry) => guardProgress(stagesOf(call.qualified_name).progress, call, entry),
  };
}
