import type { Problem } from '../protocol';
import { problemAt } from './problem';

/** Most lines of one file that are named one by one. */
const maxNamed = 10;

const suspicious =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Joiners belong between the parts of an emoji and in scripts that need them. */
const joinable =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}])[\p{L}\p{M}])$/u;

function kindOf(code: number): string {
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) {
    return 'changes the direction of text';
  }
  if (code >= 0xe0000 && code <= 0xe0fff) return 'carries hidden text';
  return 'cannot be seen';
}

function firstIn(
  line: string,
): { readonly column: number; readonly code: number; readonly count: number } | null {
  const hits = [...line.matchAll(suspicious)].filter((hit) => {
    const isJoiner = hit[0] === '\u200c' || hit[0] === '\u200d';
    return !(isJoiner && joinable.test(line.slice(0, hit.index)));
  });
  const first = hits[0];
  if (first === undefined) return null;
  return { column: first.index + 1, code: first[0].codePointAt(0) ?? 0, count: hits.length };
}

/** A warning for each line with characters that a reader cannot see, with line and column. */
export function findHiddenCharacters(file: string, text: string): Problem[] {
  const problems: Problem[] = [];
  let more = 0;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const hit = firstIn(line);
    if (hit === null) continue;
    if (problems.length >= maxNamed) {
      more += 1;
      continue;
    }
    const name = `U+${hit.code.toString(16).toUpperCase().padStart(4, '0')}`;
    const others = hit.count > 1 ? ` and ${hit.count - 1} more` : '';
    problems.push(
      problemAt(
        { file, line: index + 1, severity: 'warning' },
        `column ${hit.column} holds ${name}${others}, which ${kindOf(hit.code)}. Remove it, unless it is meant.`,
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
