'use strict';

// Starts `electron [options] FOLDER|FILE`: the part of Electron's own default app that this repository needs.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { app } = require('electron');

const commandLine = parse(process.argv.slice(1));
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
// Playwright names its loader this way; it has to run before the app does.
if (commandLine.preload.length > 0) Module._preloadModules(commandLine.preload);
if (commandLine.target) {
  start(path.resolve(commandLine.target));
} else {
  process.stderr.write(`Electron ${process.versions.electron}: name the folder or the file to start.\n`);
  app.exit(1);
}

/** @param {string[]} args */
function parse(args) {
  /** @type {string[]} */
  const preload = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '-r' || arg === '--require') preload.push(args[(index += 1)] ?? '');
    else if (arg.startsWith('--require=')) preload.push(arg.slice('--require='.length));
    else if (!arg.startsWith('-')) return { preload, target: arg };
  }
  return { preload, target: undefined };
}

/** @param {string} target */
function start(target) {
  const manifest = readManifest(target);
  app.setAppPath(manifest ? target : path.dirname(target));
  if (manifest) describe(manifest);
  const file = Module._resolveFilename(manifest ? path.join(target, manifest.main ?? 'index.js') : target);
  const isModule = file.endsWith('.mjs') || (manifest?.type === 'module' && file.endsWith('.js'));
  if (!isModule) {
    Module._load(file, Module, true);
    return;
  }
  import(pathToFileURL(file).href).catch((error) => {
    process.stderr.write(`${error?.stack ?? error}\n`);
    app.exit(1);
  });
}

/** @param {string} folder */
function readManifest(folder) {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {{ version?: string, name?: string, productName?: string, desktopName?: string }} manifest */
function describe(manifest) {
  if (manifest.version) app.setVersion(manifest.version);
  app.name = manifest.productName ?? manifest.name ?? app.name;
  app.setPath('userData', path.join(app.getPath('appData'), app.name));
  if (manifest.desktopName) app.setDesktopName(manifest.desktopName);
}
