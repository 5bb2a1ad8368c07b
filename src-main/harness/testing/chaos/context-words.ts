/** A message as the chat wire carries it. */
export interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('');
}

/** Words of the app that stand in a person's place, and messages by their markers, in the order of the text. */
const spoken =
  /\[\[([\w-]+)\]\]|\[The person looked into call (\S+?),|(\[The person (?:had|first wanted) )|(\[The person asks you to go on)|(\[The older part of this conversation)/g;

/** What a text in a person's place says: `asked:MARKER`, `settled:CALL`, `rerun`, `go_on`, `summary`. */
export function spokenWords(text: string): string[] {
  return [...text.matchAll(spoken)].map(([, marker, settled, rerun, goOn]) => {
    if (marker !== undefined) return `asked:${marker}`;
    if (settled !== undefined) return `settled:${settled}`;
    if (rerun !== undefined) return 'rerun';
    return goOn === undefined ? 'summary' : 'go_on';
  });
}

/** A context word by word, whatever messages the wire put together: what was asked, said, called and answered. */
export function contextWords(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => {
    if (message.role === 'tool') return [`result:${message.tool_call_id ?? ''}`];
    if (message.role === 'user') return spokenWords(textOf(message.content));
    if (message.role !== 'assistant') return [];
    const text = textOf(message.content);
    const calls = (message.tool_calls ?? []).map(({ id }) => `call:${id}`);
    return [...(text === '' ? [] : [`said:${text}`]), ...calls];
  });
}

export function resultsOf(messages: readonly Message[]): Map<string, string> {
  return new Map(
    messages.flatMap(({ role, tool_call_id: id, content }) =>
      role === 'tool' && id !== undefined ? [[id, textOf(content)] as const] : [],
    ),
  );
}

export function isSummaryRequest(messages: readonly Message[]): boolean {
  const last = messages.findLast(({ role }) => role === 'user');
  return textOf(last?.content).includes('Write a summary of the conversation so far');
}
