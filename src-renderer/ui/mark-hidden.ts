export type HiddenKind = 'direction' | 'zero_width' | 'tag' | 'control' | 'invisible';

export type TextPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'hidden'; readonly code: string; readonly kind: HiddenKind }
  | { readonly type: 'blank'; readonly kind: 'spaces' | 'lines'; readonly count: number };

/** Runs of blanks from this length on are shown as a count: what stands behind them could be off the screen. */
export const longSpaces = 24;
export const longLines = 6;

function hiddenKind(code: number): HiddenKind | null {
  if (code === 0x09 || code === 0x0a) return null;
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return 'control';
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return 'direction';
  if (code === 0x200e || code === 0x200f || code === 0x061c) return 'direction';
  if ((code >= 0x200b && code <= 0x200d) || code === 0x2060 || code === 0xfeff || code === 0x180e) {
    return 'zero_width';
  }
  if (code >= 0xe0000 && code <= 0xe0fff) return 'tag';
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0x2061 && code <= 0x2064) || code === 0x00ad) {
    return 'invisible';
  }
  if (code === 0x3164 || code === 0x115f || code === 0x1160 || code === 0xffa0 || code === 0x034f) {
    return 'invisible';
  }
  return code === 0x2028 || code === 0x2029 || (code >= 0xfff9 && code <= 0xfffb) ? 'control' : null;
}

const pictographic = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|[0-9#*]/u;

/** Joiners and variation selectors inside an emoji are part of the picture that everyone sees. */
function belongsToEmoji(code: number, before: string): boolean {
  return (code === 0x200d || code === 0xfe0f || code === 0xfe0e) && pictographic.test(before);
}

function codeName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

const blankRuns = new RegExp(
  `[ \\t\\u00a0\\u2000-\\u200a\\u3000]{${longSpaces},}|(?:\\r?\\n[ \\t]*){${longLines},}`,
  'g',
);

function markCharacters(text: string, pieces: TextPiece[]): void {
  let plain = '';
  let before = '';
  const flush = (): void => {
    if (plain !== '') pieces.push({ type: 'text', text: plain });
    plain = '';
  };
  // CR LF is one line end; a lone CR can hide what stands before it.
  for (const character of text.replaceAll('\r\n', '\n')) {
    const code = character.codePointAt(0) ?? 0;
    const kind = hiddenKind(code);
    if (kind === null || belongsToEmoji(code, before)) {
      plain += character;
    } else {
      flush();
      pieces.push({ type: 'hidden', code: codeName(code), kind });
    }
    if (code !== 0xfe0f && code !== 0xfe0e) before = character;
  }
  flush();
}

/**
 * Cuts a text into what can be seen and what cannot: hidden characters with their code points, and long runs of
 * blanks with their length. No character is dropped without a mark.
 */
export function markHidden(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(blankRuns)) {
    const run = match[0];
    markCharacters(text.slice(end, match.index), pieces);
    const lines = run.includes('\n');
    const count = lines ? run.split('\n').length - 1 : run.length;
    pieces.push({ type: 'blank', kind: lines ? 'lines' : 'spaces', count });
    end = match.index + run.length;
  }
  markCharacters(text.slice(end), pieces);
  return pieces;
}

// Control characters but for line end and tab, format characters, and blanks that have no look of their own.
const anyHidden =
  /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\u{e0000}-\u{e0fff}]/u;
const anyBlankRun = new RegExp(blankRuns.source);

/** A quick look before the exact one. True also for emoji with joiners. */
export function mayHide(text: string): boolean {
  return anyHidden.test(text) || anyBlankRun.test(text);
}

/** Hidden characters of every string in a value, keys included. */
export function countHidden(value: unknown): number {
  if (typeof value === 'string') {
    return mayHide(value) ? markHidden(value).filter((piece) => piece.type === 'hidden').length : 0;
  }
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countHidden(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [key, item]) => sum + countHidden(key) + countHidden(item), 0);
}
