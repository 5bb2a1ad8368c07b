import { expect, it } from 'vitest';
import type { Json } from '../protocol';
import { normaliseOutput } from './normalise';

const nested = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json;

it('S0-31 S0-33: gives JSON and a text form of it', () => {
  expect(normaliseOutput({ structured: { a: 1 } })).toEqual({ text: '{"a":1}', structured: { a: 1 } });
  expect(normaliseOutput({ text: 'said', structured: { a: 1 } })).toEqual({
    text: 'said',
    structured: { a: 1 },
  });
  expect(normaliseOutput({})).toEqual({ text: '' });
});

it('leaves out, in words, what could not be recorded, and never throws', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  for (const structured of [
    nested(20_000),
    cyclic as Json,
    { at: new Date() } as unknown as Json,
    10n as unknown as Json,
  ]) {
    const result = normaliseOutput({ text: 'said', structured });
    expect(result.structured).toBeUndefined();
    expect(result.text).toMatch(/^said\n\[The structured content/);
  }
});

it('S1-73: speaks of an image and keeps no pixel of it', () => {
  const result = normaliseOutput({
    text: 'Here.',
    image: { media_type: 'image/png', data: new Uint8Array([1, 2, 3]) },
  });
  expect(result.text).toContain('image/png, 3 bytes');
  expect(JSON.stringify(result)).not.toContain('AQID');
});
