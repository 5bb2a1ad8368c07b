import { build } from 'esbuild';
import { inRoot, root } from './paths.mjs';

/** Node's modules are CommonJS to the packages that were bundled. */
const requireBanner =
  "import { createRequire as benchCreateRequire } from 'node:module';\nconst require = benchCreateRequire(import.meta.url);";

/**
 * Bundles the harness as the command line has it into bench/out/harness.mjs. Beside the door it exports the journal,
 * which the bench writes long sessions with.
 */
export async function buildBenchHarness() {
  await build({
    stdin: {
      contents:
        "export * from './src-main/harness';\nexport { openJournal } from './src-main/harness/journal';\n",
      resolveDir: root,
      loader: 'ts',
    },
    outfile: inRoot('bench', 'out', 'harness.mjs'),
    absWorkingDir: root,
    mainFields: ['module', 'main'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    legalComments: 'none',
    logLevel: 'warning',
    external: ['libsql'],
    banner: { js: requireBanner },
  });
}
