import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { embedGrammar } from './embed-grammar.mjs';
import { inRoot } from './paths.mjs';

// Outside the repository: nothing that is installed can be found from there.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'embed-grammar-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const program = `
import { openCommandReader } from './src-main/harness/commands';
openCommandReader().then((reader) => {
  const reading = reader.read("git log 'a b' | cat");
  console.log(JSON.stringify({ problem: reader.problem, words: reading.segments?.map((each) => each.words) }));
});
`;

test.each([
  { format: 'cjs', file: 'main.cjs' },
  { format: 'esm', file: 'openworker.mjs' },
])('the $format bundle reads command lines with nothing but itself', async ({ format, file }) => {
  const outfile = path.join(folder, file);
  await build({
    stdin: { contents: program, resolveDir: inRoot(), loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: format === 'cjs' ? 'cjs' : 'esm',
    target: 'node20',
    mainFields: ['module', 'main'],
    plugins: [embedGrammar],
    ...(format === 'cjs' ? { define: { 'import.meta.url': 'here' } } : {}),
    banner: {
      js:
        format === 'cjs'
          ? "const here = require('node:url').pathToFileURL(__filename).href;"
          : "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const said = execFileSync(process.execPath, [outfile], { cwd: folder, encoding: 'utf8', timeout: 15_000 });
  expect(JSON.parse(said)).toEqual({ problem: null, words: [['git', 'log', 'a b'], ['cat']] });
});
