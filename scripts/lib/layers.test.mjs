import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import { afterAll, expect, test } from 'vitest';
import { inRoot } from './paths.mjs';

const { options, ...ruleSet } = createRequire(import.meta.url)(inRoot('.dependency-cruiser.cjs'));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'layers-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Modules that the cases import; each case is one more file with one import. */
const modules = [
  'src-main/harness/protocol/event.ts',
  'src-main/harness/session/session.ts',
  'src-main/harness/testing/clock.ts',
  'src-main/harness/index.ts',
  'src-preload/contract/contract.ts',
  'src-renderer/features/history/list.ts',
];

/** @param {string} from @param {string} to @returns {Promise<string[]>} the names of the broken rules */
async function violations(from, to) {
  fs.rmSync(folder, { recursive: true, force: true });
  for (const file of modules) write(file, 'export const value = 1;\n');
  const relative = path.posix.relative(path.posix.dirname(from), to.replace(/\.ts$/, ''));
  const specifier = to.startsWith('src-') ? relative : to;
  write(from, `import { value } from '${specifier}';\nexport const used = value;\n`);
  const roots = ['src-main', 'src-preload', 'src-renderer'];
  const result = await cruise(roots, {
    ...options,
    tsConfig: undefined,
    ruleSet,
    validate: true,
    baseDir: folder,
  });
  const { output } = result;
  if (typeof output === 'string') throw new Error(output);
  return output.summary.violations.map((violation) => violation.rule.name);
}

/** @param {string} file @param {string} text */
function write(file, text) {
  const full = path.join(folder, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
}

test.each([
  ['src-main/harness/session/other.ts', 'src-main/harness/protocol/event.ts'],
  ['src-main/harness/tools/tool.test.ts', 'src-main/harness/testing/clock.ts'],
  ['src-main/ipc/forward.ts', 'src-main/harness/index.ts'],
  ['src-renderer/features/activity/row.ts', 'src-preload/contract/contract.ts'],
  ['src-main/app/window.ts', 'node:fs'],
])('%s may import %s', async (from, to) => {
  expect(await violations(from, to)).toEqual([]);
});

test.each([
  ['upwards', 'src-main/harness/tools/tool.ts', 'src-main/harness/session/session.ts'],
  ['the test support outside tests', 'src-main/harness/tools/tool.ts', 'src-main/harness/testing/clock.ts'],
  ['past the door of the harness', 'src-main/ipc/forward.ts', 'src-main/harness/session/session.ts'],
  ['another feature', 'src-renderer/features/activity/row.ts', 'src-renderer/features/history/list.ts'],
  ['main from the renderer', 'src-renderer/ui/badge.ts', 'src-main/harness/protocol/event.ts'],
  ['Node in the protocol', 'src-main/harness/protocol/ids.ts', 'node:fs'],
])('refuses to import %s: %s', async (_what, from, to) => {
  expect(await violations(from, to)).toEqual(['not-in-allowed']);
});

test('refuses a folder without a row', async () => {
  expect(await violations('src-main/helpers/text.ts', 'src-main/harness/index.ts')).toContain(
    'folder-without-a-row',
  );
});
