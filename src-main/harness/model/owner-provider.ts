import { fail, ok, type ProviderKind, type Result } from '../protocol';
import { checkKey, defaultPathOf, parseBaseUrl } from './base-address';
import { createModelProvider } from './create-model-provider';
import type { ModelProvider } from './port';
import { kindFacts } from './provider-config';
import { createEnvironmentSecrets, providerSecretName } from './secret-store';

/** The provider that the owner of a run names on the command line or in code. Nothing of it is kept. */
export interface OwnerProvider {
  readonly kind: ProviderKind;
  /** Null means the kind's own address. */
  readonly base_url: string | null;
  /** Null means the kind's usual variable of the environment, where it has one. */
  readonly key: string | null;
}

function keyOf(
  owner: OwnerProvider,
  env: Readonly<Record<string, string | undefined>>,
): Result<string | null> {
  if (owner.key !== null) return checkKey(owner.key);
  const found = createEnvironmentSecrets(env).get(providerSecretName(owner.kind));
  if (found !== null || owner.kind === 'practice' || !kindFacts[owner.kind].needs_key) return ok(found);
  const { label } = kindFacts[owner.kind];
  return fail(
    'model_unauthorized',
    `There is no key for ${label}. Put it into the environment and name the variable (--api-key-env NAME).`,
  );
}

/** Failures: `model_unauthorized` without a key, `invalid_input` for an address or key of a wrong form. */
export function createOwnerProvider(
  owner: OwnerProvider,
  env: Readonly<Record<string, string | undefined>>,
  practice: ModelProvider,
): Result<ModelProvider> {
  const { kind } = owner;
  if (kind === 'practice') return ok(practice);
  const address = owner.base_url === null ? ok(null) : parseBaseUrl(owner.base_url, defaultPathOf(kind));
  if (!address.ok) return address;
  if (address.value === null && kindFacts[kind].base_url === null) {
    return fail('invalid_input', `${kindFacts[kind].label} needs an address. Give it with --base-url URL.`);
  }
  const key = keyOf(owner, env);
  if (!key.ok) return key;
  const where = 'with --base-url and --api-key-env';
  return ok(createModelProvider({ id: kind, kind, base_url: address.value, key: key.value, where }));
}
