import fs from 'node:fs';
import { constants, brotliCompressSync } from 'node:zlib';
import { inRoot } from './paths.mjs';

/** The module that the harness reads the grammar of command lines with, and the packages' files that it reads. */
const module = inRoot('src-main', 'harness', 'commands', 'grammar-files.ts');
export const grammarFiles = {
  engine: 'node_modules/web-tree-sitter/web-tree-sitter.wasm',
  bash: 'node_modules/tree-sitter-bash/tree-sitter-bash.wasm',
};

/**
 * Puts the compiled grammar into the bundle, so that it is found in an archive, beside no archive and in any folder
 * alike. Compressed it is a seventh of its size; unpacking it takes about as long as reading it.
 * @type {import('esbuild').Plugin}
 */
export const embedGrammar = {
  name: 'embed-grammar',
  setup(build) {
    build.onLoad({ filter: /grammar-files\.ts$/ }, ({ path: file }) => {
      if (file !== module) return undefined;
      return { contents: embeddedModule(), loader: 'js' };
    });
  },
};

/** @type {string | undefined} both bundles hold the same */
let embedded;

/** @returns {string} a module with the same export as the one that it replaces */
function embeddedModule() {
  if (embedded !== undefined) return embedded;
  const [engine, bash] = [grammarFiles.engine, grammarFiles.bash].map((file) => packed(inRoot(file)));
  embedded = [
    "import { promisify } from 'node:util';",
    "import { brotliDecompress } from 'node:zlib';",
    'const unpack = promisify(brotliDecompress);',
    "const read = (text) => unpack(Buffer.from(text, 'base64'));",
    'export async function readGrammarFiles() {',
    `  const [engine, bash] = await Promise.all([read('${engine}'), read('${bash}')]);`,
    '  return { engine, bash };',
    '}',
  ].join('\n');
  return embedded;
}

/** @param {string} file */
function packed(file) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return brotliCompressSync(fs.readFileSync(file), { params }).toString('base64');
}
