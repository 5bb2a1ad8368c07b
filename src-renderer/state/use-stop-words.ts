import { useText } from '../messages/use-text';
import { listOf } from './host-store';
import { journalStop } from './journal-stop';
import { useHost } from './use-app';

/** Why nothing can be recorded in a session, or in a new one (null), in words; null when it can. */
export function useStopWords(sessionId: string | null): string | null {
  const { t } = useText();
  const stop = useHost((state) => journalStop(listOf(state.journal), sessionId));
  if (stop === null) return null;
  return t(stop === 'journal' ? 'journal.blocked' : 'journal.blocked_session');
}
