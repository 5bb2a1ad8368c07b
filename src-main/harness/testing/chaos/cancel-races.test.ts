import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRaceBench } from './cancel-races';

const before = process.env['TMPDIR'];
const interleavings = 10_000;

describe('stop, answers, results and retries in one tick', () => {
  beforeAll(() => {
    if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';
  });
  afterAll(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });

  it(
    'hazard 90: 10,000 interleavings end in one state each, and no tool begins after Stop',
    { timeout: 240_000 },
    async () => {
      const bench = createRaceBench();
      const broken: string[] = [];
      for (let seed = 1; seed <= interleavings; seed += 1) {
        for (const words of await bench.race(seed)) broken.push(`race ${seed}: ${words}`);
      }
      bench.close();
      expect(broken.slice(0, 20)).toEqual([]);
      const happened = [
        'stop',
        'attempt_failed',
        'turn_finished stopped',
        'turn_finished completed',
        'tool_finished completed',
        'tool_finished denied',
        'tool_finished cancelled',
        'tool_finished cancelled_may_have_run',
        'approval_resolved cancelled',
        'grant_made',
      ];
      for (const what of happened) expect(bench.seen.get(what) ?? 0, what).toBeGreaterThan(20);
    },
  );
});
