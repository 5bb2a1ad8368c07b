import { existsSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import type { RaceBench } from './interleaving';

/** What the races of a test file write lies in memory, where the system has a folder for that. */
export function writeIntoMemory(): void {
  const before = process.env['TMPDIR'];
  beforeAll(() => {
    if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';
  });
  afterAll(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });
}

/** Plays the seeds from 1 on; answers what is broken, each with its seed. */
export async function brokenRaces(bench: RaceBench, interleavings: number): Promise<string[]> {
  const broken: string[] = [];
  for (let seed = 1; seed <= interleavings; seed += 1) {
    for (const words of await bench.race(seed)) broken.push(`race ${seed}: ${words}`);
  }
  bench.close();
  return broken;
}
