import { describe, expect, it } from 'vitest';
import { createApprovalRaceBench } from './approval-races';
import { brokenRaces, writeIntoMemory } from './race-runs';

const interleavings = 10_000;

describe('answers, edits, stops, results, restarts and changed definitions', () => {
  writeIntoMemory();

  it(
    'hazards 3, 9, field report 25: 10,000 interleavings end in one state each, and what ran is what was approved',
    { timeout: 240_000 },
    async () => {
      const bench = createApprovalRaceBench();
      const broken = await brokenRaces(bench, interleavings);
      expect(broken.slice(0, 20)).toEqual([]);
      const happened = [
        'restart',
        'changed definition',
        'edited',
        'grant_made',
        'grant_ended',
        'turn_finished stopped',
        'turn_finished interrupted',
        'turn_finished completed',
        'tool_finished completed',
        'tool_finished denied',
        'tool_finished cancelled',
        'approval_resolved cancelled',
      ];
      for (const what of happened) expect(bench.seen.get(what) ?? 0, what).toBeGreaterThan(20);
    },
  );
});
