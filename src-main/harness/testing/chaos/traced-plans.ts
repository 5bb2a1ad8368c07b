import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedPlan } from './fixed-plan';
import type { Plan } from './plan';
import { runScenario, type ScenarioEnd } from './run-scenario';

/** How often the core of the fixed scenario makes each system call with which a database reaches the disk. */
export interface CallCounts {
  readonly pwrite64: number;
  readonly fdatasync: number;
  readonly fsync: number;
}

/** Counts in a run without a fault, so that every call can be made to fail afterwards. */
export async function countCalls(script: string): Promise<{ counts: CallCounts; end: ScenarioEnd }> {
  const log = join(tmpdir(), `chaos-calls-${process.pid}.txt`);
  const end = await runScenario(script, fixedPlan('counted', [{ type: 'traced', inject: '', log }]));
  const lines = readFileSync(log, 'utf8').split('\n');
  rmSync(log, { force: true });
  const times = (name: string): number => lines.filter((line) => line.startsWith(`${name}(`)).length;
  return {
    counts: { pwrite64: times('pwrite64'), fdatasync: times('fdatasync'), fsync: times('fsync') },
    end,
  };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const planOf = (inject: string): Plan =>
  fixedPlan(`fixed ${inject}`, [{ type: 'traced', inject, log: null }]);

/** The core is killed at its n-th write to the disk, and at its n-th sync (hazard 79). */
export function killsAtCalls(counts: CallCounts): Plan[] {
  return (['pwrite64', 'fdatasync', 'fsync'] as const).flatMap((call) =>
    upTo(counts[call]).map((nth) => planOf(`${call}:signal=SIGKILL:when=${nth}`)),
  );
}

/** From the n-th write on the disk is full. */
export function fullDisks(counts: CallCounts): Plan[] {
  return upTo(counts.pwrite64).map((nth) => planOf(`pwrite64:error=ENOSPC:when=${nth}+`));
}

/** The n-th sync fails once (hazard 82). */
export function failedSyncs(counts: CallCounts): Plan[] {
  return (['fdatasync', 'fsync'] as const).flatMap((call) =>
    upTo(counts[call]).map((nth) => planOf(`${call}:error=EIO:when=${nth}`)),
  );
}
