import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineReader } from './line-reader';

function read(chunks: readonly Buffer[], limit = 1_000) {
  const lines: string[] = [];
  const overflows: string[] = [];
  const reader = createLineReader({
    limit,
    onLine: (line) => lines.push(line),
    onOverflow: (at) => overflows.push(at),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { lines, overflows };
}

describe('createLineReader', () => {
  it('gives the same lines however the bytes are cut', () => {
    const text = '{"a":"é"}\r\n\n日本\nlast without end';
    const bytes = Buffer.from(text);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const points = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = points.slice(1).map((end, i) => bytes.subarray(points[i], end));
        expect(read(chunks).lines).toEqual(['{"a":"é"}', '日本', 'last without end']);
      }),
    );
  });
  it('drops the rest of a line that is too long and goes on with the next', () => {
    const { lines, overflows } = read([
      Buffer.from('x'.repeat(600)),
      Buffer.from(`${'x'.repeat(600)}\nok\n`),
    ]);
    expect(overflows).toHaveLength(1);
    expect(lines).toEqual(['ok']);
  });
});
