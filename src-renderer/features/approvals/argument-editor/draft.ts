import type { JsonObject } from '../../../../src-preload/contract';
import type { Text } from '../../../messages/use-text';
import type { Verdict } from './check-value';
import type { DraftProblem, EditorView } from './editor-state';
import { problemWords, rawProblemWords } from './problem-words';
import type { RawProblem } from './raw-json';

/** What the person has made of the arguments so far. */
export interface ArgumentDraft {
  readonly state: 'valid' | 'invalid';
  /** `null` while what is written means nothing. */
  readonly value: JsonObject | null;
  readonly problems: readonly DraftProblem[];
}

export function draftOf(given: {
  readonly view: EditorView;
  readonly value: JsonObject;
  readonly rawProblem: RawProblem | null;
  readonly unread: ReadonlyMap<string, DraftProblem>;
  readonly verdict: Verdict;
  readonly t: Text;
}): ArgumentDraft {
  const { t, rawProblem } = given;
  if (given.view === 'raw' && rawProblem) {
    const problems = [{ path: '', message: rawProblemWords(rawProblem, t) }];
    return { state: 'invalid', value: null, problems };
  }
  const unread = given.view === 'form' ? [...given.unread.values()] : [];
  const taken = new Set(unread.map((problem) => problem.path));
  const unfit = given.verdict.problems
    .filter((problem) => !taken.has(problem.path))
    .map((problem) => ({ path: problem.path, message: problemWords(problem, t) }));
  const problems = [...unread, ...unfit];
  return {
    state: problems.length === 0 ? 'valid' : 'invalid',
    value: unread.length === 0 ? given.value : null,
    problems,
  };
}
