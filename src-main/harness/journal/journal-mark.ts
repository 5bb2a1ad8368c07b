import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';

/**
 * What the journal is known to hold, kept outside the database: rows that vanish with a lost or cut log leave a database
 * that looks whole (hazard 83). It may lag behind the journal and is never ahead of it. It holds numbers and ids only.
 */
export interface Mark {
  /** The journal was closed in order and nothing was wrong with it. */
  readonly clean: boolean;
  /** Entries ever recorded, those of deleted sessions included. */
  readonly events: number;
  /** Sessions ever deleted. */
  readonly deletions: number;
  /** The last number of streams that were written to, by stream. */
  readonly streams: ReadonlyMap<string, number>;
  /** Findings of which a copy of the files was kept already. */
  readonly reported: readonly string[];
}

export const emptyMark: Mark = { clean: false, events: 0, deletions: 0, streams: new Map(), reported: [] };

/** One line of the file: the first holds all but the streams, the others what one commit changed. */
interface Line {
  readonly format?: number;
  readonly clean?: boolean;
  readonly events?: number;
  readonly deletions?: number;
  readonly reported?: readonly string[];
  readonly stream?: string;
  /** Null: the stream was deleted. */
  readonly seq?: number | null;
}

function parseLine(text: string): Line | null {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'object' && line !== null && !Array.isArray(line) ? line : null;
  } catch {
    return null;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Null where there is no mark or its head cannot be read. A line that was cut off says nothing. */
export function readMark(file: string): Mark | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  const [first, ...rest] = text.split('\n');
  const head = parseLine(first ?? '');
  if (head?.format !== 1 || !isCount(head.events) || !isCount(head.deletions)) return null;
  let { events, deletions } = head;
  const streams = new Map<string, number>();
  for (const one of rest) {
    const line = parseLine(one);
    if (!line) continue;
    if (isCount(line.events)) ({ events } = line);
    if (isCount(line.deletions)) ({ deletions } = line);
    if (typeof line.stream !== 'string') continue;
    if (isCount(line.seq)) streams.set(line.stream, line.seq);
    else streams.delete(line.stream);
  }
  const reported = Array.isArray(head.reported) ? head.reported.map(String) : [];
  return { clean: head.clean === true, events, deletions, streams, reported };
}

/** Streams that the mark names, the latest written; the count covers the others. */
const namedStreams = 500;
/** Lines after which the file is written anew. */
const longestFile = 2_000;

function textOf({ clean, events, deletions, reported, streams }: Mark): string {
  const head: Line = { format: 1, clean, events, deletions, reported };
  const lines = [...streams].map(([stream, seq]): Line => ({ stream, seq }));
  return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

export interface MarkKeeper {
  /** `count` events up to `seq` were committed to the stream. */
  appended(stream: string, seq: number, count: number): void;
  deleted(stream: string): void;
  /** Copies of the files were kept for these findings. */
  note(reported: readonly string[]): void;
  /** Takes the place of everything that was known. */
  replace(mark: Mark): void;
  close(clean: boolean): void;
}

/** The file: a line more for each commit, written anew as a whole now and then. */
function markFile(file: string, current: (clean: boolean) => Mark) {
  let handle: number | null = null;
  let lines = 0;
  const release = (): void => {
    if (handle !== null) closeSync(handle);
    handle = null;
  };
  const rewrite = (clean: boolean): void => {
    release();
    const mark = current(clean);
    const fresh = openSync(`${file}.part`, 'w', 0o600);
    try {
      writeSync(fresh, textOf(mark));
      if (clean) fsyncSync(fresh);
    } finally {
      closeSync(fresh);
    }
    renameSync(`${file}.part`, file);
    lines = mark.streams.size;
  };
  return {
    /** Null writes all of it. */
    keep(line: Line | null): void {
      try {
        if (line === null || handle === null || lines >= longestFile) {
          rewrite(false);
          handle = openSync(file, 'a');
        } else {
          writeSync(handle, `${JSON.stringify(line)}\n`);
          lines += 1;
        }
      } catch {
        release();
      }
    },
    close(clean: boolean): void {
      try {
        rewrite(clean);
      } catch {
        rmSync(`${file}.part`, { force: true });
      }
    },
  };
}

/**
 * Keeps the mark: one short line a commit, never synced. A mark that cannot be written lags behind, which loses
 * nothing; the next commit tries again.
 */
export function keepMark(file: string, start: Mark): MarkKeeper {
  let { events, deletions, reported } = start;
  const streams = new Map<string, number>();
  const lines = markFile(file, (clean) => ({ clean, events, deletions, reported, streams }));
  const remember = (stream: string, seq: number): void => {
    streams.delete(stream);
    streams.set(stream, seq);
    if (streams.size <= namedStreams) return;
    for (const oldest of streams.keys()) {
      streams.delete(oldest);
      return;
    }
  };
  const takeOver = (mark: Mark): void => {
    ({ events, deletions, reported } = mark);
    streams.clear();
    for (const [stream, seq] of [...mark.streams].slice(-namedStreams)) streams.set(stream, seq);
    lines.keep(null);
  };
  takeOver(start);
  return {
    appended(stream, seq, count) {
      events += count;
      remember(stream, seq);
      lines.keep({ stream, seq, events });
    },
    deleted(stream) {
      deletions += 1;
      streams.delete(stream);
      lines.keep({ stream, seq: null, deletions });
    },
    note(findings) {
      reported = findings;
      lines.keep(null);
    },
    replace: takeOver,
    close: lines.close,
  };
}
