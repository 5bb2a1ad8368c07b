import type { FileHandle } from 'node:fs/promises';
import { detectEncoding, looksBinary, type TextEncoding } from './text-decoding';

export interface LineRange {
  /** First line, from 1. */
  readonly offset: number;
  readonly limit: number;
  /** Most bytes that the text may take as JSON text. */
  readonly max_bytes: number;
  /** Most bytes that are read to get there. */
  readonly max_scan: number;
}

export interface LinesRead {
  readonly type: 'lines';
  readonly encoding: TextEncoding;
  readonly bom: boolean;
  readonly text: string;
  /** Lines in `text`; the last one may be a part. */
  readonly lines: number;
  /** True when the file goes on behind `text`. */
  readonly cut: boolean;
  /** True when the last line is only its beginning. */
  readonly part: boolean;
}

export type ReadLines =
  LinesRead | { readonly type: 'binary' } | { readonly type: 'too_far' } | { readonly type: 'aborted' };

const chunkBytes = 65_536;

/** Collects the lines of a range out of pieces of text. Lines keep their ends. */
function lineCollector(range: LineRange) {
  let line = 1;
  let text = '';
  let bytes = 0;
  let lines = 0;
  let fresh = true;
  let state: 'open' | 'full' | 'part' = 'open';

  const take = (piece: string): void => {
    if (fresh) lines += 1;
    const cost = Buffer.byteLength(JSON.stringify(piece)) - 2;
    if (bytes + cost <= range.max_bytes) {
      text += piece;
      bytes += cost;
      return;
    }
    for (const char of piece) {
      const one = Buffer.byteLength(JSON.stringify(char)) - 2;
      if (bytes + one > range.max_bytes) break;
      text += char;
      bytes += one;
    }
    state = 'part';
  };

  return {
    push(piece: string): void {
      let at = 0;
      while (at < piece.length && state === 'open') {
        if (line >= range.offset + range.limit) {
          state = 'full';
          return;
        }
        const end = piece.indexOf('\n', at);
        const stop = end < 0 ? piece.length : end + 1;
        if (line >= range.offset) take(piece.slice(at, stop));
        fresh = end >= 0;
        if (fresh) line += 1;
        at = stop;
      }
    },
    state: () => state,
    result: () => ({ text, lines }),
  };
}

/**
 * Reads a range of lines without holding the whole file. Not closing `handle` is the caller's part. Text that is not
 * valid in its encoding, or holds NUL and its like, is `binary`.
 */
export async function readLines(
  handle: FileHandle,
  range: LineRange,
  signal: AbortSignal,
): Promise<ReadLines> {
  const buffer = Buffer.alloc(chunkBytes);
  let position = 0;
  const { bytesRead } = await handle.read(buffer, 0, 3, 0);
  const start = detectEncoding(buffer.subarray(0, bytesRead));
  position = start.bom;
  const decoder = new TextDecoder(start.encoding, { fatal: true, ignoreBOM: true });
  const collector = lineCollector(range);
  for (;;) {
    if (signal.aborted) return { type: 'aborted' };
    const read = await handle.read(buffer, 0, chunkBytes, position);
    position += read.bytesRead;
    const last = read.bytesRead === 0;
    let piece: string;
    try {
      piece = decoder.decode(buffer.subarray(0, read.bytesRead), { stream: !last });
    } catch {
      return { type: 'binary' };
    }
    if (looksBinary(piece)) return { type: 'binary' };
    collector.push(piece);
    const state = collector.state();
    if (last || state !== 'open') {
      const { text, lines } = collector.result();
      const { encoding } = start;
      return {
        type: 'lines',
        encoding,
        bom: start.bom > 0,
        text,
        lines,
        cut: state !== 'open',
        part: state === 'part',
      };
    }
    if (position > range.max_scan) return { type: 'too_far' };
  }
}
