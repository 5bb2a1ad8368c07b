export * from './port';
export { checkKey, defaultPathOf, parseBaseUrl } from './base-address';
export { createModelProvider } from './create-model-provider';
export { findLocalProviders, type LocalProvider } from './local-discovery';
export { createPracticeModel, type PracticeAct, type PracticeModel } from './practice';
export type { ModelProviderConfig } from './provider-config';
export {
  createProviderDirectory,
  type AddProvider,
  type ConfigureProvider,
  type ProviderDirectory,
  type ProviderDirectoryDeps,
  type ProviderSettings,
} from './providers';
export {
  createEnvironmentSecrets,
  createMemorySecrets,
  providerSecretName,
  type SecretPlace,
  type SecretStore,
} from './secret-store';
export { createOwnerProvider, type OwnerProvider } from './owner-provider';
export { diagnoseTool } from './tool-doctor';
