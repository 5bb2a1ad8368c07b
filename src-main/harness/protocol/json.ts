/** A value that JSON text can carry. Everything that crosses a boundary of the harness is one of these. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Absent and `undefined` members are the same; neither is written. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A JSON Schema as its author wrote it. It stays unread until `validation` compiles it. */
export type JsonSchema = JsonObject;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
