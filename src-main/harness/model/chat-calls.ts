import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../protocol';
import type { ResponseDraft } from './response-draft';

interface OpenCall {
  readonly order: number;
  index: number | null;
  id: string;
  name: string;
  signature: string | null;
  readonly pieces: string[];
}

/** The calls of one Chat Completions response, put together from pieces that may come in any order. */
export interface ChatCalls {
  /** Takes one piece; answers the length of its argument text, or null where it belongs to no call. */
  take(piece: JsonObject): number | null;
  /** Gives all calls to the draft, in the order of their indexes. */
  complete(draft: ResponseDraft): void;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Argument text of a piece; some servers give an object whole. */
function argumentsOf(value: unknown): string {
  return isJsonObject(value) ? JSON.stringify(value) : textOf(value);
}

function signatureOf(piece: JsonObject): string | null {
  const extra = isJsonObject(piece.extra_content) ? piece.extra_content : {};
  const google = isJsonObject(extra.google) ? extra.google : {};
  const signature = textOf(google.thought_signature);
  return signature === '' ? null : signature;
}

interface Piece {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** Whether a piece under a known index begins another call: some servers give every call the same index. */
function beginsAnother(call: OpenCall, { id, name, text }: Piece): boolean {
  const start = text.trimStart();
  return id !== '' && call.id !== '' && id !== call.id && name !== '' && (start === '' || start[0] === '{');
}

/** The call that a piece belongs to: `new` for one that begins, null where it cannot be told. */
function callOf(calls: readonly OpenCall[], piece: Piece): OpenCall | 'new' | null {
  if (piece.index !== null) {
    const call = calls.findLast((one) => one.index === piece.index);
    return call === undefined || beginsAnother(call, piece) ? 'new' : call;
  }
  if (piece.id !== '') return calls.find((one) => one.id === piece.id) ?? 'new';
  if (piece.name !== '') return 'new';
  const [only] = calls;
  return calls.length === 1 && only ? only : null;
}

export function createChatCalls(): ChatCalls {
  const calls: OpenCall[] = [];
  let last: OpenCall | null = null;
  const find = (piece: Piece): OpenCall | 'new' | null => {
    // Almost every piece goes on with the call of the piece before it.
    const goesOn = piece.index !== null && piece.id === '' && last?.index === piece.index;
    return goesOn && last ? last : callOf(calls, piece);
  };
  return {
    take(given) {
      const named = isJsonObject(given.function) ? given.function : {};
      const index = typeof given.index === 'number' ? given.index : null;
      const text = argumentsOf(named.arguments);
      const piece: Piece = { index, id: textOf(given.id).trim(), name: textOf(named.name).trim(), text };
      let call = find(piece);
      if (call === null) return null;
      if (call === 'new') {
        call = { order: calls.length, index, id: '', name: '', signature: null, pieces: [] };
        calls.push(call);
      }
      if (call.id === '') call.id = piece.id;
      if (call.name === '') call.name = piece.name;
      call.signature ??= signatureOf(given);
      if (text !== '') call.pieces.push(text);
      last = call;
      return text.length;
    },
    complete(draft) {
      const inOrder = calls.every((call) => call.index !== null)
        ? [...calls].sort((a, b) => (a.index ?? 0) - (b.index ?? 0) || a.order - b.order)
        : calls;
      for (const { order, id, name, signature, pieces } of inOrder) {
        draft.beginCall(order, name);
        // A call without a name can run nothing, and stays open.
        if (name === '') continue;
        const whole = {
          id: id === '' ? `call_${randomUUID()}` : id,
          wire_name: name,
          arguments_text: pieces.join(''),
        };
        draft.call(order, whole, signature === null ? null : { google: { thoughtSignature: signature } });
      }
    },
  };
}
