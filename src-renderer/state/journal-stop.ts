import type { Problem } from '../../src-preload/contract';

/** What keeps anything from being recorded in a session: the whole journal, or what is missing of this session. */
export type JournalStop = 'journal' | 'session';

/** `sessionId` is null for a session that is not made yet. Null where the journal takes everything. */
export function journalStop(problems: readonly Problem[], sessionId: string | null): JournalStop | null {
  if (problems.some((problem) => problem.severity === 'error')) return 'journal';
  const own = problems.some((problem) => sessionId !== null && problem.data?.['session_id'] === sessionId);
  return own ? 'session' : null;
}
