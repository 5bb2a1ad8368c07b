import type { HarnessOptions } from '../harness-port';
import { createMemorySecrets } from '../model';
import { ok } from '../protocol';

/** A harness for tests, with nothing in it: what a test is about stands in `wanted`. */
export function harnessOptions(dataFolder: string, wanted: Partial<HarnessOptions> = {}): HarnessOptions {
  return {
    dataFolder,
    appVersion: '0',
    libraryFolders: [],
    bundleFolders: [],
    serversFile: null,
    serversTrust: 'owner',
    registerNative: () => ok(null),
    secrets: createMemorySecrets(),
    ownerProvider: null,
    resolveSecret: () => null,
    env: process.env,
    codeDigest: null,
    toolImages: true,
    guardrailsFile: null,
    standing: 'ask',
    log: () => undefined,
    ...wanted,
  };
}
