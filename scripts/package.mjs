import { bootstrap } from './bootstrap.mjs';
import { inRoot } from './lib/paths.mjs';
import { runScript, say } from './lib/report.mjs';

/**
 * usage: npm run package [-- TARGET...] [--release]
 * Without targets: what can be made without downloads on Linux (dir, tar.gz), and the platform's own elsewhere.
 * --release refuses any Electron but the one that package.json pins, and compresses.
 */
await runScript(async () => {
  const release = process.argv.includes('--release');
  if (release) process.env.OPENWORKER_ELECTRON = 'official';
  const electron = await bootstrap();
  if (!electron) return;
  const { buildApp } = await import('./lib/bundle.mjs');
  const { packageApp } = await import('./lib/packaging.mjs');
  await buildApp();
  const named = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
  const targets = named.length > 0 ? named : defaultTargets(release);
  const executable = await packageApp(electron, { targets, compression: release ? 'normal' : 'store' });
  say(
    `\nPackaged ${targets.join(', ')} into ${inRoot('dist')}. The app starts with ${executable} (not as root: it keeps Chromium's sandbox on)`,
  );
  if (electron.origin === 'fallback') {
    say(`It holds Electron ${electron.version} of a third party: good for a trial, not for other people.`);
  }
});

/** @param {boolean} release */
function defaultTargets(release) {
  if (process.platform === 'darwin') return ['dmg', 'zip'];
  if (process.platform === 'win32') return ['nsis'];
  return release ? ['AppImage', 'deb', 'tar.gz'] : ['dir', 'tar.gz'];
}
