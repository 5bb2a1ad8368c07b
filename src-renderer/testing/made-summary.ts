import { foldSummary, type SessionSummary } from '../../src-preload/contract';

/** The summary of a session that was just made, with what a test or a picture wants to be otherwise. */
export function madeSummary(
  given: Partial<SessionSummary> & { readonly session_id: string },
): SessionSummary {
  const summary = foldSummary(null, {
    seq: 1,
    session_id: given.session_id,
    turn_id: null,
    type: 'session_created',
    version: 1,
    at: '2026-11-30T09:00:00Z',
    data: {
      title: given.session_id,
      coworker: { id: 'c', name: 'C', tagline: '', icon: '', version: '1.0.0', bundle_digest: '' },
      workspace: null,
      model: { provider: 'p', name: 'm' },
      mode: 'ask',
      app_version: '0.1.0',
    },
  });
  if (!summary) throw new Error('A created session has a summary.');
  return { ...summary, ...given };
}
