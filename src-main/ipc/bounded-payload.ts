/** Most values that one payload may hold, all levels together. */
export const maxPayloadValues = 20_000;

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/**
 * Whether a payload is plain data of a bearable size, so that checking it against a schema cannot exhaust the app.
 * Cycles count as endless. A length limit on texts is the schema's.
 */
export function isBoundedPayload(payload: unknown): boolean {
  const open: unknown[] = [payload];
  let left = maxPayloadValues;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return false;
    if (typeof value !== 'object' || value === null) continue;
    if (!isPlain(value)) return false;
    // `for in` stops early where `Object.keys` would first list a million names.
    for (const key in value) {
      left -= 1;
      if (left < 0) return false;
      open.push((value as Record<string, unknown>)[key]);
    }
  }
  return true;
}
