import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

/**
 * Packs scripts/default-app into resources/default_app.asar: what Electron runs when it is started without a packaged
 * app, and therefore what makes `electron FOLDER` and Playwright's launch work.
 * @param {string} resources
 * @param {string} work a folder for temporary files
 */
export async function writeDefaultApp(resources, work) {
  const { createPackage } = await import('@electron/asar');
  const staged = path.join(work, 'default-app');
  fs.cpSync(inRoot('scripts', 'default-app'), staged, { recursive: true });
  fs.mkdirSync(resources, { recursive: true });
  await createPackage(staged, path.join(resources, 'default_app.asar'));
}
