import type {
  Decision,
  Plan,
  PlannedAct,
  PlannedCall,
  PlannedSession,
  PlannedStep,
  PlannedTool,
  PlannedTurn,
  RunFault,
  Way,
} from './plan';
import { createRandom, type Random } from './random';

const tools: readonly PlannedTool[] = ['notes.read', 'notes.write', 'ledger.add', 'ledger.add'];

function randomCall(random: Random, key: string): PlannedCall {
  const tool = random.pick(tools);
  const ends =
    tool !== 'ledger.add' || random.chance(0.7) ? 'well' : random.pick(['error', 'death', 'image'] as const);
  return { key, tool, ends, delay_ms: random.chance(0.3) ? random.int(5, 40) : 0 };
}

function randomStep(random: Random, name: string, faults: boolean): PlannedStep {
  const words = random.int(0, 4);
  const calls = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, (_, index) =>
    randomCall(random.fork(`call-${index}`), `${name}-${index}`),
  );
  const text = Array.from({ length: words }, (_, index) => `word ${index} of ${name}. `);
  const fault = faults ? random.pick(['none', 'none', 'none', 'none', 'overloaded', 'cut'] as const) : 'none';
  return { text, calls, fault, delay_ms: random.int(0, 2) };
}

/** Every other message is just sent. */
function randomWay(random: Random): Way {
  const draw = random.next();
  if (draw < 0.55) return { type: 'submit' };
  if (draw < 0.7) return { type: 'edit', of: random.next() };
  return {
    type: 'queue',
    delivery: random.pick(['next_turn', 'this_turn'] as const),
    at: random.int(1, 10),
    take_back: random.chance(0.2),
  };
}

function randomAct(random: Random): PlannedAct | null {
  if (!random.chance(0.35)) return null;
  return { type: random.pick(['regenerate', 'retry', 'select'] as const), of: random.next() };
}

/** An answer that takes longer than the interval at which streaming text is kept. */
const slow = { text: ['This ', 'takes ', 'its ', 'time.'], delay_ms: 560 } as const;

function randomTurn(random: Random, marker: string, modelFaults: boolean): PlannedTurn {
  const steps = Array.from({ length: random.int(0, 3) }, (_, index) =>
    randomStep(random.fork(`step-${index}`), `${marker}-${index}`, modelFaults),
  );
  const end: PlannedStep = {
    text: ['It ', 'is ', `done (${marker}).`],
    calls: [],
    fault: 'none',
    delay_ms: 1,
  };
  const acts = random.fork('acts');
  const before = randomAct(acts);
  const [first = end, ...rest] = [...steps, end];
  const fault = acts.chance(0.04) ? 'overflow' : first.fault;
  return {
    marker,
    steps: [{ ...first, fault, ...(acts.chance(0.02) ? slow : {}) }, ...rest],
    stop_at: random.chance(0.15) ? random.int(2, 14) : null,
    way: randomWay(acts),
    ...(before ? { before } : {}),
  };
}

/** Some sessions have a limit, and each person a word for calls of unknown outcome. */
function randomHabits(random: Random): Omit<PlannedSession, 'turns'> {
  const limits = random.pick([null, null, null, { turns: random.int(1, 2) }, { tokens: random.int(20, 60) }]);
  return {
    ...(limits ? { limits } : {}),
    pause: { go_on: random.chance(0.8), leave: random.chance(0.25) },
    settlement: random.pick(['happened', 'did_not_happen', 'run_again', 'run_again'] as const),
  };
}

function randomDecision(random: Random): Decision {
  return {
    answer: random.pick(['once', 'once', 'session', 'deny'] as const),
    when: random.chance(0.75) ? 'at_once' : 'quiet',
    leave: random.chance(0.12),
    twice: random.chance(0.1),
  };
}

const crashPoints = [
  ...Array.from({ length: 4 }, () => ['write:before@0', 18] as const),
  ...Array.from({ length: 5 }, () => ['write:after@0', 18] as const),
  ...Array.from({ length: 3 }, () => ['write:acknowledged@0', 18] as const),
  ['tool:before', 2] as const,
  ['tool:after', 2] as const,
  ['delta', 8] as const,
  ['waiting', 3] as const,
];

function randomCrash(random: Random): RunFault {
  if (random.chance(0.25)) {
    const when = random.pick(['before', 'after'] as const);
    return { type: 'server', at: `core:${when}#${random.int(1, 2)}` };
  }
  const [point, most] = random.pick(crashPoints);
  return { type: 'crash', at: `${point}#${random.int(1, most)}` };
}

function randomFault(random: Random): RunFault {
  const draw = random.next();
  if (draw < 0.6) return randomCrash(random);
  if (draw < 0.68) {
    return { type: 'server', at: `server:${random.pick(['before', 'after'] as const)}#${random.int(1, 4)}` };
  }
  if (draw < 0.74) return { type: 'disk_full', max_bytes: random.int(18, 50) * 4_096 };
  if (draw < 0.82) {
    const from = random.int(2, 18);
    return { type: 'refused', session: 0, from, to: from + random.pick([0, 0, 1, 3, 1_000]) };
  }
  if (draw < 0.86) return { type: 'pause', after: random.int(1, 30), ms: random.int(50, 400) };
  const hour = 3_600_000;
  const jump_ms = random.pick([-24 * hour, hour, 10 * 365 * 24 * hour]);
  if (draw < 0.9) return { type: 'clock', after: random.int(1, 30), jump_ms };
  if (draw < 0.93) return { type: 'second_core', after: random.int(1, 20) };
  return { type: 'none' };
}

/** Lives of the core: most have one fault; some crash again while the first crash is being mended. */
function randomRuns(random: Random): RunFault[] {
  const first = randomFault(random);
  if (first.type !== 'crash' || !random.chance(0.3)) return [first];
  return [
    first,
    { type: 'crash', at: `${random.pick(['write:before', 'write:after'])}#${random.int(1, 6)}` },
  ];
}

/** A scenario that follows from its seed alone: sessions, messages, answers of the model, clicks, and one fault. */
export function randomPlan(seed: number): Plan {
  const random = createRandom(`chaos-${seed}`);
  const runs = randomRuns(random.fork('runs'));
  const modelFaults = runs[0]?.type === 'none' || random.chance(0.08);
  const sessions = Array.from({ length: random.pick([1, 1, 2, 3]) }, (_, session) => ({
    ...randomHabits(random.fork(`habits-${session}`)),
    turns: Array.from({ length: random.int(1, 3) }, (_unused, turn) =>
      randomTurn(random.fork(`turn-${session}-${turn}`), `s${session}t${turn}`, modelFaults),
    ),
  }));
  const decisions = new Map<string, Decision>();
  for (const { turns } of sessions) {
    for (const { key } of turns.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls))) {
      decisions.set(key, randomDecision(random.fork(`decision-${key}`)));
    }
  }
  return { name: `seed ${seed}`, sessions, decisions, runs };
}
