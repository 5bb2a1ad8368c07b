import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** The harness wherever it is compiled from: this file's grandparent, or the place that the bundled command names. */
const harness = process.env['CHAOS_HARNESS'] ?? resolve(import.meta.dirname, '../..');
const root = resolve(harness, '../..');
const chaos = join(harness, 'testing/chaos');

/** The core gets the watched journal in the place of the plain one; everything else of it is the product's own. */
const watchJournal: Plugin = {
  name: 'watch-journal',
  setup({ onResolve }) {
    onResolve({ filter: /(^|\/)journal$/ }, ({ path, importer }) => {
      const from = dirname(importer);
      const inside = from === chaos || from === join(harness, 'journal');
      if (inside || resolve(from, path) !== join(harness, 'journal')) return undefined;
      return { path: join(chaos, 'watched-journal.ts') };
    });
  },
};

/** Where the witness server's source lies. */
export const witnessServer = join(chaos, 'witness-server.mjs');

/** Runs the bundle from V8's cache of its code: reading four megabytes of source is most of a core's start. */
function loaderOf(bundle: string, cache: string): string {
  return `const fs = require('node:fs');
const { dirname } = require('node:path');
const vm = require('node:vm');
const file = ${JSON.stringify(bundle)};
const cache = ${JSON.stringify(cache)};
const script = new vm.Script(require('node:module').wrap(fs.readFileSync(file, 'utf8')), {
  filename: file,
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  ...(fs.existsSync(cache) ? { cachedData: fs.readFileSync(cache) } : {}),
});
script.runInThisContext()(exports, require, module, file, dirname(file));
if (process.env.CHAOS_WARM) fs.writeFileSync(cache, script.createCachedData());
`;
}

/**
 * Bundles the core of the crash runs for plain Node and answers its path. It lies inside the repository, where the
 * database driver is found.
 */
export async function buildCore(name: string): Promise<string> {
  const folder = join(root, 'out', 'chaos');
  mkdirSync(folder, { recursive: true });
  const [bundle, cache, loader] = [`${name}.cjs`, `${name}.cache`, `${name}-start.cjs`].map((file) =>
    join(folder, file),
  ) as [string, string, string];
  const built = await build({
    entryPoints: [join(chaos, 'core-process.ts')],
    outfile: bundle,
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    mainFields: ['module', 'main'],
    external: ['libsql'],
    metafile: true,
    logLevel: 'error',
    plugins: [watchJournal],
  });
  const opener = Object.entries(built.metafile.inputs).find(([file]) => file.endsWith('open-harness.ts'));
  if (!opener?.[1].imports.some((file) => file.path.endsWith('watched-journal.ts'))) {
    throw new Error('The core does not open the watched journal; see the imports of open-harness.ts.');
  }
  rmSync(cache, { force: true });
  writeFileSync(loader, loaderOf(bundle, cache));
  execFileSync(process.execPath, [loader], { env: { ...process.env, CHAOS_WARM: '1' } });
  return loader;
}
