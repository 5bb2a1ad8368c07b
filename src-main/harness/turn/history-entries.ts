import type { ModelFile, ModelMessage } from '../model';
import type { ProposedCall } from '../protocol';
import { shortened } from './history-text';

/** A message with the sequence number of the event that placed it, or the place of a result that is still to come. */
export type Entry =
  | { readonly kind: 'message'; readonly seq: number; readonly message: ModelMessage }
  | { readonly kind: 'awaited'; readonly seq: number; readonly call: ProposedCall };

/** A place at which the conversation can be cut in two without parting a call from its result. */
export interface Cut {
  /** The older part, results of tools shortened: what a summary is made from. */
  readonly older: readonly ModelMessage[];
  readonly summarised_to_seq: number;
  readonly shortened_to_seq: number;
  /** Share of the conversation's length that stays, 0 to 1. */
  readonly kept_share: number;
}

/** What an image takes of the context, in characters of text; providers count by its size. */
const imageLength = 5_000;

function fileLength({ media_type, data }: ModelFile): number {
  return media_type.startsWith('image/') ? imageLength : data.byteLength;
}

export function lengthOf(message: ModelMessage): number {
  const { text } = message;
  switch (message.role) {
    case 'user':
      return message.files.reduce((sum, file) => sum + fileLength(file), text.length);
    case 'assistant':
      return message.calls.reduce((sum, call) => sum + call.arguments_text.length + 60, text.length);
    case 'tool':
      return text.length;
  }
}

function shortenedMessage(message: ModelMessage): ModelMessage {
  return message.role === 'tool' ? shortened(message) : message;
}

export function shortenedEntry(entry: Entry): Entry {
  return entry.kind === 'message' ? { ...entry, message: shortenedMessage(entry.message) } : entry;
}

/** The entries with their running length, and the prefix of them that is complete. */
export function createEntries() {
  let entries: Entry[] = [];
  let ready: ModelMessage[] = [];
  let length = 0;
  const advance = (): void => {
    for (let next = entries[ready.length]; next?.kind === 'message'; next = entries[ready.length]) {
      ready.push(next.message);
    }
  };
  return {
    all: (): readonly Entry[] => entries,
    length: () => length,
    push(entry: Entry): number {
      entries.push(entry);
      if (entry.kind === 'message') length += lengthOf(entry.message);
      return entries.length - 1;
    },
    fill(place: number, message: ModelMessage): void {
      const entry = entries[place];
      if (entry?.kind !== 'awaited') return;
      entries[place] = { kind: 'message', seq: entry.seq, message };
      length += lengthOf(message);
    },
    replace(next: Entry[]): void {
      entries = next;
      ready = [];
      length = next.reduce((sum, e) => sum + (e.kind === 'message' ? lengthOf(e.message) : 0), 0);
    },
    messages(): readonly ModelMessage[] {
      advance();
      return ready;
    },
  };
}

/** The index of the first entry that stays: a user message or a response, so that no call loses its result. */
function boundaryOf(entries: readonly Entry[], keepLength: number): number {
  let kept = 0;
  let boundary = entries.length;
  for (let index = entries.length - 1; index > 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind !== 'message') continue;
    kept += lengthOf(entry.message);
    if (kept > keepLength && boundary < entries.length) break;
    if (entry.message.role !== 'tool') boundary = index;
  }
  return boundary;
}

/** Less of the conversation than this is not worth a request for a summary. */
const worthwhileShare = 0.05;
/** Characters that a summary is expected to take at most, and its share of a short older part. */
const expectedSummary = { characters: 4_000, share: 0.25 } as const;

function sumOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + lengthOf(message), 0);
}

function messagesOf(entries: readonly Entry[], shortenedTo: number): ModelMessage[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'message') return [];
    return [entry.seq <= shortenedTo ? shortenedMessage(entry.message) : entry.message];
  });
}

/**
 * Where to cut so that about `keep` of the conversation stays (a share, 0 to 1); null where nothing much would go.
 * Results of the latest response are shortened only where `all_results` says so.
 */
export function cutOf(all: readonly Entry[], length: number, keep: number, all_results: boolean): Cut | null {
  const boundary = boundaryOf(all, length * keep);
  const worthwhile = length * worthwhileShare;
  const before = boundary >= all.length ? [] : all.slice(0, boundary);
  // A request alone, or a former summary, is told better as it stands.
  const older = sumOf(messagesOf(before, 0)) < worthwhile ? [] : before;
  const lastResponse =
    all.findLast((entry) => entry.kind === 'message' && entry.message.role === 'assistant')?.seq ?? 0;
  const shortenedTo = Math.max(0, all_results ? lastResponse : lastResponse - 1);
  const summarised = messagesOf(older, Number.MAX_SAFE_INTEGER);
  const kept = sumOf(messagesOf(all.slice(older.length), shortenedTo));
  const summary = Math.min(expectedSummary.characters, sumOf(summarised) * expectedSummary.share);
  if (length - kept - summary < worthwhile) return null;
  return {
    older: summarised,
    summarised_to_seq: older.length === 0 ? 0 : (all[boundary]?.seq ?? 1) - 1,
    shortened_to_seq: shortenedTo,
    kept_share: kept / length,
  };
}
