import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats';
import type { WorkMeter } from './work-meter';

type TextFormat = RegExp | ((text: string) => boolean);

const longestAuthority = 1_024;
const letter = 'a-z0-9\\u00a1-\\uffff';
const label = `[${letter}](?:[${letter}-]*[${letter}])?`;
const hostAndPort = new RegExp(`^(?:\\[[0-9a-f:.]+\\]|${label}(?:\\.${label})*\\.?)(?::\\d{1,5})?$`, 'i');

/**
 * Whether a text is an absolute address of the schemes that "url" stands for: http, https and ftp. It takes what the
 * usual check takes, and also local hosts and queries without a path. The usual check tries each colon with each
 * `@` and takes minutes for a text of some hundred thousand characters.
 */
function isUrl(text: string): boolean {
  const scheme = /^(?:https?|ftp):\/\//i.exec(text);
  if (!scheme || /\s/.test(text)) return false;
  const start = scheme[0].length;
  const length = text.slice(start).search(/[/?#]/);
  const end = length === -1 ? text.length : start + length;
  if (end - start > longestAuthority) return false;
  const authority = text.slice(start, end);
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (at === 0 || authority.includes('\\') || !hostAndPort.test(host)) return false;
  return URL.canParse(`http://${host}`);
}

/** Formats whose usual check is not linear in the text. */
const linear: Readonly<Record<string, TextFormat>> = { url: isUrl };

/** The check of a format of texts; null for formats of numbers, which cost nothing. */
function textFormat(format: unknown): TextFormat | null {
  if (format instanceof RegExp) return format;
  if (typeof format === 'function') return format as TextFormat;
  if (typeof format !== 'object' || format === null) return null;
  const { type, validate } = format as { type?: unknown; validate?: unknown };
  return type === 'number' ? null : textFormat(validate);
}

/** The known formats, which pay for the length of what they look at and take no longer than they pay for. */
export function schemaFormats(meter: WorkMeter): Record<string, Format> {
  const formats: Record<string, Format> = {};
  for (const [name, format] of Object.entries(fullFormats)) {
    const check = linear[name] ?? textFormat(format);
    formats[name] =
      check === null
        ? (format as Format)
        : (text: string) => {
            meter.spend(1 + (text.length >> 2));
            return check instanceof RegExp ? check.test(text) : check(text);
          };
  }
  return formats;
}
