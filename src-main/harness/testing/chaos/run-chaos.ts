import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildCore } from './build-core';
import { createRaceBench } from './cancel-races';
import { crashSweep, secondCrashes } from './crash-sweep';
import { fixedPlan } from './fixed-plan';
import type { Plan } from './plan';
import { randomPlan } from './random-plan';
import { emptyTally, runAll, type Tally } from './run-all';
import { runScenario } from './run-scenario';
import { noTracer } from './tracer';
import { countCalls, failedSyncs, fullDisks, killsAtCalls } from './traced-plans';

const usage = `npm run chaos -- [--runs N] [--seed S] [--workers W]
  Plays N scenarios, with the seeds S, S+1, … (100 from 1 unless given), and checks what each leaves.
  A failing seed is played again with --runs 1 --seed S.

npm run test:long -- [--minutes M] [--seed S] [--workers W] [--races R]
  Kills at every point and every system call of the fixed scenario, then interleavings, then seeds until M minutes
  have passed (60 unless given).`;

interface Options {
  readonly long: boolean;
  readonly runs: number;
  readonly seed: number;
  readonly minutes: number;
  readonly workers: number;
  readonly races: number;
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new Error(`--${name} takes a whole number from 1, not "${text}".`);
}

function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      long: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      runs: { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '60' },
      workers: { type: 'string', default: '2' },
      races: { type: 'string', default: '50000' },
    },
  });
  if (values.help) return null;
  const { long, runs, seed, minutes, workers, races } = values;
  return {
    long,
    runs: wholeNumber('runs', runs),
    seed: wholeNumber('seed', seed),
    minutes: wholeNumber('minutes', minutes),
    workers: wholeNumber('workers', workers),
    races: wholeNumber('races', races),
  };
}

function* seeds(first: number, count: number): Generator<Plan> {
  for (let seed = first; seed < first + count; seed += 1) yield randomPlan(seed);
}

const progressEvery = 100;

/** Plays the plans of one part, says what it came to, and adds it to the whole. */
async function playPart(
  name: string,
  plans: Iterable<Plan>,
  how: {
    readonly script: string;
    readonly workers: number;
    readonly within_ms: number;
    readonly whole: Tally;
  },
): Promise<void> {
  const { whole } = how;
  const began = performance.now();
  const tally = await runAll(plans, {
    ...how,
    onEnd({ name: scenario, violations }, soFar) {
      for (const words of violations) console.log(`  ${scenario}: ${words}`);
      if (soFar.scenarios % progressEvery === 0)
        console.log(`  ${name}: ${soFar.scenarios} scenarios so far`);
    },
  });
  for (const part of ['scenarios', 'kills', 'events', 'effects'] as const) whole[part] += tally[part];
  whole.failed.push(...tally.failed);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `${name}: ${tally.scenarios} scenarios, ${tally.kills} kills, ${tally.failed.length} violated, ${seconds} s`,
  );
}

async function playRaces(first: number, count: number, deadline: number, whole: Tally): Promise<void> {
  if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';
  const bench = createRaceBench();
  let done = 0;
  let broken = 0;
  for (let seed = first; seed < first + count && performance.now() < deadline; seed += 1) {
    const violations = await bench.race(seed);
    done += 1;
    if (violations.length === 0) continue;
    broken += 1;
    whole.failed.push({ name: `race ${seed}`, violations });
    console.log(`  race ${seed}: ${violations.join('; ')}`);
  }
  bench.close();
  console.log(`races of stop, answer, result and retry: ${done} interleavings, ${broken} violated`);
}

async function playLong(script: string, options: Options, whole: Tally): Promise<void> {
  const deadline = performance.now() + options.minutes * 60_000;
  const how = () => ({ script, workers: options.workers, within_ms: deadline - performance.now(), whole });
  const clean = await runScenario(script, fixedPlan('fixed, no fault', [{ type: 'none' }]));
  await playPart('killed at every named point', crashSweep(clean), how());
  await playPart('killed again in the recovery', secondCrashes(clean), how());
  const missing = noTracer();
  if (missing === null) {
    const { counts } = await countCalls(script);
    await playPart('killed at every system call', killsAtCalls(counts), how());
    await playPart('disk full from every write on', fullDisks(counts), how());
    await playPart('every sync fails once', failedSyncs(counts), how());
  } else console.log(`system calls were left alone: ${missing}`);
  await playRaces(options.seed, options.races, deadline, whole);
  await playPart('seeds', seeds(options.seed, Number.MAX_SAFE_INTEGER - options.seed), how());
}

/** The command: plays what the arguments say, prints one line of sums, and answers the exit code. */
export async function runChaos(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === null) {
    console.log(usage);
    return 0;
  }
  const whole = emptyTally();
  const script = await buildCore(options.long ? 'core-long' : 'core');
  if (options.long) await playLong(script, options, whole);
  else {
    const { runs, seed, workers } = options;
    await playPart(`seeds ${seed} to ${seed + runs - 1}`, seeds(seed, runs), {
      script,
      workers,
      within_ms: Infinity,
      whole,
    });
  }
  const { scenarios, kills, events, effects, failed } = whole;
  console.log(
    `scenarios ${scenarios}, kills ${kills}, events ${events}, effects ${effects}, violations ${failed.length}`,
  );
  for (const { name, violations } of failed) {
    console.log(`\n${name}`);
    for (const words of violations) console.log(`  ${words}`);
    const seed = /^seed (\d+)$/.exec(name)?.[1];
    if (seed !== undefined) console.log(`  again: npm run chaos -- --runs 1 --seed ${seed}`);
  }
  return failed.length === 0 ? 0 : 1;
}
