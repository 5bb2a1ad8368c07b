/** A controller that `outer` aborts too, with its reason, until it is released. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Forgets `outer`. Without it a signal that outlives many of these holds on to each of them. */
  release(): void;
}

/** Stands for AbortSignal.any, whose results stay registered with a long-lived signal and cost more to make. */
export function linkedAbort(outer: AbortSignal): LinkedAbort {
  const own = new AbortController();
  const follow = (): void => own.abort(outer.reason);
  if (outer.aborted) follow();
  else outer.addEventListener('abort', follow, { once: true });
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release: () => outer.removeEventListener('abort', follow),
  };
}
