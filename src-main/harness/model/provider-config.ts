import type { ProviderKind } from '../protocol';

export type RemoteKind = Exclude<ProviderKind, 'practice'>;

/** The protocol that is spoken on the line. */
export type Wire = 'anthropic' | 'openai-responses' | 'openai-chat' | 'google' | 'compatible';

export interface ModelProviderConfig {
  readonly id: string;
  readonly kind: RemoteKind;
  /** As the person calls it; appears in messages. */
  readonly label?: string;
  /** Null means the kind's own address. */
  readonly base_url: string | null;
  readonly key: string | null;
  /** Where the person sets address and key, as it ends a sentence; `in Settings, Models` unless given. */
  readonly where?: string;
  /** Defaults to the runtime's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Longest time without a single byte, in milliseconds. */
  readonly idle_timeout_ms?: number;
  /** Most UTF-16 units of text, reasoning and arguments that one response may have together. */
  readonly max_text_length?: number;
}

interface KindFacts {
  readonly label: string;
  readonly base_url: string | null;
  readonly needs_key: boolean;
}

export const kindFacts: Readonly<Record<RemoteKind, KindFacts>> = {
  anthropic: { label: 'Anthropic', base_url: 'https://api.anthropic.com/v1', needs_key: true },
  openai: { label: 'OpenAI', base_url: 'https://api.openai.com/v1', needs_key: true },
  google: {
    label: 'Google',
    base_url: 'https://generativelanguage.googleapis.com/v1beta',
    needs_key: true,
  },
  'openai-compatible': { label: 'OpenAI-compatible endpoint', base_url: null, needs_key: false },
  ollama: { label: 'Ollama', base_url: 'http://127.0.0.1:11434/v1', needs_key: false },
  lmstudio: { label: 'LM Studio', base_url: 'http://127.0.0.1:1234/v1', needs_key: false },
};

export const defaultIdleTimeoutMs = 120_000;
/** Sixteen times the longest answer that any provider gives today. */
export const defaultMaxTextLength = 8 * 1024 * 1024;

/** A config with every choice made. */
export interface Endpoint {
  readonly id: string;
  readonly kind: RemoteKind;
  readonly wire: Wire;
  readonly label: string;
  readonly base_url: string;
  /** True for the address of the company itself, with all that it supports. */
  readonly official: boolean;
  readonly key: string | null;
  readonly where: string;
  readonly fetch: typeof globalThis.fetch;
  readonly idle_timeout_ms: number;
  readonly max_text_length: number;
}

/**
 * OpenAI itself is asked over Responses: its reasoning models call tools there only, and give back their signed
 * reasoning. Any other address that is configured as "OpenAI" is a gateway, and Chat Completions is the protocol
 * that gateways share.
 */
function wireOf(kind: RemoteKind, official: boolean): Wire {
  if (kind === 'anthropic' || kind === 'google') return kind;
  if (kind === 'openai') return official ? 'openai-responses' : 'openai-chat';
  return 'compatible';
}

export function endpointOf(config: ModelProviderConfig): Endpoint {
  const facts = kindFacts[config.kind];
  const own = facts.base_url;
  const base = config.base_url ?? own ?? '';
  const official = facts.needs_key && (config.base_url === null || config.base_url === own);
  return {
    id: config.id,
    kind: config.kind,
    wire: wireOf(config.kind, official),
    label: config.label ?? facts.label,
    base_url: base,
    official,
    key: config.key,
    where: config.where ?? 'in Settings, Models',
    fetch: config.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    idle_timeout_ms: config.idle_timeout_ms ?? defaultIdleTimeoutMs,
    max_text_length: config.max_text_length ?? defaultMaxTextLength,
  };
}
