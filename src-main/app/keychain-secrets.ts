import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { safeStorage } from 'electron';
import { isJsonObject, ok, type SecretStore } from '../harness';

/** What the system offers for keeping keys. `none` means that nothing durable is safe, and nothing is written. */
export interface KeychainFacts {
  readonly kind: 'system' | 'none';
  readonly backend: string;
}

/** On Linux without a secret service Chromium would "encrypt" with a fixed password: that is no keychain. */
export function keychainFacts(): KeychainFacts {
  const backend = process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : process.platform;
  const usable = safeStorage.isEncryptionAvailable() && backend !== 'basic_text' && backend !== 'unknown';
  return { kind: usable ? 'system' : 'none', backend };
}

function readEntries(file: string): Map<string, string> {
  const entries = new Map<string, string>();
  if (!existsSync(file)) return entries;
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const stored = isJsonObject(parsed) && isJsonObject(parsed['entries']) ? parsed['entries'] : {};
    for (const [name, value] of Object.entries(stored))
      if (typeof value === 'string') entries.set(name, value);
  } catch {
    return new Map();
  }
  return entries;
}

function writeEntries(file: string, entries: ReadonlyMap<string, string>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ version: 1, entries: Object.fromEntries(entries) }, null, 2);
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function decrypt(ciphertext: string): string | null {
  try {
    return safeStorage.decryptString(Buffer.from(ciphertext, 'base64'));
  } catch {
    return null;
  }
}

/**
 * Keys encrypted by the system's keychain, in one file; without a keychain, in memory until the app ends. A key that
 * cannot be decrypted (another keyring, a restored backup) counts as absent, and the app asks for it again.
 */
export function createKeychainSecrets(file: string, facts: KeychainFacts): SecretStore {
  const entries = facts.kind === 'system' ? readEntries(file) : new Map<string, string>();
  const session = new Map<string, string>();
  return {
    kind: facts.kind === 'system' ? 'keychain' : 'session',
    get(name) {
      const held = session.get(name);
      if (held !== undefined) return held;
      const stored = entries.get(name);
      return stored === undefined ? null : decrypt(stored);
    },
    set(name, value) {
      if (facts.kind === 'none') {
        session.set(name, value);
        return ok('session');
      }
      entries.set(name, safeStorage.encryptString(value).toString('base64'));
      writeEntries(file, entries);
      return ok('keychain');
    },
    delete(name) {
      session.delete(name);
      if (entries.delete(name)) writeEntries(file, entries);
    },
  };
}
