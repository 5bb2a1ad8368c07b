import { fixedPlan } from './fixed-plan';
import type { Plan, RunFault } from './plan';
import type { ScenarioEnd } from './run-scenario';

/** One plan for each point of the fixed scenario at which the core can die, counted in a run without a fault. */
export function crashSweep(clean: ScenarioEnd): Plan[] {
  const counted = Object.entries(clean.counts).filter(([point]) => !point.includes('@'));
  const points = counted.flatMap(([point, times]) =>
    Array.from({ length: times }, (_, index) => `${point}#${index + 1}`),
  );
  const faults: RunFault[] = points.map((at) => ({ type: 'crash', at }));
  const ledgerLines = 3;
  for (const when of ['before', 'after']) {
    for (let line = 1; line <= ledgerLines; line += 1) {
      for (const who of ['core', 'server']) faults.push({ type: 'server', at: `${who}:${when}#${line}` });
    }
  }
  return faults.map((fault) => fixedPlan(`fixed ${'at' in fault ? fault.at : fault.type}`, [fault]));
}

/** Crashes once more, in what the next start writes to mend the first crash. */
export function secondCrashes(clean: ScenarioEnd): Plan[] {
  const writes = clean.counts['write:after'] ?? 0;
  return Array.from({ length: writes }, (_, index) => index + 1).flatMap((first) =>
    ['write:before#1', 'write:after#1', 'write:after#3'].map((second) =>
      fixedPlan(`fixed write:after#${first}, then ${second}`, [
        { type: 'crash', at: `write:after#${first}` },
        { type: 'crash', at: second },
      ]),
    ),
  );
}

/** Every n-th of the plans, so that a short run looks at all regions. */
export function sample<T>(from: readonly T[], count: number, offset = 0): T[] {
  if (from.length <= count) return [...from];
  return Array.from({ length: count }, (_, index) => {
    const place = Math.floor(((index + 0.5) * from.length) / count) + offset;
    return from[place % from.length] as T;
  });
}
