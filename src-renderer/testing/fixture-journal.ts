import type { Problem } from '../../src-preload/contract';

/** Entries that were recorded and are not there. */
export const lossProblem: Problem = {
  code: 'journal_unavailable',
  message:
    'Journal /home/mara/.config/OpenWorker/journal.db: 3 recorded entries are missing (session s5: entries 18 to 20). The files as they were found are kept as journal.damaged-1. Put the missing files back and start again.',
  file: 'journal.db',
  severity: 'error',
  data: { kind: 'loss', session_id: null },
};
