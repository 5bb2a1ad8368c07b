import { checkHistory } from './check-history';
import { emptyHistory, type History } from './history';
import { liveRun, type Theatre } from './live-run';
import type { Plan } from './plan';
import { openStage } from './stage';

export interface ScenarioEnd {
  readonly name: string;
  readonly violations: readonly string[];
  /** Cores that were killed, by themselves or by somebody else. */
  readonly kills: number;
  readonly events: number;
  readonly effects: number;
  readonly history: History;
  /** How often each point was reached by the last core that was closed in order before the last start. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Plays the plan: each life of the core with its fault, then one without, in which everything that waits is answered.
 * Then checks what is left. `script` is the bundled core.
 */
export async function runScenario(script: string, plan: Plan): Promise<ScenarioEnd> {
  const stage = await openStage(plan);
  const history = emptyHistory();
  const theatre: Theatre = {
    script,
    stage,
    plan,
    history,
    parts: { sessions: plan.sessions.map(() => null), next: plan.sessions.map(() => 0) },
    counts: {},
  };
  try {
    for (const [run, fault] of plan.runs.entries()) await liveRun(theatre, run, fault, false);
    const { counts } = theatre;
    await liveRun(theatre, plan.runs.length, { type: 'none' }, true);
    const remains = await stage.remains();
    const violations = [...stage.outside.faults, ...checkHistory(plan, history, remains)];
    return {
      name: plan.name,
      violations: [...new Set(violations)],
      kills: history.runs.filter(({ end }) => end === 'killed').length,
      events: [...remains.sessions.values()].flat().length,
      effects: remains.effects.length,
      history,
      counts,
    };
  } finally {
    await stage.close();
  }
}
