import type { Doubt } from './doubt';

/**
 * What shows nothing, shows as a space without being one, turns the reading direction or stands alone as half a
 * character. Space, tab and line feed are what they look like.
 */
const misleading = /[^\P{C} \t\n]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}|[\u2800\u{13441}\u{13442}]/u;
const control = /^\p{Cc}$/u;

/** The first character that a person may misread, quoted or not (hazards 5, 11). */
export function findMisleading(text: string): Doubt | null {
  const found = misleading.exec(text);
  if (!found) return null;
  const [character] = found;
  return {
    reason: control.test(character) ? 'control_character' : 'misleading_character',
    at: [found.index, found.index + character.length],
  };
}
