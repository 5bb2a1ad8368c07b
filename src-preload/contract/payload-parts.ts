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
export const none = object({});
