import { doubt, sure, type OrDoubt, type Span } from './doubt';
import { type Word } from './lex-command';
import { isReserved, type Draft } from './parse-command';
import { unwrap, type Inner } from './unwrap';

export interface WrapperDeps {
  /** Reads a text that stands in a word as a shell would; places count in the text around it. */
  readonly readText: (text: string, at: Span) => OrDoubt<readonly Draft[]>;
}

/** Wrappers inside one another. */
const maxDepth = 5;
/** More commands than a person looks through. */
export const maxSegments = 50;

/** Each segment, with the commands that it starts behind it (field report 36). */
export function resolveWrappers(deps: WrapperDeps, drafts: readonly Draft[]): OrDoubt<readonly Draft[]> {
  const done: Draft[] = [];
  for (const draft of drafts) {
    const problem = addWithInner(deps, draft, done);
    if (problem) return problem;
  }
  return sure(done);
}

function addWithInner(deps: WrapperDeps, draft: Draft, done: Draft[]): ReturnType<typeof doubt> | null {
  const whole = spanOf(draft.words);
  if (done.length >= maxSegments) return doubt('too_many_commands', ...whole);
  done.push(draft);
  const opened = unwrap(draft.words);
  if (!opened.ok) return opened;
  for (const inner of opened.value) {
    if (draft.via.length >= maxDepth) return doubt('too_deep', ...whole);
    const found = draftsOf(deps, inner, draft);
    if (!found.ok) return found;
    for (const each of found.value) {
      const problem = addWithInner(deps, each, done);
      if (problem) return problem;
    }
  }
  return null;
}

function draftsOf(deps: WrapperDeps, inner: Inner, outer: Draft): OrDoubt<readonly Draft[]> {
  const via = [...outer.via, inner.name];
  if (inner.type === 'text') {
    const read = deps.readText(inner.text, inner.at);
    return read.ok ? sure(read.value.map((draft) => ({ ...draft, via }))) : read;
  }
  const [first] = inner.words;
  // `time` is a word of the shell's own: what follows it is read as syntax once more.
  if (first && inner.name === 'time' && (isReserved(first) || /^\w+\+?=/.test(first.value))) {
    return doubt('control_structure', ...first.at);
  }
  const { words, assignments } = inner;
  return sure([{ words, assignments, redirections: [], connector: 'first', via, background: false }]);
}

/** From the first word to the last. */
export function spanOf(words: readonly Word[]): Span {
  return [words[0]?.at[0] ?? 0, words.at(-1)?.at[1] ?? 0];
}
