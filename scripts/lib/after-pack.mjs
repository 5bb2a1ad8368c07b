import fs from 'node:fs';
import path from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';

/** What a released app may do: each fuse of Electron is named, so that a new one fails the build until it is decided. */
const fuses = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
};

/**
 * electron-builder calls it on the unpacked app, before anything is signed.
 * @param {import('electron-builder').AfterPackContext} context
 */
export default async function afterPack(context) {
  // An Electron given as a folder still carries the app that it starts when it has none.
  fs.rmSync(path.join(context.packager.getResourcesDir(context.appOutDir), 'default_app.asar'), {
    force: true,
  });
  await setFuses(executableOf(context), context.electronPlatformName === 'darwin');
}

/**
 * @param {string} executable
 * @param {boolean} resetSignature macOS on ARM starts no binary whose ad-hoc signature is broken
 */
export async function setFuses(executable, resetSignature = false) {
  const known = Object.keys(await getCurrentFuseWire(executable)).filter((key) => key !== 'version');
  // An older Electron (development and tests only) has fewer fuses than are named here.
  const wanted = Object.fromEntries(Object.entries(fuses).filter(([fuse]) => known.includes(fuse)));
  await flipFuses(executable, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: resetSignature,
    .../** @type {typeof fuses} */ (wanted),
  });
}

/** @param {import('electron-builder').AfterPackContext} context */
function executableOf({ packager, appOutDir, electronPlatformName }) {
  const name = packager.appInfo.productFilename;
  if (electronPlatformName === 'darwin' || electronPlatformName === 'mas')
    return path.join(appOutDir, `${name}.app`);
  if (electronPlatformName === 'win32') return path.join(appOutDir, `${name}.exe`);
  return path.join(appOutDir, /** @type {any} */ (packager).executableName);
}
