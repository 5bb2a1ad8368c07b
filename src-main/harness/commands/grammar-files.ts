import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

export interface GrammarFiles {
  readonly engine: Uint8Array;
  readonly bash: Uint8Array;
}

/**
 * The compiled grammar and the engine that runs it, from the installed packages. The app has no such folder: there
 * scripts/lib/embed-grammar.mjs puts a module in this one's place that holds the bytes.
 */
export async function readGrammarFiles(): Promise<GrammarFiles> {
  const { resolve } = createRequire(import.meta.url);
  const [engine, bash] = await Promise.all([
    readFile(resolve('web-tree-sitter/web-tree-sitter.wasm')),
    readFile(resolve('tree-sitter-bash/tree-sitter-bash.wasm')),
  ]);
  return { engine, bash };
}
