import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The data folder: the given one, else the one that the installed app uses too. One process at a time writes there. */
export function dataFolder(
  given: string | null,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  home = homedir(),
): string {
  if (given !== null) return resolve(given);
  if (platform === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'OpenWorker');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'OpenWorker');
  return join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'OpenWorker');
}
