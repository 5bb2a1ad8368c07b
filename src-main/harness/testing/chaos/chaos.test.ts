import { beforeAll, describe, expect, it } from 'vitest';
import { buildCore } from './build-core';
import { crashSweep, sample, secondCrashes } from './crash-sweep';
import { fixedPlan } from './fixed-plan';
import { randomPlan } from './random-plan';
import { runAll, type Tally } from './run-all';
import { runScenario, type ScenarioEnd } from './run-scenario';
import { noTracer } from './tracer';
import { countCalls, failedSyncs, fullDisks, killsAtCalls } from './traced-plans';

// A short choice of what `npm run test:long` plays whole.
const workers = 3;
/** For a machine that is busy with other things; on two free cores all of it takes about a minute. */
const longest = 240_000;
const missing = noTracer();
let script = '';
let clean: ScenarioEnd;

function violationsOf({ failed }: Tally): string[] {
  return failed.flatMap(({ name, violations }) => violations.map((words) => `${name}: ${words}`));
}

beforeAll(async () => {
  script = await buildCore('core-test');
  clean = await runScenario(script, fixedPlan('fixed, no fault', [{ type: 'none' }]));
}, 120_000);

describe('a core that dies', () => {
  it('finds nothing wrong in the fixed scenario without a fault, which has every kind of point', () => {
    expect(clean.violations).toEqual([]);
    expect(clean.kills).toBe(0);
    expect(clean.effects).toBe(7);
    const reached = ['write:before', 'write:after', 'write:acknowledged', 'delta', 'tool:before', 'waiting'];
    for (const point of reached) expect(clean.counts[point], point).toBeGreaterThan(3);
  });

  it(
    'hazards 27, 79, 87: loses no acknowledged event, repeats no effect and tells the truth, killed at named points and writes',
    { timeout: longest },
    async () => {
      const tally = await runAll(sample(crashSweep(clean), 12), { script, workers });
      expect(violationsOf(tally)).toEqual([]);
      expect(tally.kills).toBeGreaterThan(7);
    },
  );

  it('hazard 87: is mended also when the mending is killed', { timeout: longest }, async () => {
    const tally = await runAll(sample(secondCrashes(clean), 2), { script, workers });
    expect(violationsOf(tally)).toEqual([]);
    expect(tally.kills).toBeGreaterThanOrEqual(2);
  });

  it('holds in scenarios of seeds, each with one fault', { timeout: longest }, async () => {
    const tally = await runAll(
      Array.from({ length: 8 }, (_, index) => randomPlan(index + 1)),
      { script, workers },
    );
    expect(violationsOf(tally)).toEqual([]);
    expect(tally.effects).toBeGreaterThan(8);
  });
});

describe.skipIf(missing !== null)(
  `system calls that fail${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    it(
      'hazards 79, 82: holds when the core is killed at a write, the disk fills up, or a sync fails',
      { timeout: longest },
      async () => {
        const { counts, end } = await countCalls(script);
        expect(end.violations).toEqual([]);
        expect(counts.pwrite64).toBeGreaterThan(50);
        const plans = [
          ...sample(killsAtCalls(counts), 3),
          ...sample(fullDisks(counts), 2),
          ...sample(failedSyncs(counts), 2),
        ];
        const tally = await runAll(plans, { script, workers });
        expect(violationsOf(tally)).toEqual([]);
        expect(tally.kills).toBeGreaterThanOrEqual(3);
      },
    );
  },
);
