import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Digest of the names and contents of files and folders, so that "is it up to date" never depends on clocks.
 * A missing path counts as such.
 * @param {string} base folder that the names are relative to
 * @param {string[]} inputs files or folders below base
 * @param {(name: string) => boolean} [skip]
 * @returns {string} SHA-256, hex
 */
export function digestOf(base, inputs, skip = () => false) {
  const hash = createHash('sha256');
  for (const name of inputs) addTo(hash, base, name, skip);
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} base
 * @param {string} name
 * @param {(name: string) => boolean} skip
 */
function addTo(hash, base, name, skip) {
  if (skip(name)) return;
  const full = path.join(base, name);
  const stat = fs.statSync(full, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    for (const child of fs.readdirSync(full).sort()) addTo(hash, base, path.posix.join(name, child), skip);
    return;
  }
  hash.update(`${name}\0${stat ? stat.size : 'missing'}\0`);
  if (stat) hash.update(fs.readFileSync(full));
}

/**
 * @param {string} file
 * @returns {string | undefined} the stamp stored there
 */
export function readStamp(file) {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * @param {string} file
 * @param {string} value
 */
export function writeStamp(file, value) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${value}\n`);
}
