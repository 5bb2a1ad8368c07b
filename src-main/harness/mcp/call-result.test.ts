import type { CallToolResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { createSchemaCompiler } from '../validation/schema-compiler';
import { endOfResult, headAndTail, maxTextBytes, readResult } from './call-result';

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)]).toString('base64');
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
  it('gives the first PNG or JPEG as an image, and its base64 in no text and no structured value', () => {
    const result = end({
      content: [
        { type: 'text', text: `data:image/png;base64,${png}` },
        { type: 'image', mimeType: 'image/webp', data: Buffer.from('RIFFxxxxWEBP').toString('base64') },
        { type: 'image', mimeType: 'image/jpeg', data: png },
        { type: 'image', mimeType: 'image/png', data: png },
      ],
      structuredContent: { picture: { data: png }, width: 1 },
    });
    if (result.type !== 'output') throw new Error('no output');
    expect(result.output.image).toMatchObject({ media_type: 'image/png' });
    expect(JSON.stringify({ ...result.output, image: null })).not.toContain(png.slice(0, 40));
    expect(result.output.structured).toEqual({ picture: { data: '[data left out]' }, width: 1 });
    expect(result.output.text).toContain('[Image left out: image/webp, 12 bytes]');
    expect(result.output.text).toContain('[Image: image/jpeg, 108 bytes]');
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
