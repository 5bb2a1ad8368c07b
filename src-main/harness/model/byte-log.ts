/** Bytes that are only ever added to. What was given out as a view stays as it is. */
export interface ByteLog {
  readonly length: number;
  /** Adds text as UTF-8; the answer is a view of what was added. */
  write(text: string): Buffer;
  writeBytes(bytes: Uint8Array): Buffer;
  /** Views of the bytes from `from` up to `to`, in order. */
  views(from: number, to: number): Buffer[];
}

interface Block {
  readonly start: number;
  readonly bytes: Buffer;
  used: number;
}

const usualBlock = 16 * 1024;
const largestBlock = 1024 * 1024;

/** `first_block`: bytes of the first block, small for a log that stays short. */
export function createByteLog(first_block = usualBlock): ByteLog {
  const blocks: Block[] = [];
  let length = 0;

  /** A block with so many bytes free: a piece lies in one block. Blocks double in size up to the largest. */
  const blockFor = (size: number): Block => {
    const last = blocks.at(-1);
    if (last && last.bytes.length - last.used >= size) return last;
    const next = Math.min(largestBlock, Math.max(first_block, length));
    const room = Math.max(next, size);
    // Short ones come from the shared pool; long ones must not pin it.
    const bytes = room < usualBlock ? Buffer.allocUnsafe(room) : Buffer.allocUnsafeSlow(room);
    const block = { start: length, bytes, used: 0 };
    blocks.push(block);
    return block;
  };
  const added = (block: Block, size: number): Buffer => {
    const view = block.bytes.subarray(block.used, block.used + size);
    block.used += size;
    length += size;
    return view;
  };

  return {
    get length() {
      return length;
    },
    write(text) {
      const block = blockFor(Buffer.byteLength(text));
      return added(block, block.bytes.write(text, block.used));
    },
    writeBytes(bytes) {
      const block = blockFor(bytes.byteLength);
      block.bytes.set(bytes, block.used);
      return added(block, bytes.byteLength);
    },
    views(from, to) {
      const views: Buffer[] = [];
      for (const { start, bytes, used } of blocks) {
        const [begin, end] = [Math.max(from, start) - start, Math.min(to, start + used) - start];
        if (begin < end) views.push(bytes.subarray(begin, end));
      }
      return views;
    },
  };
}
