import { setTimeout as pause } from 'node:timers/promises';
import { startCore, type CoreClient } from './core-client';
import type { CoreLine } from './crash-points';
import type { CoreRun, History } from './history';
import { createPerson, type Parts, type Person } from './person';
import { sessionOf, type Plan, type RunFault } from './plan';
import type { Stage } from './stage';
import { traced } from './tracer';

/** Silence after which the person goes on, in milliseconds. */
const quietMs = 25;
/** Silence in which a core that should go on is stuck. */
const stuckMs = 20_000;
/** What a core that was just opened gets to do something by itself. */
const idleMs = 40;

export interface Theatre {
  readonly script: string;
  readonly stage: Stage;
  readonly plan: Plan;
  readonly history: History;
  readonly parts: Parts;
  /** How often each point was reached, of the last core that closed in order. */
  counts: Readonly<Record<string, number>>;
}

function envOf(fault: RunFault): Record<string, string> {
  switch (fault.type) {
    case 'crash':
      return { CRASH_AT: fault.at };
    case 'disk_full':
      return { JOURNAL_FAULTS: JSON.stringify({ max_bytes: fault.max_bytes }) };
    case 'refused': {
      const { session, from, to } = fault;
      return { JOURNAL_FAULTS: JSON.stringify({ refuse: { session, from, to } }) };
    }
    default:
      return {};
  }
}

async function startSecond({ script, stage, history }: Theatre, run: number): Promise<void> {
  const lines: CoreLine[] = [];
  const core = startCore({
    script,
    options: stage.options,
    env: {},
    tracer: [],
    onLine: (line) => lines.push(line),
  });
  const opened = await Promise.race([core.ended.then(() => false), pause(10_000).then(() => true)]);
  if (opened) core.signal('SIGKILL');
  const refusal = lines.find((line) => line.type === 'not_opened');
  if (refusal?.type === 'not_opened' && refusal.code === 'data_folder_in_use') return;
  history.seen.push(`run ${run}: a second core was not refused (${JSON.stringify(lines.at(-1) ?? null)})`);
}

/** Does to the core from outside what its fault says, when its time has come. */
function createNemesis(theatre: Theatre, run: number, fault: RunFault, core: CoreClient) {
  let acks = 0;
  let pending: Promise<void> = Promise.resolve();
  return {
    onAck(): void {
      acks += 1;
      if (!('after' in fault) || acks !== fault.after) return;
      if (fault.type === 'clock') void core.ask({ op: 'clock', jump_ms: fault.jump_ms });
      if (fault.type === 'second_core') pending = startSecond(theatre, run);
      if (fault.type !== 'pause') return;
      core.signal('SIGSTOP');
      pending = pause(fault.ms).then(() => core.signal('SIGCONT'));
    },
    done: () => pending,
  };
}

interface Life {
  readonly core: CoreClient;
  readonly record: CoreRun;
  readonly ready: Promise<boolean>;
  lastLine: number;
  /** Why the core did not open the folder. */
  refusal: string;
  over: boolean;
}

function beginLife(theatre: Theatre, run: number, fault: RunFault, onLine: (line: CoreLine) => void): Life {
  const { script, stage, history } = theatre;
  stage.setServerFault(fault.type === 'server' ? fault.at : '');
  const record: CoreRun = { fault, pid: 0, end: 'running' };
  history.runs.push(record);
  let settle: (ready: boolean) => void = () => undefined;
  const ready = new Promise<boolean>((resolve) => (settle = resolve));
  const core = startCore({
    script,
    options: stage.options,
    env: envOf(fault),
    tracer: fault.type === 'traced' ? traced(fault.inject, fault.log ?? '/dev/null') : [],
    onLine(line) {
      life.lastLine = performance.now();
      if (line.type === 'ready') {
        record.pid = line.pid;
        settle(true);
      }
      if (line.type === 'not_opened') {
        record.end = 'refused';
        life.refusal = line.message;
      }
      if (line.type === 'ack') for (const event of line.events) history.acks.push({ run, event });
      if (line.type === 'not_recorded') history.refused.push({ run, code: line.code, types: line.types });
      if (line.type === 'counts') theatre.counts = line.counts;
      onLine(line);
    },
  });
  const life: Life = { core, record, ready, lastLine: performance.now(), refusal: '', over: false };
  void core.ended.then(({ code, signal }) => {
    life.over = true;
    settle(false);
    if (record.end !== 'running') return;
    if (code === 0) record.end = 'closed';
    else record.end = signal === 'SIGKILL' || code === 137 ? 'killed' : 'broken';
    if (record.end === 'broken')
      history.seen.push(`run ${run}: the core broke (${code ?? signal}): ${core.errors()}`);
  });
  return life;
}

/** Nothing may run by itself before a person acts. */
async function checkIdle({ stage, history }: Theatre, run: number, life: Life): Promise<void> {
  const requests = stage.outside.modelRequests();
  const acks = history.acks.length;
  await pause(idleMs);
  const effects = stage.outside.effects().filter(({ core }) => core === life.record.pid);
  if (effects.length > 0) history.seen.push(`run ${run}: ${effects[0]?.key} ran by itself after the start`);
  if (stage.outside.modelRequests() > requests)
    history.seen.push(`run ${run}: a model was asked without a person`);
  if (history.acks.length > acks) history.seen.push(`run ${run}: something was recorded without a person`);
}

async function watchOver({ history }: Theatre, run: number, life: Life, person: Person): Promise<void> {
  while (!life.over) {
    await pause(quietMs / 2);
    const silence = performance.now() - life.lastLine;
    if (silence < quietMs) continue;
    const next = person.onQuiet();
    if (next === 'done') return;
    if (next === 'acted') life.lastLine = performance.now();
    if (silence < stuckMs) continue;
    const open = person.watch.sessions().flatMap((id) => person.watch.open(id)?.turn_id ?? []);
    history.seen.push(`run ${run}: stuck, open turns: ${open.join(', ') || 'none'}`);
    kill(life);
    return;
  }
}

function kill(life: Life): void {
  life.core.signal('SIGCONT');
  life.core.signal('SIGKILL');
  if (life.record.pid === 0) return;
  try {
    process.kill(life.record.pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

/** One life of the core from its start to its end, in order or not. */
export async function liveRun(theatre: Theatre, run: number, fault: RunFault, last: boolean): Promise<void> {
  const { plan, parts, history, stage } = theatre;
  let person: Person | null = null;
  let nemesis: ReturnType<typeof createNemesis> | null = null;
  const life = beginLife(theatre, run, fault, (line) => {
    if (line.type === 'ack') {
      person?.onEvents(line.events);
      nemesis?.onAck();
    }
    if (line.type === 'unrecorded_end') person?.onUnrecorded(line.turn_id);
  });
  const deadline = setTimeout(() => {
    history.seen.push(`run ${run}: did not end in time`);
    kill(life);
  }, 90_000);
  try {
    if (!(await life.ready)) {
      await life.core.ended;
      if (last || (life.record.end === 'refused' && fault.type !== 'disk_full' && fault.type !== 'traced'))
        history.seen.push(
          `run ${run}: the folder could not be opened: ${life.refusal || life.core.errors()}`,
        );
      return;
    }
    if (run > 0) await checkIdle(theatre, run, life);
    const requestsOf = (session: number): number =>
      stage.outside.contexts.filter(({ marker }) => sessionOf(marker) === session).length;
    nemesis = createNemesis(theatre, run, fault, life.core);
    person = createPerson({ plan, parts, history, core: life.core, run, last, requestsOf });
    await person.begin();
    await watchOver(theatre, run, life, person);
    await nemesis.done();
    await life.core.ask({ op: 'close' });
    await life.core.ended;
  } finally {
    clearTimeout(deadline);
  }
}
