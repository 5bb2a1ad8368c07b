import type { ModelMessage } from '../model';
import {
  cutPlace,
  cutText,
  type AttachmentFacts,
  type CallSettled,
  type ImageReference,
  type JsonObject,
  type Outcome,
  type ProposedCall,
  type ToolFinished,
} from '../protocol';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

export function userText(message: {
  readonly text: string;
  readonly mentions: readonly string[];
  readonly attachments: readonly AttachmentFacts[];
}): string {
  const { text, mentions } = message;
  if (mentions.length === 0) return text;
  return `${text}\n\n[Files of the workspace that the person points at: ${mentions.join(', ')}]`;
}

/** Stands in the conversation for pixels, which are never part of it (S1-73). */
function imageNote({ image_id, media_type, width, height }: ImageReference): string {
  return `[It returned an image: ${image_id}, ${media_type}, ${width} × ${height}. Its pixels are not part of this conversation. The latest image is shown behind it for some minutes; call the tool again for another look.]`;
}

/** What the model is told of a call; every call of a response has an answer, also the one that never finished. */
export function resultText(finished: ToolFinished): { text: string; is_error: boolean } {
  if (finished.outcome === 'completed') {
    const { text = '', image } = finished.result ?? {};
    const words = image ? imageNote(image) : '';
    return { text: [text, words].filter((part) => part !== '').join('\n'), is_error: false };
  }
  const reason = finished.error?.message ?? `The call ended as ${finished.outcome}.`;
  const more = finished.result?.text && finished.result.text !== reason ? `\n${finished.result.text}` : '';
  return { text: `${reason}${more}`, is_error: true };
}

/** Most of edited arguments that the model reads again, in UTF-16 units. */
const keptOfEdited = 4_000;

/** The model is told what ran in place of what it proposed. `edited` is null where a guardrail withholds it. */
export function editedNote(edited: JsonObject | null): string {
  if (edited === null) return '[The person changed the arguments before they allowed the call.]';
  const text = JSON.stringify(edited);
  const cut = cutText(text, keptOfEdited);
  const more = cut.length < text.length ? ' …' : '';
  return `[The person changed the arguments before they allowed the call. It ran with: ${cut}${more}]`;
}

export function settledNote({ call_id, settlement, note }: CallSettled): string {
  const words = settlement === 'happened' ? 'it did happen' : 'it did not happen';
  const more = note === '' ? '' : ` They add: ${note}`;
  return `[The person looked into call ${call_id}, whose outcome was unknown: ${words}.${more}]`;
}

/** What came of a call that the person wanted to be run again; `outcome` says whether it was. */
export function callNote(call: ProposedCall, outcome: Outcome, result: string): string {
  const ran = !['denied', 'rejected', 'cancelled'].includes(outcome);
  return ran
    ? `[The person had ${call.name} run again with the same arguments. Its result: ${result}]`
    : `[The person first wanted ${call.name} run again with the same arguments, but it was not: ${result}]`;
}

/** A result of a tool that is longer is cut in the middle when the context is compacted, in UTF-16 units. */
const keptOfOldResult = 2_000;

export function shortened(message: ToolMessage): ToolMessage {
  const { text } = message;
  if (text.length <= keptOfOldResult) return message;
  const head = cutText(text, (keptOfOldResult * 3) / 4);
  const tail = text.slice(cutPlace(text, text.length - keptOfOldResult / 4));
  const left = text.length - head.length - tail.length;
  return {
    ...message,
    text: `${head}\n[${left} characters of this older result were left out.]\n${tail}`,
  };
}

const summaryHead = '[The older part of this conversation was replaced by this summary of it.]';
const requestHead = "[The person's latest request, word for word:]";

/** The message that stands for the older part. `request` is what the person asked last, where it is no longer told. */
export function summaryText(summary: string, request: string | null): string {
  const head = `${summaryHead}\n\n${summary}`;
  return request === null ? head : `${head}\n\n${requestHead}\n${request}`;
}

/** How much a plain summary takes of what was asked, newest first, in UTF-16 units. */
const plain = { request: 400, requests: 12_000, former: 20_000 } as const;

/**
 * In place of a summary that no model gave: what the person asked, in order. A former summary stays in it. Where there
 * is more than fits, what was asked first is left out.
 */
export function plainSummary(older: readonly ModelMessage[]): string {
  const requests = older.flatMap((message) => (message.role === 'user' ? [message.text] : []));
  const former = requests[0]?.startsWith(summaryHead) === true ? requests.shift() : undefined;
  const lines = requests.map((text) => `- ${cutText(text, plain.request)}`);
  let from = lines.length;
  for (let left: number = plain.requests; from > 0; from -= 1) {
    left -= lines[from - 1]?.length ?? 0;
    if (left < 0) break;
  }
  const ran = older.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
  const names = [...new Set(ran.map((call) => call.name))].join(', ');
  return [
    'No summary could be made.',
    ...(former === undefined
      ? []
      : [`Before that:\n${former.slice(summaryHead.length, plain.former).trim()}`]),
    ...(from > 0 ? [`${from} older requests are left out.`] : []),
    `The person asked, in order:\n${lines.slice(from).join('\n')}`,
    ...(ran.length === 0 ? [] : [`${ran.length} calls were made (${names.slice(0, 2_000)}).`]),
  ].join('\n');
}

export const summaryRequest =
  'Write a summary of the conversation so far, for yourself: it will replace what stands above. Keep every fact that is needed to go on: what the person wants, in their words where they matter; what was decided; what was done and with what result; names, paths, numbers and ids exactly as they are; what is still open. Do not call a tool and do not answer the conversation itself. Write the summary only.';
