import { diffWordsWithSpace } from 'diff';

export type WordPiece =
  | { readonly type: 'same' | 'removed' | 'added'; readonly text: string }
  /** Text without a change that is not repeated. */
  | { readonly type: 'skipped'; readonly count: number };

/** Texts that differ in more than this are shown one after the other: a mixture of both would say less. */
const mostEdits = 1_000;
const longestMillis = 200;
/** Of text without a change, so much is shown beside each change. */
const kept = 80;

function shorten(text: string, first: boolean, last: boolean): readonly WordPiece[] {
  const before = first ? 0 : kept;
  const after = last ? 0 : kept;
  const count = text.length - before - after;
  if (count < kept) return [{ type: 'same', text }];
  const pieces: readonly WordPiece[] = [
    { type: 'same', text: text.slice(0, before) },
    { type: 'skipped', count },
    { type: 'same', text: text.slice(text.length - after) },
  ];
  return pieces.filter((piece) => piece.type === 'skipped' || piece.text !== '');
}

/**
 * The words that two texts have in common and in which they differ. Without the skipped parts, the pieces that are not
 * added are the former text, and those that are not removed the latter.
 */
export function wordDiff(before: string, after: string): readonly WordPiece[] {
  const options = { maxEditLength: mostEdits, timeout: longestMillis };
  const changes = diffWordsWithSpace(before, after, options);
  if (!changes) {
    const whole: readonly WordPiece[] = [
      { type: 'removed', text: before },
      { type: 'added', text: after },
    ];
    return whole.filter((piece) => piece.type !== 'skipped' && piece.text !== '');
  }
  return changes.flatMap((change, index): readonly WordPiece[] => {
    if (change.removed) return [{ type: 'removed', text: change.value }];
    if (change.added) return [{ type: 'added', text: change.value }];
    return shorten(change.value, index === 0, index === changes.length - 1);
  });
}
