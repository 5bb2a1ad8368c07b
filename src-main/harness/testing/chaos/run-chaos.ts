import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildCore } from './build-core';
import { createApprovalRaceBench } from './approval-races';
import { createRaceBench } from './cancel-races';
import { crashSweep, secondCrashes } from './crash-sweep';
import { fixedPlan } from './fixed-plan';
import type { RaceBench } from './interleaving';
import type { Plan } from './plan';
import { randomPlan } from './random-plan';
import { emptyTally, runAll, type Tally } from './run-all';
import { runScenario } from './run-scenario';
import { noTracer } from './tracer';
import { countCalls, failedSyncs, fullDisks, killsAtCalls } from './traced-plans';

const usage = `npm run chaos -- [--runs N] [--seed S] [--workers W]
  Plays N scenarios, with the seeds S, S+1, … (100 from 1 unless given), and checks what each leaves.
  A failing seed is played again with --runs 1 --seed S.

npm run test:long -- [--minutes M] [--seed S] [--workers W] [--races R] [--only PART,…]
  Kills at every point and every system call of the fixed scenario, then interleavings, then seeds until M minutes
  have passed (60 unless given). Parts: points, recovery, calls, full, syncs, races, seeds.`;

const longParts = ['points', 'recovery', 'calls', 'full', 'syncs', 'races', 'seeds'] as const;
type LongPart = (typeof longParts)[number];

interface Options {
  readonly long: boolean;
  readonly runs: number;
  readonly seed: number;
  readonly minutes: number;
  readonly workers: number;
  readonly races: number;
  /** Parts of the long run. */
  readonly only: readonly LongPart[];
}

function partsOf(text: string | undefined): readonly LongPart[] {
  if (text === undefined) return longParts;
  return text.split(',').map((name) => {
    const part = longParts.find((known) => known === name.trim());
    if (part) return part;
    throw new Error(`--only takes parts of ${longParts.join(', ')}, not "${name}".`);
  });
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
      only: { type: 'string' },
    },
  });
  if (values.help) return null;
  const { long, runs, seed, minutes, workers, races, only } = values;
  return {
    long,
    runs: wholeNumber('runs', runs),
    seed: wholeNumber('seed', seed),
    minutes: wholeNumber('minutes', minutes),
    workers: wholeNumber('workers', workers),
    races: wholeNumber('races', races),
    only: partsOf(only),
  };
}

function* seeds(first: number, count: number): Generator<Plan> {
  for (let seed = first; seed < first + count; seed += 1) yield randomPlan(seed);
}

const progressEvery = 100;

interface PartHow {
  readonly script: string;
  readonly workers: number;
  readonly within_ms: number;
  readonly whole: Tally;
}

/** Plays the plans of one part, says what it came to, and adds it to the whole. */
async function playPart(name: string, plans: Iterable<Plan>, how: PartHow): Promise<void> {
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

async function playRaces(
  name: string,
  bench: RaceBench,
  { seed: first, races: count }: Options,
  deadline: number,
  whole: Tally,
): Promise<void> {
  let done = 0;
  let broken = 0;
  for (let seed = first; seed < first + count && performance.now() < deadline; seed += 1) {
    const violations = await bench.race(seed);
    done += 1;
    if (violations.length === 0) continue;
    broken += 1;
    whole.failed.push({ name: `${name} ${seed}`, violations });
    console.log(`  ${name} ${seed}: ${violations.join('; ')}`);
  }
  bench.close();
  console.log(`${name}: ${done} interleavings, ${broken} violated`);
}

/** Faults at system calls: kills, a disk that is full from then on, a sync that fails. */
async function playCalls(script: string, only: readonly LongPart[], how: () => PartHow): Promise<void> {
  if (!(['calls', 'full', 'syncs'] as const).some((part) => only.includes(part))) return;
  const missing = noTracer();
  if (missing !== null) {
    console.log(`system calls were left alone: ${missing}`);
    return;
  }
  const { counts } = await countCalls(script);
  if (only.includes('calls')) await playPart('killed at every system call', killsAtCalls(counts), how());
  if (only.includes('full')) await playPart('disk full from every write on', fullDisks(counts), how());
  if (only.includes('syncs')) await playPart('every sync fails once', failedSyncs(counts), how());
}

async function playLong(script: string, options: Options, whole: Tally): Promise<void> {
  const { only, workers, minutes, seed } = options;
  const deadline = performance.now() + minutes * 60_000;
  const how = (): PartHow => ({ script, workers, within_ms: deadline - performance.now(), whole });
  if (only.includes('points') || only.includes('recovery')) {
    const clean = await runScenario(script, fixedPlan('fixed, no fault', [{ type: 'none' }]));
    if (only.includes('points')) await playPart('killed at every named point', crashSweep(clean), how());
    if (only.includes('recovery'))
      await playPart('killed again in the recovery', secondCrashes(clean), how());
  }
  await playCalls(script, only, how);
  if (only.includes('races')) {
    if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';
    await playRaces('races of stop, answer, result and retry', createRaceBench(), options, deadline, whole);
    const approvals = createApprovalRaceBench();
    await playRaces('races of answers, edits, restarts and definitions', approvals, options, deadline, whole);
  }
  if (only.includes('seeds')) await playPart('seeds', seeds(seed, Number.MAX_SAFE_INTEGER - seed), how());
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
