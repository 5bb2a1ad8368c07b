/** A stretch of text with the place where it begins in the whole. */
export interface TextChunk {
  readonly text: string;
  /** Chunks of one block read as one line; a match never spans two blocks. */
  readonly block: unknown;
}

export interface Match {
  readonly startChunk: number;
  readonly startOffset: number;
  readonly endChunk: number;
  readonly endOffset: number;
}

export const maxMatches = 2000;

/** Finds a text, whatever its case, across chunks of one block. */
export function findMatches(chunks: readonly TextChunk[], query: string): Match[] {
  const wanted = query.toLowerCase();
  if (wanted === '') return [];
  const starts: number[] = [];
  let whole = '';
  chunks.forEach((chunk, index) => {
    if (index > 0 && chunk.block !== chunks[index - 1]?.block) whole += '\n';
    starts.push(whole.length);
    // A letter whose lower case is longer would shift every place behind it.
    const lower = chunk.text.toLowerCase();
    whole += lower.length === chunk.text.length ? lower : chunk.text;
  });
  const chunkAt = (place: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const matches: Match[] = [];
  for (
    let at = whole.indexOf(wanted);
    at >= 0 && matches.length < maxMatches;
    at = whole.indexOf(wanted, at + wanted.length)
  ) {
    const startChunk = chunkAt(at);
    const endChunk = chunkAt(at + wanted.length - 1);
    matches.push({
      startChunk,
      startOffset: at - (starts[startChunk] ?? 0),
      endChunk,
      endOffset: at + wanted.length - (starts[endChunk] ?? 0),
    });
  }
  return matches;
}
