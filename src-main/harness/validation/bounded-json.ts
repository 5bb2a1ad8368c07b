/** Most values, and most levels, that arguments and payloads from outside may have. */
export const maxJsonValues = 20_000;
export const maxJsonDepth = 100;

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/**
 * Whether a value is plain data of a bearable size and depth, so that checking it against a schema can neither block
 * nor exhaust the app. Cycles count as endless. Lengths of texts are the schema's matter.
 */
export function isBoundedJson(value: unknown, maxValues = maxJsonValues): boolean {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let left = maxValues;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: current, depth } = next;
    if (typeof current === 'function' || typeof current === 'symbol' || typeof current === 'bigint')
      return false;
    if (typeof current !== 'object' || current === null) continue;
    if (!isPlain(current) || depth >= maxJsonDepth) return false;
    // `for in` stops early where `Object.keys` would first list a million names.
    for (const key in current) {
      left -= 1;
      if (left < 0) return false;
      open.push({ value: (current as Record<string, unknown>)[key], depth: depth + 1 });
    }
  }
  return true;
}
