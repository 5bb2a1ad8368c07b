import type { GuardrailFinding, Json } from '../protocol';
import { createRedaction, type Redaction } from '../validation';
import { checkChoices, choiceOf } from './choices';
import type { Guardrail } from './guardrail';
import { replaceInOutput } from './replace-in-output';

const inArguments = ['inspect', 'withhold', 'block', 'ignore'] as const;
const inResults = ['redact', 'ignore'] as const;

/** Digests stand for spans that were replaced; where nothing was, the count is all there is to say. */
function findings(redaction: Redaction, replaced: boolean): readonly GuardrailFinding[] {
  return redaction
    .found()
    .map(({ kind, count, digests }) => ({ kind, count, ...(replaced ? { replaced: count, digests } : {}) }));
}

/**
 * Finds keys, tokens, passwords and private key blocks. In results, failures and progress only the secrets themselves
 * are replaced, by kind and digest, also in keys; what was JSON stays JSON. In arguments it only counts them, unless the options say
 * that they are withheld from every record or that the call is blocked. Options: `arguments` (`inspect`, `withhold`,
 * `block`, `ignore`), `results` (`redact`, `ignore`).
 */
export const secretRedaction: Guardrail = {
  name: 'secret_redaction',
  checkOptions: (options) => checkChoices(options, { arguments: inArguments, results: inResults }),
  input({ arguments: args, options }) {
    const rule = choiceOf(options, 'arguments', inArguments);
    if (rule === 'ignore') return { action: 'pass' };
    const redaction = createRedaction();
    redaction.json(args);
    const found = findings(redaction, false);
    if (found.length === 0 || rule === 'inspect') return { action: 'pass', findings: found };
    if (rule === 'withhold') return { action: 'withhold', findings: found };
    return {
      action: 'block',
      withhold: true,
      findings: found,
      note: 'The arguments hold what looks like a secret.',
    };
  },
  output({ output, options }) {
    if (choiceOf(options, 'results', inResults) === 'ignore') return { action: 'pass' };
    const redaction = createRedaction();
    const released = replaceInOutput(output, redaction);
    const found = findings(redaction, true);
    if (found.length === 0) return { action: 'pass' };
    return { action: 'transform', output: released, findings: found };
  },
  progress({ entry, options }) {
    if (choiceOf(options, 'results', inResults) === 'ignore') return { action: 'pass' };
    const redaction = createRedaction();
    const message = redaction.text(entry.message);
    const data: Json | undefined = entry.data === undefined ? undefined : redaction.json(entry.data);
    const found = findings(redaction, true);
    if (found.length === 0) return { action: 'pass' };
    const released = { message, ...(data === undefined ? {} : { data }) };
    return { action: 'transform', entry: released, findings: found };
  },
};
