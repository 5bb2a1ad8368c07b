import type {
  GuardrailFact,
  GuardrailFinding,
  Json,
  JsonObject,
  JsonSchema,
  ProgressEntry,
} from '../protocol';
import { replaceTexts, replaceTextsInJson, sha256Hex } from '../validation';
import { createNeedleSearch, needlesOf, type Needle, type NeedleSearch } from './echo-needles';
import { factOf } from './facts';
import type { Guardrails } from './guardrail';
import { replaceInOutput, type Replacing } from './replace-in-output';

/** A digest of something shorter gives it away to whoever tries all there are. */
const minDigest = 12;
/** Most characters that are compared for one text; one that takes more is withheld as a whole. */
const maxCompared = 50_000_000;

/** Replaces the values of withheld arguments, and counts them. */
interface EchoSweep extends Replacing {
  findings(): readonly GuardrailFinding[];
}

function createMarkers() {
  const found = new Map<Needle['type'], { count: number; readonly digests: Set<string> }>();
  return {
    marker({ type, value }: Pick<Needle, 'type' | 'value'>): string {
      const known = found.get(type) ?? { count: 0, digests: new Set<string>() };
      known.count += 1;
      found.set(type, known);
      if (type === 'number' || value.length < minDigest) return `[withheld ${type}]`;
      const digest = sha256Hex(value);
      if (known.digests.size < 20) known.digests.add(digest);
      return `[withheld ${type} sha256:${digest.slice(0, 12)}]`;
    },
    findings: (): readonly GuardrailFinding[] =>
      [...found].map(([type, { count, digests }]) => ({
        kind: `withheld_${type}`,
        count,
        replaced: count,
        ...(digests.size > 0 ? { digests: [...digests] } : {}),
      })),
  };
}

function replaceNeedles(
  text: string,
  search: NeedleSearch,
  marker: (needle: Needle) => string,
): string | null {
  let left = maxCompared;
  const spend = (characters: number): void => void (left -= characters);
  let result = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    const needle = search(text, at, spend);
    if (left < 0) return null;
    if (needle) {
      result += text.slice(from, at) + marker(needle);
      at += needle.form.length;
      from = at;
    } else at += 1;
  }
  return from === 0 ? text : result + text.slice(from);
}

function isJson(text: string): boolean {
  if (!/^\s{0,100}[{["0-9-]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Makes sweeps for what a call with these arguments gives back. */
function createEchoSweeps(args: JsonObject, schema: JsonSchema): () => EchoSweep {
  const needles = needlesOf(args, schema);
  const searchAll = createNeedleSearch(needles);
  // A text that is JSON itself may come back as JSON, where it is no literal.
  const searchStructure = createNeedleSearch(
    needles.filter(({ form, type }) => type === 'text' && /["{[]/.test(form)),
  );
  const numbers = new Map(
    needles.filter(({ type }) => type === 'number').map((needle) => [needle.form, needle]),
  );
  return () => {
    const { marker, findings } = createMarkers();
    const searched = (text: string, search: NeedleSearch): string =>
      replaceNeedles(text, search, marker) ?? marker({ type: 'text', value: text });
    const plain = (text: string): string => searched(text, searchAll);
    const number = (value: number): Json => {
      const needle = numbers.get(String(value));
      return needle ? marker(needle) : value;
    };
    const replacement = { text: plain, key: plain, number };
    return {
      text(given) {
        const text = isJson(given) ? searched(given, searchStructure) : given;
        return isJson(text) ? replaceTextsInJson(text, replacement) : plain(text);
      },
      json: (value) => replaceTexts(value, replacement),
      findings,
    };
  };
}

function sweptEntry(entry: ProgressEntry, sweep: EchoSweep): ProgressEntry {
  const { message, data } = entry;
  return {
    ...entry,
    message: sweep.text(message),
    ...(data === undefined ? {} : { data: sweep.json(data) }),
  };
}

/**
 * The guardrails of a call whose arguments are withheld: what its tool repeats of them is replaced by its type, and by
 * its digest where it is long enough, before and behind the guardrails of its output. What is changed, encoded, cut or
 * split is not found.
 * @param name the guardrail that withheld the arguments
 */
export function guardEchoes(
  guardrails: Guardrails,
  withheld: { readonly name: string; readonly arguments: JsonObject; readonly schema: JsonSchema },
): Guardrails {
  const newSweep = createEchoSweeps(withheld.arguments, withheld.schema);
  const factsOf = (sweep: EchoSweep): readonly GuardrailFact[] => {
    const findings = sweep.findings();
    const fact = findings.length > 0 ? factOf(withheld.name, 'output', 'transformed', { findings }) : null;
    return fact ? [fact] : [];
  };
  return {
    input: (call, args, valid, signal) => guardrails.input(call, args, valid, signal),
    async output(call, given) {
      const sweep = newSweep();
      const released = await guardrails.output(call, replaceInOutput(given, sweep));
      const output = replaceInOutput(released.output, sweep);
      return { ...released, output, facts: factsOf(sweep).concat(released.facts) };
    },
    progress(call, given) {
      const sweep = newSweep();
      const released = guardrails.progress(call, sweptEntry(given, sweep));
      const entry = sweptEntry(released.entry, sweep);
      return { entry, facts: factsOf(sweep).concat(released.facts) };
    },
  };
}
