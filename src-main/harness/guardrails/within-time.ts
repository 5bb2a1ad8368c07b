/** What came of a look that has a bound of time. */
export type Timed<T> =
  | { readonly type: 'answered'; readonly value: T }
  | { readonly type: 'threw' }
  | { readonly type: 'overdue' }
  | { readonly type: 'stopped' };

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}

/**
 * Runs `look` for at most `ms` milliseconds; one that answers at once costs no timer. Its signal is aborted when time is
 * up or `stop` is; what it answers after that is dropped. Never rejects.
 */
export async function withinTime<T>(
  look: (signal: AbortSignal) => T | Promise<T>,
  ms: number,
  stop: AbortSignal | null,
): Promise<Timed<T>> {
  if (stop?.aborted) return { type: 'stopped' };
  const own = new AbortController();
  const began = performance.now();
  const inTime = (value: T): Timed<T> =>
    performance.now() - began > ms ? { type: 'overdue' } : { type: 'answered', value };
  try {
    const answer = look(own.signal);
    if (!isThenable(answer)) return inTime(answer);
    return await race(answer, own, ms, stop);
  } catch {
    return { type: 'threw' };
  }
}

async function race<T>(
  answer: Promise<T>,
  own: AbortController,
  ms: number,
  stop: AbortSignal | null,
): Promise<Timed<T>> {
  let end: (timed: Timed<T>) => void = () => undefined;
  const ended = new Promise<Timed<T>>((resolve) => {
    end = resolve;
  });
  const leave = (type: 'overdue' | 'stopped'): void => {
    end({ type });
    own.abort();
  };
  const onStop = (): void => leave('stopped');
  const timer = setTimeout(leave, ms, 'overdue');
  stop?.addEventListener('abort', onStop, { once: true });
  const settled = answer.then(
    (value): Timed<T> => ({ type: 'answered', value }),
    (): Timed<T> => ({ type: 'threw' }),
  );
  try {
    return await Promise.race([settled, ended]);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', onStop);
  }
}
