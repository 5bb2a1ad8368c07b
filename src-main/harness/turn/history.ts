import type { ModelFile, ModelMessage } from '../model';
import type {
  AssistantMessage,
  AttachmentFacts,
  ContextCompacted,
  ImageReference,
  JsonObject,
  ProposedCall,
  SessionEvent,
  SessionEventOf,
  ToolFinished,
} from '../protocol';
import { createEntries, cutOf, shortenedEntry, type Cut, type Entry } from './history-entries';
import { callNote, editedNote, resultText, settledNote, summaryText, userText } from './history-text';
import { charactersPerToken } from './token-estimate';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

/**
 * The conversation as a model reads it, made from the committed events of one branch in order; append-only between two
 * compactions. Results stand right behind the response that asked for them, in its order, whatever order they finished in.
 */
export interface History {
  apply(event: SessionEvent): void;
  /** Grows in place: a message that was given once stays the same object at the same index until a compaction. */
  messages(): readonly ModelMessage[];
  /** Whether the id of a call is in the retained context, or in the running turn (S1-55). */
  hasCall(callId: string): boolean;
  /** Estimate of the tokens that the messages take, from the provider's own count where it gave one. */
  tokens(): number;
  /**
   * Where to cut so that about `keep` of the conversation stays (a share, 0 to 1); null where nothing much can go.
   * `all_results`: the results of the latest response are shortened too.
   */
  cut(keep: number, all_results: boolean): Cut | null;
  /** Ids of calls that the running turn has made, also those that a summary stands for by now (S1-55). */
  reserve(callIds: Iterable<string>): void;
  /** Whether a call of this conversation gave the image. */
  hasImage(imageId: string): boolean;
  /** The latest image that a retained result refers to, whether its pixels are still there or not. */
  latestImage(): ImageReference | null;
}

function argumentsText(call: ProposedCall): string {
  if (call.withheld_digest !== undefined) return JSON.stringify({ withheld: call.withheld_digest });
  return call.arguments === null ? (call.arguments_text ?? '') : JSON.stringify(call.arguments);
}

function assistantMessage(data: AssistantMessage): ModelMessage {
  return {
    role: 'assistant',
    text: data.text,
    ...(data.provider_parts ? { provider_parts: data.provider_parts } : {}),
    calls: data.calls.map((call) => ({
      call_id: call.call_id,
      name: call.name,
      arguments_text: argumentsText(call),
      ...(call.provider_metadata ? { provider_metadata: call.provider_metadata } : {}),
    })),
  };
}

function toolMessage(call: ProposedCall, text: string, isError: boolean): ToolMessage {
  return { role: 'tool', call_id: call.call_id, name: call.name, text, is_error: isError };
}

function userMessage(text: string, files: readonly ModelFile[] = []): ModelMessage {
  return { role: 'user', text, files };
}

type ReadFile = (digest: string) => ModelFile['data'] | null;

interface Conversation {
  readonly readFile: ReadFile;
  readonly entries: ReturnType<typeof createEntries>;
  /** Places of results in the entries, by call id. */
  readonly places: Map<string, number>;
  readonly reruns: Map<string, ProposedCall>;
  /** What the person made of the arguments of a call; null where that is withheld. */
  readonly edited: Map<string, JsonObject | null>;
  readonly images: Set<string>;
  lastImage: { readonly reference: ImageReference; readonly call_id: string } | null;
  /** What the person asked for last, kept word for word with its files, also when a summary stands for it. */
  request: { readonly seq: number; readonly text: string; readonly files: readonly ModelFile[] } | null;
  turnCalls: Set<string>;
  counted: { readonly tokens: number; readonly length: number };
}

function push({ entries }: Conversation, seq: number, message: ModelMessage): void {
  entries.push({ kind: 'message', seq, message });
}

function settle({ entries, places }: Conversation, callId: string, text: string, isError: boolean): void {
  const place = places.get(callId);
  const entry = place === undefined ? undefined : entries.all()[place];
  if (place === undefined || entry?.kind !== 'awaited') return;
  entries.fill(place, toolMessage(entry.call, text, isError));
}

function filesOf({ readFile }: Conversation, attachments: readonly AttachmentFacts[]): ModelFile[] {
  return attachments.flatMap(({ digest, name, media_type }) => {
    const data = readFile(digest);
    return data ? [{ name, media_type, data }] : [];
  });
}

function asked(
  into: Conversation,
  { seq, data }: SessionEventOf<'message_submitted' | 'message_steered'>,
): void {
  const request = { seq, text: userText(data), files: filesOf(into, data.attachments) };
  into.request = request;
  push(into, seq, userMessage(request.text, request.files));
}

function responded(into: Conversation, { seq, data }: SessionEventOf<'assistant_message'>): void {
  if (data.text === '' && data.calls.length === 0) return;
  const { entries, places, turnCalls } = into;
  push(into, seq, assistantMessage(data));
  const { input_tokens: input, output_tokens: output } = data.usage;
  if (input !== null) into.counted = { tokens: input + (output ?? 0), length: entries.length() };
  for (const call of data.calls) {
    places.set(call.call_id, entries.push({ kind: 'awaited', seq, call }));
    turnCalls.add(call.call_id);
  }
}

function finished(into: Conversation, seq: number, data: ToolFinished): void {
  const result = resultText(data);
  const edited = into.edited.get(data.call_id);
  const { is_error } = result;
  const text = edited === undefined ? result.text : `${editedNote(edited)}\n${result.text}`;
  into.edited.delete(data.call_id);
  const reference = data.result?.image;
  if (reference) {
    into.images.add(reference.image_id);
    into.lastImage = { reference, call_id: data.call_id };
  }
  const rerun = into.reruns.get(data.call_id);
  if (rerun) push(into, seq, userMessage(callNote(rerun, data.outcome, text)));
  else settle(into, data.call_id, text, is_error);
}

function compacted(into: Conversation, data: ContextCompacted): void {
  const { entries, places, request } = into;
  const { summarised_to_seq: seq, shortened_to_seq: shortenedTo } = data;
  const all = entries.all();
  const gone = all.filter((entry) => entry.seq <= seq);
  const kept = all
    .filter((entry) => entry.seq > seq)
    .map((entry) => (entry.seq <= shortenedTo ? shortenedEntry(entry) : entry));
  const dropped = request !== null && request.seq <= seq ? request : null;
  const summary = summaryText(data.summary, dropped?.text ?? null);
  const head: Entry[] =
    gone.length === 0 ? [] : [{ kind: 'message', seq, message: userMessage(summary, dropped?.files) }];
  entries.replace([...head, ...kept]);
  places.clear();
  entries.all().forEach((entry, index) => {
    if (entry.kind === 'awaited') places.set(entry.call.call_id, index);
    else if (entry.message.role === 'tool') places.set(entry.message.call_id, index);
  });
  into.counted = { tokens: data.tokens_after, length: entries.length() };
}

function retried(into: Conversation, seq: number): void {
  const last = into.entries.all().at(-1);
  if (last?.kind !== 'message' || last.message.role !== 'assistant') return;
  push(into, seq, userMessage('[The person asks you to go on from where you stopped.]'));
}

function apply(into: Conversation, event: SessionEvent): void {
  switch (event.type) {
    case 'message_submitted':
      into.turnCalls = new Set();
      asked(into, event);
      return;
    case 'message_steered':
      asked(into, event);
      return;
    case 'turn_retried':
      into.turnCalls = new Set();
      retried(into, event.seq);
      return;
    case 'call_rerun':
      into.turnCalls = new Set([event.data.call.call_id]);
      into.reruns.set(event.data.call.call_id, event.data.call);
      return;
    case 'assistant_message':
      responded(into, event);
      return;
    case 'approval_resolved':
      if (event.data.arguments_digest !== undefined) {
        into.edited.set(event.data.call_id, event.data.arguments ?? null);
      }
      return;
    case 'tool_finished':
      finished(into, event.seq, event.data);
      return;
    case 'call_settled':
      if (event.data.settlement === 'run_again') return;
      push(into, event.seq, userMessage(settledNote(event.data)));
      return;
    case 'context_compacted':
      compacted(into, event.data);
      return;
    case 'turn_finished':
      for (const id of into.turnCalls) settle(into, id, 'The call did not finish: its turn had ended.', true);
      return;
    default:
      return;
  }
}

/** `readFile` gives the bytes of an attached file, or null when they are gone. */
export function createHistory(readFile: ReadFile): History {
  const conversation: Conversation = {
    readFile,
    entries: createEntries(),
    places: new Map(),
    reruns: new Map(),
    edited: new Map(),
    images: new Set(),
    lastImage: null,
    request: null,
    turnCalls: new Set(),
    counted: { tokens: 0, length: 0 },
  };
  const { entries, places, images } = conversation;
  return {
    apply: (event) => apply(conversation, event),
    messages: () => entries.messages(),
    hasCall: (callId) => places.has(callId) || conversation.turnCalls.has(callId),
    tokens() {
      const { tokens, length } = conversation.counted;
      return Math.round(tokens + Math.max(0, entries.length() - length) / charactersPerToken);
    },
    cut: (keep, allResults) => cutOf(entries.all(), entries.length(), keep, allResults),
    reserve(callIds) {
      for (const id of callIds) conversation.turnCalls.add(id);
    },
    hasImage: (imageId) => images.has(imageId),
    latestImage() {
      const { lastImage } = conversation;
      return lastImage && places.has(lastImage.call_id) ? lastImage.reference : null;
    },
  };
}
