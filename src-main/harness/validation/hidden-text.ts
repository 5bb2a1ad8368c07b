/** What kind of character a reader cannot see. `control` are the old terminal controls, which renderers show escaped. */
export type HiddenKind = 'bidi_control' | 'tag_characters' | 'zero_width' | 'invisible' | 'control';

export interface HiddenCharacter {
  /** Place in UTF-16 units. */
  readonly index: number;
  readonly code: number;
  readonly kind: HiddenKind;
}

/** Ranges of what a reader cannot see, each from its first to its last code point. */
const hiddenRanges: readonly (readonly [number, number, HiddenKind])[] = [
  [0x00, 0x08, 'control'],
  [0x0b, 0x0c, 'control'],
  [0x0e, 0x1f, 'control'],
  [0x7f, 0x9f, 'control'],
  [0xad, 0xad, 'invisible'],
  [0x34f, 0x34f, 'invisible'],
  [0x61c, 0x61c, 'bidi_control'],
  [0x115f, 0x1160, 'invisible'],
  [0x17b4, 0x17b5, 'invisible'],
  [0x180b, 0x180f, 'invisible'],
  [0x200b, 0x200d, 'zero_width'],
  [0x200e, 0x200f, 'bidi_control'],
  [0x2028, 0x2029, 'invisible'],
  [0x202a, 0x202e, 'bidi_control'],
  [0x2060, 0x2060, 'zero_width'],
  [0x2061, 0x2065, 'invisible'],
  [0x2066, 0x2069, 'bidi_control'],
  [0x206a, 0x206f, 'invisible'],
  [0x3164, 0x3164, 'invisible'],
  [0xfeff, 0xfeff, 'zero_width'],
  [0xffa0, 0xffa0, 'invisible'],
  [0xfff9, 0xfffb, 'invisible'],
  [0x1bca0, 0x1bca3, 'invisible'],
  [0x1d173, 0x1d17a, 'invisible'],
  [0xe0000, 0xe0fff, 'tag_characters'],
];

const kindsByNumber: readonly HiddenKind[] = [
  'control',
  'invisible',
  'bidi_control',
  'zero_width',
  'tag_characters',
];

/** For each UTF-16 unit 0 where nothing is hidden, the number of its kind plus one, or `pair`. */
const units = new Uint8Array(0x10000);
const pair = 255;

for (const [first, last, kind] of hiddenRanges) {
  for (let code = first; code <= last; code += 1) {
    if (code > 0xffff) units[0xd800 + ((code - 0x10000) >> 10)] = pair;
    else units[code] = kindsByNumber.indexOf(kind) + 1;
  }
}

/** Joiners belong between the parts of an emoji and in scripts that need them. */
const joinable =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}])[\p{L}\p{M}])$/u;

const blackFlag = '\u{1f3f4}';
/** Tags of one flag: at most six, and the one that ends it. */
const maxFlagTags = 7;
const endOfFlag = 0xe007f;

/** What was learned of single characters; texts use few different ones. */
const knownJoinable = new Map<number, boolean>();
const maxKnown = 2_000;

function joinsBehind(code: number): boolean {
  const known = knownJoinable.get(code);
  if (known !== undefined) return known;
  if (knownJoinable.size >= maxKnown) knownJoinable.clear();
  const found = joinable.test(String.fromCodePoint(code));
  knownJoinable.set(code, found);
  return found;
}

/** Whether a joiner at this place belongs to what stands before it. */
function follows(text: string, index: number): boolean {
  if (index === 0) return false;
  const unit = text.charCodeAt(index - 1);
  const low = unit >= 0xdc00 && unit <= 0xdfff && index > 1;
  const whole = low ? (text.codePointAt(index - 2) ?? 0) : 0;
  return joinsBehind(whole > 0xffff ? whole : unit);
}

function kindAt(text: string, index: number): HiddenKind | null {
  const unit = units[text.charCodeAt(index)] ?? 0;
  if (unit !== pair) return kindsByNumber[unit - 1] ?? null;
  const code = text.codePointAt(index) ?? 0;
  return hiddenRanges.find(([first, last]) => code >= first && code <= last)?.[2] ?? null;
}

type Visit = (index: number, code: number, kind: HiddenKind) => void;

/** One pass, without a list: a text may hold a million of them. */
function forEachHidden(text: string, visit: Visit): void {
  let flagEnd = -1;
  let flagTags = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (units[text.charCodeAt(at)] === 0) continue;
    const kind = kindAt(text, at);
    if (kind === null) continue;
    const index = at;
    const code = text.codePointAt(index) ?? 0;
    if (code > 0xffff) at += 1;
    if ((code === 0x200c || code === 0x200d) && follows(text, index)) continue;
    if (kind === 'tag_characters') {
      const begins = text.startsWith(blackFlag, index - blackFlag.length);
      flagTags = begins ? 1 : index === flagEnd ? flagTags + 1 : maxFlagTags + 1;
      flagEnd = at + 1;
      if (flagTags <= maxFlagTags) {
        if (code === endOfFlag) flagTags = maxFlagTags;
        continue;
      }
    }
    visit(index, code, kind);
  }
}

const none: readonly HiddenCharacter[] = [];

/**
 * Characters of a text that a reader cannot see and that nothing needs: joiners inside emoji and of scripts that need
 * them, and the tags of regional flags, do not count. One pass.
 */
export function hiddenCharacters(text: string): readonly HiddenCharacter[] {
  let found: HiddenCharacter[] | null = null;
  forEachHidden(text, (index, code, kind) => (found ??= []).push({ index, code, kind }));
  return found ?? none;
}

/** The text without those of its hidden characters that are to go; `told` hears of each kind, and whether it goes. */
export function sweepHidden(
  text: string,
  goes: (kind: HiddenKind) => boolean,
  told: (kind: HiddenKind, gone: boolean) => void,
): string {
  let kept = '';
  let from = 0;
  forEachHidden(text, (index, code, kind) => {
    const gone = goes(kind);
    told(kind, gone);
    if (!gone) return;
    if (index > from) kept += text.slice(from, index);
    from = index + (code > 0xffff ? 2 : 1);
  });
  return from === 0 ? text : kept + text.slice(from);
}
