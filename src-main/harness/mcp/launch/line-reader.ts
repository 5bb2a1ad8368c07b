/** Cuts a byte stream into lines without copying a long line more than once. */
export interface LineReader {
  push(chunk: Buffer): void;
  /** Hands over what is left without a line end. */
  end(): void;
}

/**
 * @param options.limit bytes that one line may have
 * @param options.onLine a line without its line end; invalid UTF-8 shows as U+FFFD
 * @param options.onOverflow the beginning of a line that passed the limit, once; the rest of that line is dropped
 */
export function createLineReader(options: {
  limit: number;
  onLine(line: string): void;
  onOverflow(start: string): void;
}): LineReader {
  let parts: Buffer[] = [];
  let size = 0;
  let dropping = false;

  function add(part: Buffer): void {
    if (dropping || part.length === 0) return;
    parts.push(part);
    size += part.length;
    if (size <= options.limit) return;
    const start = (parts[0] ?? part).subarray(0, 1_000).toString('utf8');
    dropping = true;
    parts = [];
    size = 0;
    options.onOverflow(start);
  }

  function flush(): void {
    if (dropping) {
      dropping = false;
      return;
    }
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    parts = [];
    size = 0;
    const line = bytes.toString('utf8').replace(/\r$/, '');
    if (line.trim() !== '') options.onLine(line);
  }

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(10, from); at !== -1; at = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, at));
        flush();
        from = at + 1;
      }
      add(chunk.subarray(from));
    },
    end() {
      if (size > 0 || dropping) flush();
    },
  };
}
