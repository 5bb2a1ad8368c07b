import type { Plan } from './plan';
import { runScenario, type ScenarioEnd } from './run-scenario';

export interface Tally {
  scenarios: number;
  kills: number;
  events: number;
  effects: number;
  readonly failed: { readonly name: string; readonly violations: readonly string[] }[];
}

export function emptyTally(): Tally {
  return { scenarios: 0, kills: 0, events: 0, effects: 0, failed: [] };
}

function count(tally: Tally, end: ScenarioEnd): void {
  tally.scenarios += 1;
  tally.kills += end.kills;
  tally.events += end.events;
  tally.effects += end.effects;
  if (end.violations.length > 0) tally.failed.push({ name: end.name, violations: end.violations });
}

export interface RunAllOptions {
  readonly script: string;
  /** Scenarios at once. */
  readonly workers: number;
  /** No scenario begins after this many milliseconds. */
  readonly within_ms?: number;
  readonly onEnd?: (end: ScenarioEnd, tally: Tally) => void;
}

/** Plays plans as they come, several at once, and counts. What a scenario throws counts as a violation of it. */
export async function runAll(plans: Iterable<Plan>, options: RunAllOptions): Promise<Tally> {
  const tally = emptyTally();
  const deadline = performance.now() + (options.within_ms ?? Infinity);
  const rest = plans[Symbol.iterator]();
  const work = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const next = rest.next();
      if (next.done) return;
      try {
        const end = await runScenario(options.script, next.value);
        count(tally, end);
        options.onEnd?.(end, tally);
      } catch (error) {
        tally.scenarios += 1;
        const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
        tally.failed.push({ name: next.value.name, violations: [`the scenario broke: ${detail}`] });
      }
    }
  };
  await Promise.all(Array.from({ length: options.workers }, work));
  return tally;
}
