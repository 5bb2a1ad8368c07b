import os from 'node:os';
import path from 'node:path';
import { isRoot } from './run.mjs';

/**
 * Where downloads are kept, outside the repository. Root's lies where an ordinary user can read it, because tests
 * of the sandbox run as one. OPENWORKER_CACHE names another folder.
 */
export function cacheFolder() {
  if (process.env.OPENWORKER_CACHE) return path.resolve(process.env.OPENWORKER_CACHE);
  if (isRoot()) return '/var/cache/openworker';
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches', 'openworker');
  if (process.platform === 'win32') {
    return path.join(process.env.LOCALAPPDATA ?? os.homedir(), 'openworker', 'cache');
  }
  return path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'openworker');
}
