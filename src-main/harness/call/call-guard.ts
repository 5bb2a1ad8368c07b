import type { Failure } from '../protocol';
import type { ToolEnd } from '../tools';
import { timedOut } from './limits';

/** How long a cancelled tool may take to stop before it is left behind, in milliseconds. */
export const cancelGraceMs = 2_000;

/** How the waiting for a tool ended: by itself, by a limit, or because it ignored a cancellation. */
export type End =
  ToolEnd | { readonly type: 'limit'; readonly error: Failure } | { readonly type: 'left_behind' };

/** Ends the waiting for a tool from outside. */
export interface CallGuard {
  /** The tool's own signal: aborted by a stop, with its reason, and by a limit. */
  readonly signal: AbortSignal;
  /** Settles when the tool is given up; the first reason wins. */
  readonly ended: Promise<End>;
  breakLimit(error: Failure): void;
  close(): void;
}

/** `deadline` in milliseconds, or null for a tool that carries its own. */
export function createCallGuard(deadline: number | null, name: string, stop: AbortSignal): CallGuard {
  const own = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let settle: (end: End) => void = () => undefined;
  const ended = new Promise<End>((resolve) => {
    settle = resolve;
  });
  const breakLimit = (error: Failure): void => {
    settle({ type: 'limit', error });
    own.abort();
  };
  const leave = (): void => {
    timers.push(setTimeout(() => settle({ type: 'left_behind' }), cancelGraceMs));
    own.abort(stop.reason);
  };
  if (stop.aborted) leave();
  else stop.addEventListener('abort', leave, { once: true });
  if (deadline !== null) timers.push(setTimeout(() => breakLimit(timedOut(name)), deadline));
  return {
    signal: own.signal,
    ended,
    breakLimit,
    close(): void {
      timers.forEach(clearTimeout);
      stop.removeEventListener('abort', leave);
    },
  };
}
