/** A week. What a person answers later than that is better asked anew. */
export const mostExpiryMinutes = 7 * 24 * 60;

export const expiryPresets = [15, 60, 480] as const;

export type ExpiryChoice = 'never' | '15' | '60' | '480' | 'own';

/** Which of the offered choices stands for these minutes; null is never. */
export function expiryChoice(minutes: number | null): ExpiryChoice {
  if (minutes === null) return 'never';
  const preset = expiryPresets.find((each) => each === minutes);
  return preset === undefined ? 'own' : `${preset}`;
}

/** The minutes that a person wrote, or null where that is no whole number in bounds. */
export function parseMinutes(text: string): number | null {
  if (!/^\s*\d{1,6}\s*$/.test(text)) return null;
  const minutes = Number(text);
  return minutes >= 1 && minutes <= mostExpiryMinutes ? minutes : null;
}
