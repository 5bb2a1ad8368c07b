import type { Json } from '../../../../src-preload/contract';
import { hasMessage, type MessageKey, type Text } from '../../../messages/use-text';
import type { ValueProblem } from './check-value';
import { escapeHidden } from './escape-hidden';
import type { RawProblem } from './raw-json';

const longestWanted = 80;

/** What a schema wants, short enough for a sentence and with nothing in it that hides. */
function wantedText(wanted: Json | null): string {
  const text = typeof wanted === 'string' ? wanted : JSON.stringify(wanted);
  const shown = escapeHidden(text);
  return shown.length > longestWanted ? `${shown.slice(0, longestWanted)}…` : shown;
}

function typeWords(wanted: Json | null, t: Text): string {
  const names = Array.isArray(wanted) ? (wanted as readonly Json[]) : [wanted];
  const words = names.map((name) => {
    const key = `editing.type.${String(name)}`;
    return hasMessage(key) ? t(key) : wantedText(name);
  });
  const last = words.at(-1) ?? '';
  if (words.length < 2) return last;
  return t('editing.type.or', { first: words.slice(0, -1).join(', '), last });
}

/** The keywords that stand for others. */
const sameAs: Readonly<Record<string, string>> = {
  minContains: 'contains',
  maxContains: 'contains',
  dependentRequired: 'required',
};

/** Says what is wrong with a value in the person's language. */
export function problemWords(problem: ValueProblem, t: Text): string {
  const { keyword, wanted } = problem;
  const key = `editing.problem.${sameAs[keyword] ?? keyword}`;
  const known: MessageKey = hasMessage(key) ? key : 'editing.problem.other';
  if (known === 'editing.problem.type') return t(known, { types: typeWords(wanted, t) });
  return t(known, { wanted: wantedText(wanted) });
}

/** Says what is wrong with a text and where. */
export function rawProblemWords(problem: RawProblem, t: Text): string {
  const { kind, line, column } = problem;
  return t('editing.raw.place', { line, column, problem: t(`editing.raw.${kind}`) });
}
