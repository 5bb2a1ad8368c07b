import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

/**
 * Bundles a small program of the tests for a process of its own, before the tests of the file, and removes it after them.
 * `source` imports as a file of `folder` would. Answers the absolute path of the program.
 */
export function childProgram(name: string, folder: string, source: string): string {
  const out = resolve(import.meta.dirname, '../../../out', `${name}-${process.pid}`);
  const program = join(out, 'program.cjs');
  beforeAll(async () => {
    mkdirSync(out, { recursive: true });
    await build({
      stdin: { contents: source, resolveDir: folder, loader: 'ts' },
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      external: ['libsql'],
      logLevel: 'error',
    });
  });
  afterAll(() => rmSync(out, { recursive: true, force: true }));
  return program;
}
