import { diffArrays, diffWordsWithSpace } from 'diff';

export interface WordMark {
  readonly text: string;
  /** Whether the other text lacks it. */
  readonly marked: boolean;
}

export interface DiffLine {
  readonly type: 'same' | 'removed' | 'added';
  /** Its number in the former and in the new text, from 1; null where it does not stand. */
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
  /** The words in which it differs from the line that it replaces; null where it replaces none. */
  readonly words: readonly WordMark[] | null;
}

export type DiffPart =
  | { readonly type: 'lines'; readonly lines: readonly DiffLine[] }
  /** Unchanged lines that need not be read; they can be opened. */
  | { readonly type: 'fold'; readonly lines: readonly DiffLine[] };

export interface TextDiff {
  readonly parts: readonly DiffPart[];
  readonly added: number;
  readonly removed: number;
  /** The texts were too different to be compared: the one stands after the other. */
  readonly too_different: boolean;
  readonly open_end: { readonly before: boolean; readonly after: boolean };
}

const mostEdits = 4_000;
const longestMillis = 400;
/** Unchanged lines beside a change that stay in sight, and how many more are worth folding. */
const context = 3;
const foldFrom = 4;
const longestMarkedLine = 600;
const mostMarkedLines = 400;

interface Lines {
  readonly lines: readonly string[];
  readonly openEnd: boolean;
}

/** A final line end makes no line of its own; an empty text has none. */
function linesOf(text: string | null): Lines {
  if (text === null || text === '') return { lines: [], openEnd: false };
  const lines = text.split('\n');
  const openEnd = lines.at(-1) !== '';
  return { lines: openEnd ? lines : lines.slice(0, -1), openEnd };
}

/** Line ends of the other kind are no change to read where all of both texts have them. */
function withoutReturns(before: Lines, after: Lines): readonly [Lines, Lines] {
  const all = [...before.lines, ...after.lines];
  if (all.length === 0 || !all.every((line) => line.endsWith('\r'))) return [before, after];
  const cut = (lines: Lines): Lines => ({ ...lines, lines: lines.lines.map((line) => line.slice(0, -1)) });
  return [cut(before), cut(after)];
}

interface Run {
  readonly type: DiffLine['type'];
  readonly lines: readonly string[];
}

function runsOf(before: readonly string[], after: readonly string[]): readonly Run[] | null {
  const changes = diffArrays([...before], [...after], { maxEditLength: mostEdits, timeout: longestMillis });
  if (!changes) return null;
  return changes.map(({ value, added, removed }) => ({
    type: added ? 'added' : removed ? 'removed' : 'same',
    lines: value,
  }));
}

type Marks = ReadonlyMap<number, readonly WordMark[]>;

/** Words of lines that replace one another one for one. */
function markWords(removed: readonly string[], added: readonly string[]): readonly [Marks, Marks] {
  const former = new Map<number, readonly WordMark[]>();
  const latter = new Map<number, readonly WordMark[]>();
  if (removed.length !== added.length || removed.length > mostMarkedLines) return [former, latter];
  for (const [index, before] of removed.entries()) {
    const after = added[index] ?? '';
    if (before.length + after.length > longestMarkedLine * 2) continue;
    const pieces = diffWordsWithSpace(before, after, { maxEditLength: 200 });
    // A line that is wholly another is no edit of the former one.
    if (!pieces?.some((piece) => !piece.added && !piece.removed && piece.value.trim() !== '')) continue;
    const marks = (other: 'added' | 'removed', own: 'added' | 'removed'): readonly WordMark[] =>
      pieces.filter((piece) => !piece[other]).map((piece) => ({ text: piece.value, marked: piece[own] }));
    former.set(index, marks('added', 'removed'));
    latter.set(index, marks('removed', 'added'));
  }
  return [former, latter];
}

function numbered(runs: readonly Run[]): readonly DiffLine[] {
  let before = 0;
  let after = 0;
  const none: Marks = new Map();
  let latter = none;
  return runs.flatMap((run, at) => {
    const next = runs[at + 1];
    const pair = run.type === 'removed' && next?.type === 'added' ? markWords(run.lines, next.lines) : null;
    const marks = pair ? pair[0] : run.type === 'added' ? latter : none;
    latter = pair ? pair[1] : none;
    return run.lines.map((text, index): DiffLine => {
      if (run.type !== 'added') before += 1;
      if (run.type !== 'removed') after += 1;
      return {
        type: run.type,
        before: run.type === 'added' ? null : before,
        after: run.type === 'removed' ? null : after,
        text,
        words: marks.get(index) ?? null,
      };
    });
  });
}

/** Long unchanged stretches apart from what is to be read. */
function foldedParts(lines: readonly DiffLine[]): readonly DiffPart[] {
  const near = new Uint8Array(lines.length);
  for (const [index, line] of lines.entries()) {
    if (line.type === 'same') continue;
    near.fill(1, Math.max(0, index - context), index + context + 1);
  }
  const parts: { type: DiffPart['type']; lines: DiffLine[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const type = near[index] === 1 ? 'lines' : 'fold';
    const last = parts.at(-1);
    if (last?.type === type) last.lines.push(line);
    else parts.push({ type, lines: [line] });
  }
  return parts.map((part) => (part.lines.length < foldFrom ? { ...part, type: 'lines' } : part));
}

/** Two texts line by line; `null` is no text at all. */
export function lineDiff(former: string | null, latter: string | null): TextDiff {
  const [before, after] = withoutReturns(linesOf(former), linesOf(latter));
  const found = runsOf(before.lines, after.lines);
  const runs = found ?? [
    { type: 'removed' as const, lines: before.lines },
    { type: 'added' as const, lines: after.lines },
  ];
  const lines = numbered(runs);
  return {
    parts: foldedParts(lines),
    added: lines.filter((line) => line.type === 'added').length,
    removed: lines.filter((line) => line.type === 'removed').length,
    too_different: found === null,
    open_end: { before: before.openEnd, after: after.openEnd },
  };
}
