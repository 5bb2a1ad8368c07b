export interface MentionAt {
  /** Index of the `@`. */
  readonly start: number;
  readonly end: number;
  readonly query: string;
}

/** The mention that is being typed: an `@` at the start of a word, with the caret behind it. */
export function mentionAt(text: string, caret: number): MentionAt | null {
  const before = text.slice(0, caret);
  const match = /(?:^|[\s(])@([^\s@]{0,200})$/u.exec(before);
  const query = match?.[1];
  return query === undefined ? null : { start: caret - query.length - 1, end: caret, query };
}

/** Puts a chosen path in place of what was typed. */
export function insertMention(
  text: string,
  mention: MentionAt,
  path: string,
): { readonly text: string; readonly caret: number } {
  const inserted = `@${path} `;
  const after = text.slice(mention.end).replace(/^ /, '');
  return { text: text.slice(0, mention.start) + inserted + after, caret: mention.start + inserted.length };
}
