import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

const licenceFile = /^(licen[cs]e|copying|notice)/i;

/** Packages that this one loads at run time without being bundled. */
const unbundled = ['libsql'];

/**
 * Writes the licences of every package whose code is in the bundles, and of those that are shipped beside them.
 * @param {string[]} bundledFiles paths of the modules in the bundles
 * @param {string} output
 * @returns {number} how many packages it names
 */
export function writeLicences(bundledFiles, output) {
  const folders = new Set(bundledFiles.map(packageFolder).filter((folder) => folder !== undefined));
  for (const name of unbundled) addWithDependencies(inRoot('node_modules', name), folders);
  const packages = [...folders].map(describe).sort((a, b) => a.title.localeCompare(b.title));
  const sections = packages.map(({ title, licence, text }) => `${title}\nLicence: ${licence}\n\n${text}\n`);
  const intro =
    'OpenWorker contains the packages below. Electron and Chromium have licence files of their own beside this one.\n';
  fs.mkdirSync(path.dirname(output), { recursive: true });
  fs.writeFileSync(output, [intro, ...sections].join(`\n${'='.repeat(100)}\n\n`));
  return packages.length;
}

/**
 * @param {string} file
 * @returns {string | undefined} the absolute folder of the innermost package that holds the file
 */
export function packageFolder(file) {
  const clean = inRoot(file.replace(/^\0/, '').replace(/\?.*$/, '')).replaceAll('\\', '/');
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(clean)?.[0];
}

/**
 * @param {string} folder
 * @param {Set<string>} folders
 */
function addWithDependencies(folder, folders) {
  if (folders.has(folder) || !fs.existsSync(path.join(folder, 'package.json'))) return;
  folders.add(folder);
  const { dependencies = {}, optionalDependencies = {} } = readManifest(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    addWithDependencies(inRoot('node_modules', name), folders);
  }
}

/** @param {string} folder */
function describe(folder) {
  const manifest = readManifest(folder);
  const files = fs.readdirSync(folder).filter((name) => licenceFile.test(name));
  const texts = files.map((name) => path.join(folder, name)).filter((file) => fs.statSync(file).isFile());
  const text = texts.map((file) => fs.readFileSync(file, 'utf8').trim()).join('\n\n');
  const licence = typeof manifest.license === 'string' ? manifest.license : 'see the text';
  return {
    title: `${manifest.name} ${manifest.version}`,
    licence,
    text: text || '(The package has no licence file.)',
  };
}

/**
 * @param {string} folder
 * @returns {{ name: string, version: string, license?: unknown, dependencies?: object, optionalDependencies?: object }}
 */
function readManifest(folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
}
