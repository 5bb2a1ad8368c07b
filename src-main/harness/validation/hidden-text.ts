/** What kind of character a reader cannot see. `control` are the old terminal controls, which renderers show escaped. */
export type HiddenKind = 'bidi_control' | 'tag_characters' | 'zero_width' | 'invisible' | 'control';

export interface HiddenCharacter {
  /** Place in UTF-16 units. */
  readonly index: number;
  readonly code: number;
  readonly kind: HiddenKind;
}

const suspicious =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

const anySuspicious = new RegExp(suspicious.source, 'u');

/** Joiners belong between the parts of an emoji and in scripts that need them. */
const joinable =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}])[\p{L}\p{M}])$/u;

const blackFlag = '\u{1f3f4}';
/** Tags of one flag: at most six, and the one that ends it. */
const maxFlagTags = 7;
const endOfFlag = 0xe007f;

const none: readonly HiddenCharacter[] = [];

function kindOf(code: number): HiddenKind {
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return 'bidi_control';
  if (code === 0x200e || code === 0x200f || code === 0x061c) return 'bidi_control';
  if (code >= 0xe0000 && code <= 0xe0fff) return 'tag_characters';
  if (code < 0xa0) return 'control';
  if ((code >= 0x200b && code <= 0x200d) || code === 0x2060 || code === 0xfeff) return 'zero_width';
  return 'invisible';
}

/** The few units before a place are enough to see what stands there, however long the text is. */
function follows(text: string, index: number): boolean {
  return joinable.test(text.slice(Math.max(0, index - 2), index));
}

/**
 * Characters of a text that a reader cannot see and that nothing needs: joiners inside emoji and of scripts that need
 * them, and the tags of regional flags, do not count. One pass.
 */
export function hiddenCharacters(text: string): readonly HiddenCharacter[] {
  if (!anySuspicious.test(text)) return none;
  const found: HiddenCharacter[] = [];
  let flagEnd = -1;
  let flagTags = 0;
  for (const { 0: character, index } of text.matchAll(suspicious)) {
    const code = character.codePointAt(0) ?? 0;
    if ((code === 0x200c || code === 0x200d) && follows(text, index)) continue;
    const kind = kindOf(code);
    if (kind === 'tag_characters') {
      const begins = text.startsWith(blackFlag, index - blackFlag.length);
      flagTags = begins ? 1 : index === flagEnd ? flagTags + 1 : maxFlagTags + 1;
      flagEnd = index + character.length;
      if (flagTags <= maxFlagTags) {
        if (code === endOfFlag) flagTags = maxFlagTags;
        continue;
      }
    }
    found.push({ index, code, kind });
  }
  return found;
}

/** The text without those characters. */
export function withoutCharacters(text: string, hidden: readonly HiddenCharacter[]): string {
  let kept = '';
  let from = 0;
  for (const { index, code } of hidden) {
    kept += text.slice(from, index);
    from = index + (code > 0xffff ? 2 : 1);
  }
  return hidden.length === 0 ? text : kept + text.slice(from);
}
