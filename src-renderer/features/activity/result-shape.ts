import { isJsonObject, type CallResult, type Json, type JsonObject } from '../../../src-preload/contract';

export interface TableShape {
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
}

/** Texts longer than this are not tried as JSON: they stay text. */
const parseUpTo = 500_000;
const maxColumns = 12;

/** Structured content as it came, else the text where that is a JSON object or list. */
export function structuredOf(result: CallResult): Json | null {
  if (result.structured !== undefined) return result.structured;
  const text = result.text.trim();
  if (text.length > parseUpTo || !/^[[{]/.test(text)) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

const isScalar = (value: Json | undefined): boolean => typeof value !== 'object' || value === null;
const isFlat = (value: Json): value is JsonObject =>
  isJsonObject(value) && Object.values(value).every((member) => isScalar(member));

function flatList(value: Json | undefined): readonly JsonObject[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const items = value as readonly Json[];
  return items.every(isFlat) ? items : null;
}

/** A table where the value is a list of flat objects, or an object whose only list is one. */
export function tableOf(value: Json | null): TableShape | null {
  if (value === null) return null;
  const lists = isJsonObject(value)
    ? Object.values(value).filter((member) => Array.isArray(member))
    : [value];
  const rows = lists.length === 1 ? flatList(lists[0]) : null;
  if (!rows) return null;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return columns.length > 0 && columns.length <= maxColumns ? { columns, rows } : null;
}

/**
 * Whether the text says more than the structured content beside it: the content of a file, for example, while the
 * facts only describe it. JSON text repeats the facts.
 */
export function textSaysMore(result: CallResult, structured: Json | null): boolean {
  if (structured === null) return true;
  const text = result.text.trim();
  return text !== '' && !/^[[{]/.test(text) && text.length > 2 * JSON.stringify(structured).length;
}
