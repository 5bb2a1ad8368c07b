import { proseNames } from '../prose-names';
import type { Json } from '../../../../src-preload/contract';

/** How the lines of a text end; a text area keeps only one kind. */
export type LineEnds = 'lf' | 'crlf' | 'mixed';

export function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r')) return 'lf';
  const bare = text.replaceAll('\r\n', '');
  return bare.includes('\r') || bare.includes('\n') ? 'mixed' : 'crlf';
}

/** What a text area gave back, with the line ends that the text had before. */
export function withLineEnds(text: string, ends: LineEnds): string {
  const plain = text.replaceAll(/\r\n?/g, '\n');
  return ends === 'crlf' ? plain.replaceAll('\n', '\r\n') : plain;
}

const longNames: ReadonlySet<string> = new Set([
  ...['message', 'text', 'body', 'content', 'description', 'comment', 'prompt', 'markdown', 'html'],
]);

/** Names in the order of the form: prose first, then as the schema and the value have them. */
export function proseFirst(names: readonly string[]): readonly string[] {
  const first = proseNames.filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !first.includes(name))];
}

const longText = 60;

/** Whether a text wants several lines. An input of one line would drop line ends without a word. */
export function isLongText(name: string, text: string): boolean {
  return text.length > longText || /[\n\r]/.test(text) || longNames.has(name.toLowerCase());
}

/** The words of a choice. */
export function choiceText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
