import { ok, type Harness } from '../harness';
import type { CommandHandlers } from './dispatch';

type ProviderCommandNames = 'provider.configure' | 'provider.add' | 'provider.remove' | 'provider.refresh';

export function providerCommands(
  harness: Harness,
  signal: AbortSignal,
): Pick<CommandHandlers, ProviderCommandNames> {
  return {
    async 'provider.configure'(payload) {
      const { key, base_url: address, provider_id } = payload;
      const change = {
        provider_id,
        ...(address === undefined ? {} : { base_url: address }),
        ...(key === undefined ? {} : { key: key === '' ? null : key }),
      };
      const configured = await harness.providers.configure(change, signal);
      return configured.ok ? ok(null) : configured;
    },
    'provider.add': (payload) => harness.providers.add(payload, signal),
    'provider.remove': ({ provider_id }) => harness.providers.remove(provider_id),
    async 'provider.refresh'({ provider_id }) {
      await harness.providers.refresh(provider_id, signal);
      return ok(null);
    },
  };
}
