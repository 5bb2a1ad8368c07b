import { withoutImageData, withoutImageDataInJson } from '../images';
import type { Json } from '../protocol';
import { isBoundedJson } from '../validation';

/**
 * A copy of a value that came from a tool, which the tool cannot change any more, with its JSON text: base64 of images
 * in it gives way to a marker (S0-35). Null where it is no plain data, or larger than `maxValues`. Never throws.
 */
export function plainJson(
  value: unknown,
  maxValues?: number,
): { readonly text: string; readonly value: Json } | null {
  try {
    if (value === undefined || !isBoundedJson(value, maxValues)) return null;
    const text = JSON.stringify(value);
    const copy = JSON.parse(text) as Json;
    if (withoutImageData(text) === text) return { text, value: copy };
    const cleaned = withoutImageDataInJson(copy);
    return { text: JSON.stringify(cleaned), value: cleaned };
  } catch {
    return null;
  }
}
