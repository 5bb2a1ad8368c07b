import { cutText } from '../protocol';
import type { Submission } from './session-port';

const longest = 60;

/** A title from the first words of the first message: one line, cut at a word. */
export function automaticTitle(submission: Submission): string {
  const line = submission.text.replace(/\s+/g, ' ').trim() || (submission.files[0]?.name ?? 'New session');
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest + 1);
  const space = cut.lastIndexOf(' ');
  return `${cutText(cut, space > longest / 2 ? space : longest).trimEnd()}…`;
}

/** The title of a session that goes on with another: numbered, so that a list tells the two apart. */
export function continuedTitle(former: string): string {
  const numbered = /^(.*) \((\d{1,2})\)$/s.exec(former);
  return numbered ? `${numbered[1]} (${Number(numbered[2]) + 1})` : `${former} (2)`;
}
