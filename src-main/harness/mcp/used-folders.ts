/** The folders of the sessions that use a server at this moment, which its `roots` are made of. */
export interface UsedFolders {
  current(): readonly string[];
  /** A server has read them. */
  told(): void;
  /** The server that read them is gone. */
  forget(): void;
  /**
   * One more use of the folder. Answers, once the server has read the folders again where it reads them at all, how to
   * end that use.
   */
  use(folder: string | null): Promise<() => void>;
}

/** Milliseconds that a server may take to read the folders anew before its call goes out all the same. */
const readingMs = 1_000;
/** Milliseconds that a server gets to make use of what it has read: the protocol has no word for that. */
const takingMs = 150;

/** @param changed tells the server that its folders are others */
export function usedFolders(changed: () => Promise<void>): UsedFolders {
  const uses = new Map<string, number>();
  /** What the server read last; null while it never asked. */
  let known: string | null = null;
  const waiting = new Set<() => void>();
  const current = (): readonly string[] => [...uses.keys()].sort();
  const isKnown = (): boolean => known === null || known === JSON.stringify(current());
  async function tell(): Promise<void> {
    if (isKnown()) return;
    const read = new Promise<void>((resolve) => {
      const timer = setTimeout(done, readingMs);
      function done(): void {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      }
      waiting.add(done);
    });
    await changed().catch(() => undefined);
    await read;
    if (isKnown()) await new Promise((resolve) => setTimeout(resolve, takingMs));
  }
  return {
    current,
    told() {
      known = JSON.stringify(current());
      for (const done of waiting) done();
    },
    forget() {
      known = null;
      for (const done of waiting) done();
    },
    async use(folder) {
      if (folder === null) return () => undefined;
      uses.set(folder, (uses.get(folder) ?? 0) + 1);
      await tell();
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const left = (uses.get(folder) ?? 1) - 1;
        if (left > 0) uses.set(folder, left);
        else uses.delete(folder);
      };
    },
  };
}
