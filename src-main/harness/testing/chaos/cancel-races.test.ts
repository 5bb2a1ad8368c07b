import { describe, expect, it } from 'vitest';
import { createRaceBench } from './cancel-races';
import { brokenRaces, writeIntoMemory } from './race-runs';

const interleavings = 10_000;

describe('stop, answers, results and retries in one tick', () => {
  writeIntoMemory();

  it(
    'hazard 90: 10,000 interleavings end in one state each, and no tool begins after Stop',
    { timeout: 240_000 },
    async () => {
      const bench = createRaceBench();
      const broken = await brokenRaces(bench, interleavings);
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
