import { kindFacts } from './provider-config';

export type LocalKind = 'ollama' | 'lmstudio';

export interface LocalProvider {
  readonly kind: LocalKind;
  readonly base_url: string;
  readonly running: boolean;
}

interface Deps {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** Other addresses than the default ports. */
  readonly base_urls?: Partial<Record<LocalKind, string>>;
}

const timeoutMs = 1_000;

/** What only a running server of the kind answers: Ollama has a version, LM Studio a list of models. */
function probeAddress(kind: LocalKind, base_url: string): string {
  return kind === 'ollama' ? new URL('/api/version', base_url).href : `${base_url}/models`;
}

/** Whether a server of the kind answers there within a second. Anything but a good answer is no. */
export async function isRunning(kind: LocalKind, base_url: string, deps: Deps): Promise<boolean> {
  const stop = new AbortController();
  const signal = AbortSignal.any([deps.signal, stop.signal]);
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  try {
    const response = await deps.fetch(probeAddress(kind, base_url), { redirect: 'manual', signal });
    const json = (response.headers.get('content-type') ?? '').includes('json');
    return response.ok && json;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

/** Looks for Ollama and LM Studio on their default ports, in at most a second. */
export function findLocalProviders(deps: Deps): Promise<readonly LocalProvider[]> {
  const kinds: readonly LocalKind[] = ['ollama', 'lmstudio'];
  return Promise.all(
    kinds.map(async (kind) => {
      const base_url = deps.base_urls?.[kind] ?? kindFacts[kind].base_url ?? '';
      return { kind, base_url, running: await isRunning(kind, base_url, deps) };
    }),
  );
}
