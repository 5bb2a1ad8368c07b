import { expect, it } from 'vitest';
import type { Json } from '../protocol';
import { samplePng } from '../testing/sample-images';
import { normaliseFailure, normaliseOutput } from './normalise';

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

it('S0-35: base64 of a picture gives way to a marker, in text, in values and behind any escape', () => {
  const base64 = samplePng(8, 8).toString('base64');
  const result = normaliseOutput({
    text: `Here: data:image/png;base64,${base64} as you asked`,
    structured: { shot: base64, note: `\\${base64}`, kept: 'words' },
  });
  expect(JSON.stringify(result)).not.toContain(base64.slice(20, 60));
  expect(result.text).toMatch(/^Here: .*left out.* as you asked$/);
  expect(result.structured).toMatchObject({ kept: 'words' });
});

it('S1-73: looks at no pixel of an image', () => {
  const image = { media_type: 'image/png' as const, data: new Uint8Array([1, 2, 3]) };
  expect(normaliseOutput({ text: 'Here.', image })).toEqual({ text: 'Here.' });
});

it('what a tool does to its result afterwards changes nothing', () => {
  const structured = { list: [1] };
  const result = normaliseOutput({ structured });
  structured.list.push(2);
  expect(result).toEqual({ text: '{"list":[1]}', structured: { list: [1] } });
});

it('S0-35 S0-77: words and data of a failure pass what results pass: no image, no endless text, plain JSON only', () => {
  const base64 = samplePng().toString('base64');
  const told = normaliseFailure({
    code: 'failed',
    message: `See ${base64}`,
    data: { screenshot: base64, kept: 1 },
  });
  expect(JSON.stringify(told)).not.toContain(base64.slice(0, 40));
  expect(told.data).toMatchObject({ kept: 1 });
  const long = normaliseFailure({ code: 'c'.repeat(500), message: 'x'.repeat(1_000_000) });
  expect([long.code.length, long.message.length < 20_000]).toEqual([100, true]);
  for (const data of [{ big: 'x'.repeat(100_000) }, { big: 10n as unknown as Json }]) {
    const left = normaliseFailure({ code: 'failed', message: 'said', data });
    expect(left.data).toBeUndefined();
    expect(left.message).toMatch(/^said\n\[The data of the failure was left out/);
  }
});
