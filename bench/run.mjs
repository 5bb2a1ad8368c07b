/** Measures and prints one table; see README.md. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startModel } from './lib/model-link.mjs';
import { openPlace } from './lib/place.mjs';
import { describeProfile } from './lib/profile.mjs';
import { tables } from './lib/table.mjs';
import { runMemory } from './workloads/memory.mjs';
import { runOpening } from './workloads/opening.mjs';
import { runParallel, runSequential } from './workloads/steps.mjs';

const usage = `usage: npm run bench -- [WHAT...] [options]
  WHAT                 w1, w2, open, memory (all four unless named), report (prints the last results again)
  --steps 50,200,1000  numbers of steps of w1
  --rounds 4           batches of w2
  --parallel 32        calls in a batch of w2
  --events 10000,100000  sizes of the sessions of open
  --repeats 3          how often each is measured
  --only a,b           these contenders, and the floor
  --skip a,b           not these
  --timeout 200        seconds for one run
  --profile            writes CPU profiles of the contenders and says where their time went (w1 and w2)`;

const everything = ['w1', 'w2', 'open', 'memory'];

function readOptions() {
  const text = (fallback) => ({ type: 'string', default: fallback });
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      steps: text('50,200,1000'),
      rounds: text('4'),
      parallel: text('32'),
      events: text('10000,100000'),
      repeats: text('3'),
      only: text(''),
      skip: text(''),
      timeout: text('200'),
      profile: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.find((name) => ![...everything, 'report'].includes(name));
  if (unknown) throw new Error(`There is no workload "${unknown}".\n${usage}`);
  const names = (list) => list.split(',').filter((name) => name !== '');
  const numbers = (list) => names(list).map(Number);
  return {
    help: values.help,
    what: positionals.length === 0 ? everything : positionals,
    only: names(values.only),
    skip: names(values.skip),
    steps: numbers(values.steps),
    events: numbers(values.events),
    rounds: Number(values.rounds),
    parallel: Number(values.parallel),
    repeats: Number(values.repeats),
    timeout_ms: Number(values.timeout) * 1000,
    profile: values.profile,
  };
}

/** Name and module of each contender, the floors first. */
function findContenders({ only, skip }) {
  const folder = path.join(import.meta.dirname, 'contenders');
  const all = fs.readdirSync(folder).map((file) => path.basename(file, '.mjs'));
  const missing = [...only, ...skip].find((name) => !all.includes(name));
  if (missing) throw new Error(`There is no contender "${missing}". There are: ${all.join(', ')}.`);
  const rank = (name) => (name.startsWith('floor') ? 0 : name.startsWith('ours') ? 1 : 2);
  const chosen = all
    .filter(
      (name) => name === 'floor' || ((only.length === 0 || only.includes(name)) && !skip.includes(name)),
    )
    .sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1));
  return new Map(chosen.map((name) => [name, pathToFileURL(path.join(folder, `${name}.mjs`)).href]));
}

function serverCommand() {
  const manifest = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/package.json',
  );
  return { command: process.execPath, args: [path.join(path.dirname(manifest), 'dist/index.js'), 'stdio'] };
}

function readResults(file) {
  if (!fs.existsSync(file)) throw new Error('There are no results yet. Measure first: npm run bench');
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

async function measureAll(options, place, model) {
  const keep = (result) => fs.appendFileSync(place.results, `${JSON.stringify(result)}\n`);
  const settings = {
    ...options,
    place,
    model,
    keep,
    server: serverCommand(),
    contenders: findContenders(options),
    /** Those that did not end in time are not run again at that size or a larger one. */
    gaveUp: new Set(),
    say: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
  };
  fs.writeFileSync(place.results, '');
  const { what } = options;
  if (what.includes('w1')) await runSequential(settings);
  settings.gaveUp.clear();
  if (what.includes('w2')) await runParallel(settings);
  if (what.includes('open')) (await runOpening(settings)).forEach(keep);
  if (what.includes('memory')) (await runMemory(settings)).forEach(keep);
}

function printProfiles(place, since) {
  for (const name of fs.readdirSync(place.profiles).sort()) {
    const file = path.join(place.profiles, name);
    if (fs.statSync(file).mtimeMs >= since) console.log(`\n${describeProfile(file)}`);
  }
}

async function main() {
  const options = readOptions();
  if (options.help) {
    console.log(usage);
    return;
  }
  const place = openPlace();
  const began = Date.now();
  try {
    if (!options.what.includes('report')) {
      const model = await startModel();
      await measureAll(options, place, model).finally(model.close);
    }
    console.log(`\n${tables(readResults(place.results))}`);
    if (options.profile) printProfiles(place, began);
  } finally {
    place.close();
  }
}

await main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
