import type { ModelFile, ModelMessage } from '../model';
import type {
  AssistantMessage,
  MessageSubmitted,
  ProposedCall,
  SessionEvent,
  ToolFinished,
} from '../protocol';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

/** A message, or the place of a result that is still to come. */
type Entry =
  | { readonly kind: 'message'; readonly message: ModelMessage }
  | { readonly kind: 'awaited'; readonly call: ProposedCall };

/**
 * The conversation as a model reads it, made from committed events in order; append-only. Results stand right behind
 * the response that asked for them, in its order, whatever order they finished in.
 */
export interface History {
  apply(event: SessionEvent): void;
  messages(): readonly ModelMessage[];
  /** Whether the id of a call is in the retained context (S1-55). */
  hasCall(callId: string): boolean;
}

function userText({ text, mentions }: MessageSubmitted): string {
  if (mentions.length === 0) return text;
  return `${text}\n\n[Files of the workspace that the person points at: ${mentions.join(', ')}]`;
}

/** What the model is told of a call; every call of a response has an answer, also the one that never finished. */
export function resultText(finished: ToolFinished): { text: string; is_error: boolean } {
  if (finished.outcome === 'completed') return { text: finished.result?.text ?? '', is_error: false };
  const reason = finished.error?.message ?? `The call ended as ${finished.outcome}.`;
  const more = finished.result?.text && finished.result.text !== reason ? `\n${finished.result.text}` : '';
  return { text: `${reason}${more}`, is_error: true };
}

function assistantMessage(data: AssistantMessage): ModelMessage {
  return {
    role: 'assistant',
    text: data.text,
    ...(data.provider_parts ? { provider_parts: data.provider_parts } : {}),
    calls: data.calls.map((call) => ({
      call_id: call.call_id,
      name: call.name,
      arguments_text: call.arguments === null ? (call.arguments_text ?? '') : JSON.stringify(call.arguments),
      ...(call.provider_metadata ? { provider_metadata: call.provider_metadata } : {}),
    })),
  };
}

function toolMessage(call: ProposedCall, text: string, isError: boolean): ToolMessage {
  return { role: 'tool', call_id: call.call_id, name: call.name, text, is_error: isError };
}

/** `readFile` gives the bytes of an attached file, or null when they are gone. */
export function createHistory(readFile: (digest: string) => ModelFile['data'] | null): History {
  const entries: Entry[] = [];
  const places = new Map<string, number>();
  let turnCalls: string[] = [];
  const push = (message: ModelMessage): void => void entries.push({ kind: 'message', message });
  const settle = (callId: string, text: string, isError: boolean): void => {
    const place = places.get(callId);
    const entry = place === undefined ? undefined : entries[place];
    if (place === undefined || entry?.kind !== 'awaited') return;
    entries[place] = { kind: 'message', message: toolMessage(entry.call, text, isError) };
  };
  const submitted = (data: MessageSubmitted): void => {
    const files: ModelFile[] = [];
    for (const { digest, name, media_type } of data.attachments) {
      const bytes = readFile(digest);
      if (bytes) files.push({ name, media_type, data: bytes });
    }
    push({ role: 'user', text: userText(data), files });
  };
  return {
    apply(event) {
      switch (event.type) {
        case 'message_submitted':
          turnCalls = [];
          submitted(event.data);
          return;
        case 'assistant_message':
          if (event.data.text === '' && event.data.calls.length === 0) return;
          push(assistantMessage(event.data));
          for (const call of event.data.calls) {
            places.set(call.call_id, entries.length);
            turnCalls.push(call.call_id);
            entries.push({ kind: 'awaited', call });
          }
          return;
        case 'tool_finished': {
          const { text, is_error } = resultText(event.data);
          settle(event.data.call_id, text, is_error);
          return;
        }
        case 'turn_finished':
          for (const id of turnCalls) settle(id, 'The call did not finish: its turn had ended.', true);
          turnCalls = [];
          return;
        default:
          return;
      }
    },
    messages: () => entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : [])),
    hasCall: (callId) => places.has(callId),
  };
}
