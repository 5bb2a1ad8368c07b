import fs from 'node:fs';
import path from 'node:path';
import { inRoot, root } from './paths.mjs';
import { SetupError } from './report.mjs';

/**
 * Packages the built app with the Electron that is here. An Electron of the fallback makes packages for tests only.
 * @param {import('./electron.mjs').Electron} electron
 * @param {{ targets: string[], compression?: 'store' | 'normal' }} options targets of electron-builder for this platform
 * @returns {Promise<string>} the packaged app's executable in dist/
 */
export async function packageApp(electron, options) {
  const { build, Platform } = await import('electron-builder');
  if (process.platform === 'linux') provideSevenZip();
  const output = path.join('dist', unpackedFolder());
  fs.rmSync(inRoot(output), { recursive: true, force: true });
  await build({
    projectDir: root,
    targets: Platform.current().createTarget(options.targets),
    publish: 'never',
    config: {
      extends: inRoot('electron-builder.yml'),
      compression: options.compression ?? 'store',
      ...(electron.origin === 'official' ? {} : { electronDist: electron.dist }),
      electronVersion: electron.version,
    },
  });
  const executable = inRoot(output, executableName());
  if (!fs.existsSync(executable))
    throw new SetupError(`The packaged app is not where it should be: ${executable}`);
  return executable;
}

/** electron-builder would download its own 7-Zip; the one among the packages does as well. */
function provideSevenZip() {
  if (process.env.ELECTRON_BUILDER_7ZIP_PATH) return;
  const file = inRoot('node_modules', '7zip-bin', 'linux', process.arch, '7za');
  if (!fs.existsSync(file)) return;
  fs.chmodSync(file, 0o755);
  process.env.ELECTRON_BUILDER_7ZIP_PATH = file;
}

function unpackedFolder() {
  const arch = process.arch === 'x64' ? '' : `-${process.arch}`;
  if (process.platform === 'darwin') return `mac${arch}`;
  return process.platform === 'win32' ? `win${arch}-unpacked` : `linux${arch}-unpacked`;
}

function executableName() {
  if (process.platform === 'darwin') return path.join('OpenWorker.app', 'Contents', 'MacOS', 'OpenWorker');
  return process.platform === 'win32' ? 'OpenWorker.exe' : 'openworker-desktop';
}
