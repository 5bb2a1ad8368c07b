import { foldSummary, type SessionSummary } from '../protocol';

/** The summary of a session that was just made, with what a test wants to be otherwise. Its words are private. */
export function madeSummary(session_id: string, given: Partial<SessionSummary> = {}): SessionSummary {
  const made = foldSummary(null, {
    seq: 1,
    session_id,
    turn_id: null,
    type: 'session_created',
    version: 1,
    at: '2026-11-30T09:00:00Z',
    data: {
      title: 'Salaries of 2026',
      coworker: {
        id: 'c',
        name: 'Secret Keeper',
        tagline: '',
        icon: '',
        version: '1.0.0',
        bundle_digest: '',
      },
      workspace: '/home/me/private',
      model: { provider: 'p', name: 'm' },
      mode: 'ask',
      app_version: '0.1.0',
    },
  });
  if (!made) throw new Error('A created session has a summary.');
  return { ...made, ...given };
}
