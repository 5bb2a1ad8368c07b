import type { CallToolResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { sampleJpeg, samplePng } from '../testing/sample-images';
import { createSchemaCompiler } from '../validation/schema-compiler';
import { endOfResult, headAndTail, maxTextBytes, readResult } from './call-result';

const picture = samplePng(20, 10);
const png = picture.toString('base64');
const jpeg = sampleJpeg().toString('base64');
function read(result: Partial<CallToolResult>) {
  const checked = readResult({ content: [], ...result });
  if (!checked) throw new Error('no result');
  return checked;
}
const end = (result: Partial<CallToolResult>) => endOfResult('s.tool', read(result), null);

describe('endOfResult', () => {
  it('joins text and keeps a structured value of any JSON type', () => {
    expect(
      end({
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        structuredContent: [1] as never,
      }),
    ).toEqual({ type: 'output', output: { text: 'a\nb', structured: [1] } });
    expect(end({ structuredContent: { n: 1 } })).toEqual({
      type: 'output',
      output: { structured: { n: 1 } },
    });
    expect(end({})).toEqual({ type: 'output', output: { text: 'The tool finished and returned nothing.' } });
  });
  it('S0-34 S0-35 gives the first usable image, and the base64 of none in text or structured value', () => {
    const webp = Buffer.from(`RIFF\u0001\u0002\u0003\u0004WEBP${'w'.repeat(100)}`, 'latin1').toString(
      'base64',
    );
    const result = end({
      content: [
        { type: 'text', text: `data:image/png;base64,${png} and ${webp}` },
        { type: 'image', mimeType: 'image/webp', data: webp },
        { type: 'image', mimeType: 'image/png', data: png },
        { type: 'image', mimeType: 'image/jpeg', data: jpeg },
      ],
      structuredContent: { picture: { data: png }, [jpeg]: `x${webp}`, width: 1 },
    });
    if (result.type !== 'output') throw new Error('no output');
    const { image, ...rest } = result.output;
    expect(image).toEqual({ media_type: 'image/png', data: new Uint8Array(picture) });
    for (const data of [png, jpeg, webp]) expect(JSON.stringify(rest)).not.toContain(data.slice(0, 40));
    expect(rest.structured).toEqual({
      picture: { data: '[data left out]' },
      '[data left out]': 'x[data left out]',
      width: 1,
    });
    expect(rest.text?.split('\n')).toEqual([
      'data:image/png;base64,[data left out] and [data left out]',
      '[Image left out: image/webp, 112 bytes. Only image/png and image/jpeg are passed on.]',
      `[Image: image/png, ${picture.length} bytes]`,
      expect.stringMatching(/^\[Image left out: image\/jpeg, \d+ bytes\. Only the first image of a result/),
    ]);
  });
  it.each([
    ['not of its type', 'image/jpeg', png, /called image\/jpeg, but its bytes are image\/png/],
    ['cut off', 'image/png', samplePng(20, 10).subarray(0, -12).toString('base64'), /ends without IEND/],
    ['no base64', 'image/png', `${png.slice(0, 60)}\n${png.slice(60)}`, /space or line break at position 60/],
    ['an address', 'image/png', `data:image/png;base64,${png}`, /Leave out everything up to the comma/],
    ['empty', 'image/png', '', /empty/],
    ['too large', 'image/png', 'A'.repeat(768_004), /563 KB\. The image has 768004 characters/],
  ])('S1-69 S1-71 says in words why an image is left out that is %s', (_, mimeType, data, words) => {
    const result = end({
      content: [
        { type: 'image', mimeType, data },
        { type: 'image', mimeType: 'image/JPG; q=1', data: jpeg },
      ],
    });
    if (result.type !== 'output') throw new Error('no output');
    expect(result.output.text).toMatch(words);
    expect(result.output.text).toContain('[Image: image/JPG; q=1');
    expect(result.output.image?.media_type).toBe('image/jpeg');
    if (data.length > 60) expect(result.output.text).not.toContain(data.slice(0, 60));
  });
  it('S0-34 takes an image that comes as the bytes of a resource', () => {
    const result = end({
      content: [
        { type: 'resource', resource: { uri: 'shot://1', blob: png, mimeType: 'image/png' } },
        { type: 'resource', resource: { uri: 'shot://2', blob: 'AAAA', mimeType: 'image/tiff' } },
      ],
    });
    expect(result).toEqual({
      type: 'output',
      output: {
        text:
          `[Image: shot://1, image/png, ${picture.length} bytes]\n` +
          '[Image left out: shot://2, image/tiff, 3 bytes. Only the first image of a result is passed on.]',
        image: { media_type: 'image/png', data: new Uint8Array(picture) },
      },
    });
  });
  it('S0-35 takes image data out that came as text only, and makes no image of it', () => {
    const result = end({
      content: [{ type: 'text', text: JSON.stringify({ screenshot: jpeg.replaceAll('/', '\\/') }) }],
      structuredContent: { screenshot: `data:image/png;base64,${png}` },
    });
    expect(result).toEqual({
      type: 'output',
      output: {
        text: '{"screenshot":"[image data left out]"}',
        structured: { screenshot: '[image data left out]' },
      },
    });
    const failed = end({ isError: true, content: [{ type: 'text', text: `It looked so: ${png}` }] });
    expect(failed).toMatchObject({ error: { message: 'It looked so: [image data left out]' } });
  });
  it('S0-34 a failed call may carry an image too', () => {
    const result = end({
      isError: true,
      content: [
        { type: 'text', text: 'The page did not load.' },
        { type: 'image', mimeType: 'image/png', data: png },
      ],
    });
    expect(result).toMatchObject({
      type: 'error',
      error: { message: expect.stringMatching(/^The page did not load\.\n\[Image: image\/png/) },
      output: { image: { media_type: 'image/png' } },
    });
  });
  it('S0-35 keeps out data of which a result has very many pieces, in bounded time', () => {
    const pieces = Array.from({ length: 20_000 }, (_, index) =>
      Buffer.from(`sound number ${index} `.repeat(5)).toString('base64'),
    );
    const from = performance.now();
    const result = end({
      content: [
        ...pieces.map((data) => ({ type: 'audio' as const, mimeType: 'audio/wav', data })),
        { type: 'text', text: pieces.slice(-3).join(' ') },
      ],
    });
    expect(performance.now() - from).toBeLessThan(3_000);
    expect(result.type === 'output' && result.output.text).toMatch(/(\[data left out\] ?){3}$/);
  });
  it('leaves out a structured value that is nested without end, and says so', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    expect(end({ content: [{ type: 'text', text: 'done' }], structuredContent: deep as never })).toEqual({
      type: 'output',
      output: { text: expect.stringMatching(/^done\n\[The structured content of the result was left out/) },
    });
  });
  it('reads what is malformed piece by piece', () => {
    expect(readResult(7)).toBeNull();
    expect(readResult({ content: 'words' })).toBeNull();
    const odd = readResult({
      content: [5, { type: 'text' }, { type: 'hologram' }, { type: 'text', text: 'fine' }],
    });
    expect(odd && endOfResult('s.tool', odd, null)).toMatchObject({
      output: { text: expect.stringMatching(/^(\[Content of a kind .*\]\n){3}fine$/) },
    });
    expect(readResult({ structuredContent: [1] })).toMatchObject({ content: [], structured: [1] });
  });
  it('puts sound and resources into words', () => {
    const result = end({
      content: [
        { type: 'audio', mimeType: 'audio/wav', data: Buffer.alloc(2048).toString('base64') },
        { type: 'resource_link', uri: 'file:///a', name: 'a' },
        { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } },
        { type: 'resource', resource: { uri: 'file:///c', blob: 'AAAA', mimeType: 'application/zip' } },
      ],
    });
    expect(result).toEqual({
      type: 'output',
      output: {
        text: '[Sound left out: audio/wav, 2 KB]\n[Resource: a, file:///a]\n[Resource: file:///b]\ninside\n[Resource left out: file:///c, application/zip, 3 bytes]',
      },
    });
  });
  it('S0-80 an error result is the tool failing, with its own words', () => {
    expect(
      end({ isError: true, content: [{ type: 'text', text: 'no disk' }], structuredContent: { code: 5 } }),
    ).toEqual({
      type: 'error',
      error: { code: 'tool_failed', message: 'no disk' },
      output: { structured: { code: 5 }, text: undefined },
    });
    expect(end({ isError: true })).toMatchObject({
      type: 'error',
      error: { message: expect.stringContaining('s.tool') },
    });
  });
  it('checks the output schema of results that are no errors only', () => {
    const compiled = createSchemaCompiler().compile({ type: 'object', required: ['n'] });
    if (!compiled.ok) throw new Error('schema');
    const check = (result: Partial<CallToolResult>) =>
      endOfResult('s.tool', read({ content: [{ type: 'text', text: 'words' }], ...result }), compiled.value);
    expect(check({ structuredContent: { n: 1 } }).type).toBe('output');
    const wrong = check({ structuredContent: {} });
    expect(wrong).toMatchObject({ type: 'error', error: { code: 'tool_failed' } });
    expect(wrong.type === 'error' && wrong.error.message).toMatch(/output schema[\s\S]*words/);
    expect(check({}).type).toBe('error');
    expect(check({ isError: true, structuredContent: {} })).toMatchObject({ error: { message: 'words' } });
  });
  it('C5 cuts what is larger than 256 KB, at whole characters, with a marker', () => {
    const text = `BEGIN${'é'.repeat(300_000)}END`;
    const cut = headAndTail(text);
    expect(cut.startsWith('BEGINé')).toBe(true);
    expect(cut.endsWith('éEND')).toBe(true);
    expect(cut).not.toContain('\uFFFD');
    expect(cut).toMatch(/\[… \d+ bytes left out …\]/);
    expect(Buffer.byteLength(cut)).toBeLessThan(maxTextBytes + 100);
    expect(headAndTail('x'.repeat(maxTextBytes))).toHaveLength(maxTextBytes);
    const big = end({ structuredContent: { text } });
    expect(big.type === 'output' && big.output.structured).toBeUndefined();
    expect(big.type === 'output' && big.output.text).toContain('bytes left out');
  });
});
