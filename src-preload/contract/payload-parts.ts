import { Type, type TSchema } from '@sinclair/typebox';

/** Longest text that a window may send in one field, in UTF-16 units. */
export const maxTextLength = 200_000;
/** Largest attached file, in bytes. */
export const maxAttachmentBytes = 5 * 1024 * 1024;
export const maxAttachments = 10;

export const object = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
export const id = Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_.:-]+$' });
/** Lower-case hex SHA-256. */
export const digest = Type.String({ pattern: '^[0-9a-f]{64}$' });
export const text = Type.String({ maxLength: maxTextLength });
export const line = Type.String({ maxLength: 4000 });
/** A call id is the provider's own text. */
export const callId = Type.String({ minLength: 1, maxLength: 4000 });
export const jsonObject = Type.Record(Type.String(), Type.Unknown());
/** ISO 8601, UTC. */
export const instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$' });
export const none = object({});
export const lastingScope = Type.Union([Type.Literal('session'), Type.Literal('coworker')]);

const pointer = Type.String({ maxLength: 1_000, pattern: '^(/.*)?$' });

/** What a lasting permission is narrowed to. */
export const pattern = Type.Array(
  Type.Union([
    object({ type: Type.Literal('exact'), at: pointer, value: Type.Unknown() }),
    object({ type: Type.Literal('folder'), at: pointer, folder: line }),
    object({ type: Type.Literal('host'), at: pointer, host: Type.String({ minLength: 1, maxLength: 300 }) }),
    object({
      type: Type.Literal('command'),
      words: Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { minItems: 1, maxItems: 20 }),
    }),
  ]),
  { maxItems: 20 },
);
