/** `JSON.stringify` writes half a pair of surrogates as an escape; everything else that it escapes is one character. */
const escapes = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;

/**
 * JSON text as any strict reader takes it: half a character (a cut through an emoji, broken output of a tool) becomes
 * the replacement character. `json` is what `JSON.stringify` answered.
 */
export function wellFormedJson(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(escapes, (escape, half: string | undefined) =>
    half === undefined ? escape : '\ufffd',
  );
}
