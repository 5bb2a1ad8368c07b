import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { embedGrammar, grammarFiles } from './embed-grammar.mjs';
import { writeLicences } from './licences.mjs';
import { inRoot, root } from './paths.mjs';
import { digestOf, readStamp, writeStamp } from './stamp.mjs';

/** What the app is built from and what it becomes. Paths are relative to the repository's root. */
export const entries = {
  main: { source: 'src-main/main.ts', output: 'out/main.cjs' },
  preload: { source: 'src-preload/preload.ts', output: 'out/preload.cjs' },
  headless: { source: 'src-main/headless/cli.ts', output: 'out/openworker.mjs' },
  renderer: { source: 'src-renderer/index.html', output: 'out/renderer/index.html' },
};

const inputs = [
  'src-main',
  'src-preload',
  'src-renderer',
  'package.json',
  'package-lock.json',
  'scripts/lib/bundle.mjs',
  'scripts/lib/embed-grammar.mjs',
  'scripts/lib/licences.mjs',
  'tsconfig.base.json',
];
const stampFile = inRoot('out', '.build-stamp');
/** SHA-256 of each built file, by its path below out/: the execution identity of sessions stands on it (S0-57). */
const recordFile = inRoot('out', 'build.json');
const isTest = (/** @type {string} */ name) => /\.test\.tsx?$/.test(name);

/** import.meta does not exist in CommonJS; these stand for it. */
const commonJsMeta = {
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  define: {
    'import.meta.url': 'importMetaUrl',
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
  },
};

/**
 * Electron shows an .asar file to "fs" as a folder. What the harness touches is the person's own, where such a file is
 * a file: it gets the unpatched module.
 * @type {import('esbuild').Plugin}
 */
const harnessSeesPlainFiles = {
  name: 'harness-sees-plain-files',
  setup(build) {
    const harness = inRoot('src-main', 'harness') + path.sep;
    build.onResolve({ filter: /^(node:)?fs(\/promises)?$/ }, ({ path: name, importer }) => {
      if (!importer.startsWith(harness)) return undefined;
      return name.endsWith('/promises')
        ? { path: 'promises', namespace: 'original-fs' }
        : { path: 'original-fs', external: true };
    });
    build.onLoad({ filter: /.*/, namespace: 'original-fs' }, () => ({
      contents: "module.exports = require('original-fs').promises;",
      resolveDir: root,
    }));
  },
};

/** CommonJS packages inside an ES module still call require and read __dirname. */
const esModuleBanner = [
  '#!/usr/bin/env node',
  "import { createRequire as openworkerCreateRequire } from 'node:module';",
  "import { fileURLToPath as openworkerFileUrlToPath } from 'node:url';",
  'const require = openworkerCreateRequire(import.meta.url);',
  'const __filename = openworkerFileUrlToPath(import.meta.url);',
  "const __dirname = openworkerFileUrlToPath(new URL('.', import.meta.url));",
].join('\n');

/**
 * Builds main, preload, command line and renderer into out/.
 * @param {{ force?: boolean }} [options]
 * @returns {Promise<'built' | 'up to date'>}
 * @throws when an entry is missing or does not compile
 */
export async function buildApp(options = {}) {
  const stamp = digestOf(root, inputs, isTest);
  const outputs = [...Object.values(entries).map((entry) => inRoot(entry.output)), recordFile];
  const complete = outputs.every((output) => fs.existsSync(output));
  if (!options.force && complete && readStamp(stampFile) === stamp) return 'up to date';
  assertEntriesExist();
  fs.rmSync(stampFile, { force: true });
  const modules = [...(await bundleNodeSide()), ...(await bundleRenderer())];
  writeLicences(modules, inRoot('out', 'THIRD-PARTY-LICENSES.txt'));
  fs.chmodSync(inRoot(entries.headless.output), 0o755);
  writeRecord();
  writeStamp(stampFile, stamp);
  return 'built';
}

/** The code of all programs of this build; source maps run nowhere. */
function writeRecord() {
  const folder = path.dirname(inRoot(entries.renderer.output));
  const inside = fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .map((entry) => path.join(entry.parentPath, entry.name));
  const programs = [entries.main, entries.preload, entries.headless].map(({ output }) => inRoot(output));
  const names = [...programs, ...inside].map((file) => path.relative(inRoot('out'), file)).sort();
  const files = Object.fromEntries(
    names.map((name) => [
      name.split(path.sep).join('/'),
      createHash('sha256')
        .update(fs.readFileSync(inRoot('out', name)))
        .digest('hex'),
    ]),
  );
  fs.writeFileSync(recordFile, `${JSON.stringify({ files }, null, 2)}\n`);
}

function assertEntriesExist() {
  const missing = Object.values(entries).filter((entry) => !fs.existsSync(inRoot(entry.source)));
  if (missing.length === 0) return;
  const lines = missing.map((entry) => `  ${entry.source} (becomes ${entry.output})`);
  throw new Error(
    `The build has no entry:\n${lines.join('\n')}\nAdd the file, or change scripts/lib/bundle.mjs.`,
  );
}

/** @returns {Promise<string[]>} the modules that went in */
async function bundleNodeSide() {
  const { build } = await import('esbuild');
  /** @satisfies {import('esbuild').BuildOptions} */
  const shared = {
    // The "main" of some packages is a UMD file whose inner requires no bundler can see.
    mainFields: ['module', 'main'],
    absWorkingDir: root,
    bundle: true,
    sourcemap: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  };
  const main = await build({
    ...shared,
    ...commonJsMeta,
    entryPoints: [entries.main.source],
    outfile: entries.main.output,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['electron', 'original-fs', 'libsql'],
    plugins: [harnessSeesPlainFiles, embedGrammar],
  });
  const preload = await build({
    ...shared,
    // A sandboxed preload has no Node: the browser platform makes an import of it an error here, not at run time.
    entryPoints: [entries.preload.source],
    outfile: entries.preload.output,
    platform: 'browser',
    format: 'cjs',
    target: 'chrome130',
    external: ['electron'],
  });
  const headless = await build({
    ...shared,
    entryPoints: [entries.headless.source],
    outfile: entries.headless.output,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['libsql'],
    banner: { js: esModuleBanner },
    plugins: [embedGrammar],
  });
  const modules = [main, preload, headless].flatMap((result) => Object.keys(result.metafile.inputs));
  return [...modules, ...Object.values(grammarFiles)];
}

/** @returns {Promise<string[]>} the modules that went in */
async function bundleRenderer() {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  /** @type {string[]} */
  const modules = [];
  const collect = {
    name: 'collect-modules',
    /** @param {{ id: string }} info */
    moduleParsed: ({ id }) => void modules.push(id),
  };
  await build({
    configFile: false,
    root: inRoot(path.dirname(entries.renderer.source)),
    base: './',
    plugins: [react(), collect],
    logLevel: 'warn',
    build: {
      outDir: inRoot(path.dirname(entries.renderer.output)),
      emptyOutDir: true,
      target: 'chrome130',
      modulePreload: { polyfill: false },
      sourcemap: true,
      chunkSizeWarningLimit: 2000,
    },
  });
  return modules;
}
