import { markHidden, mayHide } from '../../../ui/mark-hidden';

/** Where the characters stand that cannot be seen. Line ends and the joints inside an emoji are none. */
function hiddenPlaces(text: string): readonly number[] {
  if (!mayHide(text)) return [];
  const places: number[] = [];
  let before = '';
  let at = 0;
  for (const character of text) {
    const lineEnd = character === '\r' && text[at + 1] === '\n';
    if (!lineEnd && mayHide(character) && markHidden(before + character).at(-1)?.type === 'hidden') {
      places.push(at);
    }
    if (character !== '\ufe0f' && character !== '\ufe0e') before = character;
    at += character.length;
  }
  return places;
}

/** Whether a text holds a character that cannot be seen. */
export function hidesSomething(text: string): boolean {
  return hiddenPlaces(text).length > 0;
}

function escaped(character: string): string {
  const units = [...Array(character.length).keys()].map((at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** JSON text in which no character hides: inside strings an escape means the same as what it stands for. */
export function escapeHidden(json: string): string {
  const pieces: string[] = [];
  let end = 0;
  for (const place of hiddenPlaces(json)) {
    const character = String.fromCodePoint(json.codePointAt(place) ?? 0);
    pieces.push(json.slice(end, place), escaped(character));
    end = place + character.length;
  }
  return pieces.join('') + json.slice(end);
}

export interface HiddenExcerpt {
  /** What stands around the character, itself included. */
  readonly text: string;
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

const around = 24;

/** Pieces of a text around what cannot be seen in it, at most `limit`, and how many hidden characters it has. */
export function hiddenExcerpts(
  text: string,
  limit: number,
): { readonly count: number; readonly excerpts: readonly HiddenExcerpt[] } {
  const places = hiddenPlaces(text);
  const excerpts: HiddenExcerpt[] = [];
  let end = 0;
  for (const place of places) {
    if (place < end) continue;
    if (excerpts.length === limit) break;
    const from = Math.max(end, place - around);
    end = Math.min(text.length, place + around);
    excerpts.push({ text: text.slice(from, end), cutBefore: from > 0, cutAfter: end < text.length });
  }
  return { count: places.length, excerpts };
}
