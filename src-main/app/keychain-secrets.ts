import { safeStorage } from 'electron';
import { fail, ok, type Result, type SecretStore } from '../harness';
import { readEntries, writeEntries } from './secrets-file';

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
export function createKeychainSecrets(
  file: string,
  facts: KeychainFacts,
  log: (line: string) => void,
): SecretStore {
  let entries: ReadonlyMap<string, string> = facts.kind === 'system' ? readEntries(file, log) : new Map();
  /** What is in memory never runs ahead of the file. */
  const save = (next: ReadonlyMap<string, string>): Result<null> => {
    try {
      writeEntries(file, next);
      entries = next;
      return ok(null);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      return fail(
        'journal_unavailable',
        `The key could not be kept in ${file} (${code}). Check the disk, then enter it again.`,
      );
    }
  };
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
      const encrypted = safeStorage.encryptString(value).toString('base64');
      const saved = save(new Map(entries).set(name, encrypted));
      return saved.ok ? ok('keychain') : saved;
    },
    delete(name) {
      session.delete(name);
      if (!entries.has(name)) return;
      const rest = new Map(entries);
      rest.delete(name);
      const saved = save(rest);
      if (!saved.ok) log(saved.error.message);
    },
  };
}
