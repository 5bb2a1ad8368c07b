import type { GuardrailFinding, Json, JsonObject } from '../protocol';
import { createRedaction, type Redaction } from '../validation';
import type { Guardrail, GuardedOutput } from './guardrail';

type ArgumentsRule = 'inspect' | 'withhold' | 'block' | 'ignore';

function argumentsRule(options: JsonObject): ArgumentsRule {
  const rule = options['arguments'];
  return rule === 'withhold' || rule === 'block' || rule === 'ignore' ? rule : 'inspect';
}

function checkOptions(options: JsonObject): string | null {
  for (const [key, value] of Object.entries(options)) {
    if (key === 'arguments') {
      if (['inspect', 'withhold', 'block', 'ignore'].includes(String(value))) continue;
      return `"arguments" is ${JSON.stringify(value)}. Write "inspect", "withhold", "block" or "ignore".`;
    }
    if (key === 'results') {
      if (value === 'redact' || value === 'ignore') continue;
      return `"results" is ${JSON.stringify(value)}. Write "redact" or "ignore".`;
    }
    return `"${key.slice(0, 100)}" is not known. The options are "arguments" and "results".`;
  }
  return null;
}

/** Digests stand for spans that were replaced; where nothing was, the count is all there is to say. */
function findings(redaction: Redaction, replaced: boolean): readonly GuardrailFinding[] {
  return redaction
    .found()
    .map(({ kind, count, digests }) => ({ kind, count, ...(replaced ? { digests } : {}) }));
}

function redactedOutput({ result, error }: GuardedOutput, redaction: Redaction): GuardedOutput {
  const structured = result?.structured;
  const clean = structured === undefined ? undefined : redaction.json(structured);
  return {
    result: result && {
      text: redaction.text(result.text),
      ...(clean === undefined ? {} : { structured: clean }),
    },
    error: error && {
      ...error,
      message: redaction.text(error.message),
      ...(error.data ? { data: redaction.json(error.data) as JsonObject } : {}),
    },
  };
}

/**
 * Finds keys, tokens, passwords and private key blocks. In results, failures and progress only the secrets themselves
 * are replaced, by kind and digest; what was JSON stays JSON. In arguments it only counts them, unless the options say
 * that they are withheld from every record or that the call is blocked. Options: `arguments` (`inspect`, `withhold`,
 * `block`, `ignore`), `results` (`redact`, `ignore`).
 */
export const secretRedaction: Guardrail = {
  name: 'secret_redaction',
  checkOptions,
  input({ arguments: args, options }) {
    const rule = argumentsRule(options);
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
    if (options['results'] === 'ignore') return { action: 'pass' };
    const redaction = createRedaction();
    const released = redactedOutput(output, redaction);
    const found = findings(redaction, true);
    if (found.length === 0) return { action: 'pass' };
    return { action: 'transform', output: released, findings: found };
  },
  progress({ entry, options }) {
    if (options['results'] === 'ignore') return { action: 'pass' };
    const redaction = createRedaction();
    const message = redaction.text(entry.message);
    const data: Json | undefined = entry.data === undefined ? undefined : redaction.json(entry.data);
    const found = findings(redaction, true);
    if (found.length === 0) return { action: 'pass' };
    const released = { message, ...(data === undefined ? {} : { data }) };
    return { action: 'transform', entry: released, findings: found };
  },
};
