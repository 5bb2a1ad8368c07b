/** Where a text may be cut near `end` (UTF-16 units, from the start) without tearing a pair of surrogates: there or one before. */
export function cutPlace(text: string, end: number): number {
  if (end <= 0 || end >= text.length) return Math.max(0, Math.min(end, text.length));
  const before = text.charCodeAt(end - 1);
  return before >= 0xd800 && before <= 0xdbff ? end - 1 : end;
}

/** The text up to `end`, with no character torn. */
export function cutText(text: string, end: number): string {
  return text.slice(0, cutPlace(text, end));
}
