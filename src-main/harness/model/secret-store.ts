import { fail, ok, type Result } from '../protocol';

/** Where a kept secret lies: the system's keychain, this process's memory, or the environment (read only). */
export type SecretPlace = 'keychain' | 'session' | 'environment';

/** Keeps secrets by name. A value never leaves the main process, never enters a message. */
export interface SecretStore {
  /** Where `get` finds what it finds. `keychain` only where the system really encrypts. */
  readonly kind: SecretPlace;
  get(name: string): string | null;
  set(name: string, value: string): Result<'keychain' | 'session'>;
  delete(name: string): void;
}

/** The name under which the key of a provider is kept. */
export function providerSecretName(provider_id: string): string {
  return `provider:${provider_id}`;
}

/** In order of preference. */
const variables: Readonly<Record<string, readonly string[]>> = {
  [providerSecretName('anthropic')]: ['ANTHROPIC_API_KEY'],
  [providerSecretName('openai')]: ['OPENAI_API_KEY'],
  [providerSecretName('google')]: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
};

/** Keys that the person's environment holds; nothing is ever written there. */
export function createEnvironmentSecrets(env: Readonly<Record<string, string | undefined>>): SecretStore {
  return {
    kind: 'environment',
    get(name) {
      for (const variable of variables[name] ?? []) {
        const value = env[variable]?.trim();
        if (value !== undefined && value !== '') return value;
      }
      return null;
    },
    set: (name) =>
      fail('invalid_input', `The key for ${name} cannot be kept here. Set it in the environment instead.`),
    delete: () => undefined,
  };
}

/** Secrets for as long as the process lives. */
export function createMemorySecrets(): SecretStore {
  const values = new Map<string, string>();
  return {
    kind: 'session',
    get: (name) => values.get(name) ?? null,
    set(name, value) {
      values.set(name, value);
      return ok('session');
    },
    delete: (name) => void values.delete(name),
  };
}
