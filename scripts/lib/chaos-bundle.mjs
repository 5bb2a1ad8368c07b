import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inRoot, root } from './paths.mjs';

const harness = inRoot('src-main', 'harness');

/**
 * Compiles the crash runs, which are written in the harness's own language, and loads them.
 * @returns {Promise<{ runChaos(args: readonly string[]): Promise<number> }>}
 */
export async function loadChaos() {
  const { build } = await import('esbuild');
  const folder = inRoot('out', 'chaos');
  fs.mkdirSync(folder, { recursive: true });
  const outfile = path.join(folder, 'run-chaos.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: [path.join(harness, 'testing', 'chaos', 'run-chaos.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    mainFields: ['module', 'main'],
    external: ['libsql', 'esbuild'],
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as bannerRequire } from 'node:module'; const require = bannerRequire(import.meta.url);",
    },
  });
  // The bundle lies elsewhere than its sources, and compiles the core from them.
  process.env['CHAOS_HARNESS'] = harness;
  return /** @type {{ runChaos(args: readonly string[]): Promise<number> }} */ (
    await import(pathToFileURL(outfile).href)
  );
}
