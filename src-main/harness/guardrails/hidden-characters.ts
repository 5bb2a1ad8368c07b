import type { GuardrailFinding, Json, JsonObject } from '../protocol';
import { replaceTexts, sweepHidden, type HiddenKind } from '../validation';
import { checkChoices, choiceOf } from './choices';
import type { Guardrail, GuardedOutput } from './guardrail';
import { replaceInOutput } from './replace-in-output';

/** `tags` strips characters that carry hidden text and are seen nowhere; `all` whatever cannot be seen. */
const inArguments = ['nothing', 'tags', 'all'] as const;
const inResults = ['tags', 'nothing', 'all'] as const;
type Strip = (typeof inArguments)[number];

/** Counts, and strips as far as it is told. Terminal controls do not count: they are shown where text is shown. */
function createSweep(strip: Strip) {
  const counts = new Map<HiddenKind, { count: number; replaced: number }>();
  let stripped = false;
  const goes = (kind: HiddenKind): boolean =>
    kind !== 'control' && (strip === 'all' || (strip === 'tags' && kind === 'tag_characters'));
  const told = (kind: HiddenKind, gone: boolean): void => {
    if (kind === 'control') return;
    const known = counts.get(kind) ?? { count: 0, replaced: 0 };
    known.count += 1;
    if (gone) known.replaced += 1;
    stripped ||= gone;
    counts.set(kind, known);
  };
  const text = (given: string): string => sweepHidden(given, goes, told);
  return {
    text,
    json: (value: Json): Json => replaceTexts(value, { text, key: text }),
    stripped: () => stripped,
    findings: (): readonly GuardrailFinding[] =>
      [...counts].map(([kind, { count, replaced }]) => ({ kind, count, ...(stripped ? { replaced } : {}) })),
  };
}

/**
 * Finds characters that a reader cannot see: of direction, of zero width, and tags that carry hidden text. It reports
 * them, and strips as the options say: `arguments` (`nothing` unless given) and `results` (`tags` unless given, so that
 * no hidden text reaches a model), each `nothing`, `tags` or `all`, in texts and in keys. Joiners that scripts and emoji
 * need stay.
 */
export const hiddenCharacterDetection: Guardrail = {
  name: 'hidden_characters',
  checkOptions: (options) => checkChoices(options, { arguments: inArguments, results: inResults }),
  input({ arguments: args, options }) {
    const sweep = createSweep(choiceOf(options, 'arguments', inArguments));
    const released = sweep.json(args) as JsonObject;
    if (sweep.stripped()) return { action: 'transform', arguments: released, findings: sweep.findings() };
    return { action: 'pass', findings: sweep.findings() };
  },
  output({ output, options }) {
    const sweep = createSweep(choiceOf(options, 'results', inResults));
    const released: GuardedOutput = replaceInOutput(output, sweep);
    if (sweep.stripped()) return { action: 'transform', output: released, findings: sweep.findings() };
    return { action: 'pass', findings: sweep.findings() };
  },
  progress({ entry, options }) {
    const sweep = createSweep(choiceOf(options, 'results', inResults));
    const message = sweep.text(entry.message);
    const data = entry.data === undefined ? {} : { data: sweep.json(entry.data) };
    if (!sweep.stripped()) return { action: 'pass', findings: sweep.findings() };
    return { action: 'transform', entry: { message, ...data }, findings: sweep.findings() };
  },
};
