import type { Push } from '../../src-preload/contract';
import type { Harness } from '../harness';
import type { Dispatch } from './dispatch';

export interface JournalWatch {
  /** Tells the window when what is wrong with the journal has changed since it was told last. */
  look(): void;
  /** The same dispatch, with a look behind each answer: what the command met may be news. */
  behind(dispatch: Dispatch): Dispatch;
}

/** The journal finds what is wrong with it while it is read and written; the window is told as soon as that is known. */
export function createJournalWatch(
  journal: Pick<Harness['journal'], 'problems'>,
  send: (push: Push) => void,
): JournalWatch {
  const known = (): string => journal.problems.map((problem) => problem.message).join('\n');
  let told = known();
  const look = (): void => {
    const now = known();
    if (now === told) return;
    told = now;
    send({ topic: 'journal', problems: [...journal.problems] });
  };
  return {
    look,
    behind: (dispatch) => async (name, payload) => {
      const result = await dispatch(name, payload);
      look();
      return result;
    },
  };
}
