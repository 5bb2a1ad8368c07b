import type { Problem } from '../protocol';
import { hiddenCharacters, type HiddenKind } from '../validation';
import { problemAt } from './problem';

/** Most lines of one file that are named one by one. */
const maxNamed = 10;

function words(kind: HiddenKind): string {
  if (kind === 'bidi_control') return 'changes the direction of text';
  return kind === 'tag_characters' ? 'carries hidden text' : 'cannot be seen';
}

/** A warning for each line with characters that a reader cannot see, with line and column. */
export function findHiddenCharacters(file: string, text: string): Problem[] {
  const problems: Problem[] = [];
  let more = 0;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const hits = hiddenCharacters(line);
    const [first] = hits;
    if (first === undefined) continue;
    if (problems.length >= maxNamed) {
      more += 1;
      continue;
    }
    const name = `U+${first.code.toString(16).toUpperCase().padStart(4, '0')}`;
    const others = hits.length > 1 ? ` and ${hits.length - 1} more` : '';
    problems.push(
      problemAt(
        { file, line: index + 1, severity: 'warning' },
        `column ${first.index + 1} holds ${name}${others}, which ${words(first.kind)}. Remove it, unless it is meant.`,
      ),
    );
  }
  if (more > 0) {
    problems.push(
      problemAt({ file, severity: 'warning' }, `${more} more lines hold hidden characters. Remove them too.`),
    );
  }
  return problems;
}
