import fs from 'node:fs';
import path from 'node:path';
import { buildBenchHarness } from './lib/bench-harness.mjs';
import { inRoot } from './lib/paths.mjs';
import { runScript, say, SetupError } from './lib/report.mjs';
import { run } from './lib/run.mjs';
import { digestOf, readStamp, writeStamp } from './lib/stamp.mjs';

const bench = inRoot('bench');
const stampFile = path.join(bench, 'node_modules', '.bench-stamp');

/** The other runtimes are no packages of the app: they come when the bench is first used, and when its list changes. */
async function install() {
  const stamp = digestOf(bench, ['package.json', 'package-lock.json']);
  if (readStamp(stampFile) === stamp) return;
  say('Installing the packages of bench/ (once)');
  // Under `npm run bench` this is the npm that runs; otherwise the one on the PATH.
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith('js') ? [process.execPath, [npm]] : ['npm', []];
  const code = await run(command, [...args, 'ci', '--loglevel=error'], { cwd: bench });
  if (code !== 0)
    throw new SetupError('The packages of bench/ could not be installed. Check the network, then try again.');
  writeStamp(stampFile, stamp);
}

/** usage: npm run bench [-- WHAT... --steps 50,200 --only ours,pi]; bench/README.md says what it measures */
await runScript(async () => {
  await install();
  await buildBenchHarness();
  fs.mkdirSync(path.join(bench, 'out'), { recursive: true });
  process.exitCode = await run(process.execPath, [path.join(bench, 'run.mjs'), ...process.argv.slice(2)]);
});
