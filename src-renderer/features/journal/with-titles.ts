import type { Sessions } from '../../state/host-store';

/** Sessions in a message about the journal, by their titles where those are known: no person knows an id. */
export function withTitles(message: string, sessions: Sessions): string {
  return message.replace(/\bsession ([\w-]+)/g, (words, id: string) => {
    const title = sessions.get(id)?.title ?? '';
    return title === '' ? words : `session “${title}”`;
  });
}
