import type { Push, RevealTarget } from '../../src-preload/contract';
import type { Dispatch } from './dispatch';

export interface Reveals {
  /** Sends a wish to the page; kept until it listens, and only the newest. */
  reveal(target: RevealTarget): void;
  /** The same dispatch; who asks something listens already. */
  behind(dispatch: Dispatch): Dispatch;
  /** The page is gone or begins anew. */
  reset(): void;
}

/** A click can come before the page that is to follow it: on a notice while no window is open, say. */
export function createReveals(send: (push: Push) => void): Reveals {
  let listening = false;
  let kept: RevealTarget | null = null;
  return {
    reveal(target) {
      if (listening) send({ topic: 'reveal', target });
      else kept = target;
    },
    behind: (dispatch) => (name, payload) => {
      listening = true;
      if (kept) send({ topic: 'reveal', target: kept });
      kept = null;
      return dispatch(name, payload);
    },
    reset() {
      listening = false;
    },
  };
}
