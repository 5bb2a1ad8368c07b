import type { ModelPart, ModelProvider } from '../../model';
import type { SessionEvent } from '../../protocol';
import type { Session } from '../../session';
import { sessionBench, type BenchTool, type SessionBench } from '../session-bench';
import { createScheduler, drain, usage, waitingIn, type RaceBench, type Scheduler } from './interleaving';
import { memoryJournal } from './memory-journal';
import { createRandom, type Random } from './random';

interface Race {
  readonly session: Session;
  readonly random: Random;
  readonly events: SessionEvent[];
  /** Tools that were called, with whether Stop had been pressed before. */
  readonly ran: { readonly call_id: string; readonly after_stop: boolean }[];
  stopped: boolean;
  settled: boolean;
  /** Events that were there when the stop had settled. */
  at_settlement: number | null;
}

function modelOf(scheduler: Scheduler, races: ReadonlyMap<string, Race>): ModelProvider {
  return {
    seesImages: () => false,
    facts: () => null,
    listModels: () => Promise.resolve({ ok: true, value: [] }),
    async *stream(request, signal): AsyncGenerator<ModelPart> {
      const random = races.get(request.session_id)?.random ?? createRandom(0);
      const name = `${request.turn_id}-${request.attempt}`;
      await scheduler.wait(request.session_id);
      if (signal.aborted) {
        yield { type: 'failed', error: { code: 'cancelled', message: 'Stopped.', retryable: false } };
        return;
      }
      yield { type: 'text', text: 'Well. ' };
      await scheduler.wait(request.session_id);
      const draw = random.next();
      if (draw < 0.15) {
        const message = 'The stream was cut.';
        yield {
          type: 'failed',
          error: { code: 'model_stream_cut', message, retryable: true, retry_after_ms: 1 },
        };
        return;
      }
      if (draw < 0.7) {
        for (let index = 0; index < random.int(1, 3); index += 1) {
          const tool = random.pick(['test__write', 'test__write', 'test__read']);
          const call = { call_id: `${name}-${index}`, name: tool, arguments_text: '{}' };
          yield { type: 'call', call };
        }
      }
      yield { type: 'finished', reason: 'stop', usage };
    },
  };
}

/** Never fulfilled; rejected when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = (): void => reject(new DOMException('Stopped.', 'AbortError'));
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}

function toolsOf(scheduler: Scheduler, races: ReadonlyMap<string, Race>): BenchTool[] {
  const tool = (name: string, classification: 'read' | 'write'): BenchTool => ({
    name,
    classification,
    async call(context) {
      const race = races.get(context.session_id);
      race?.ran.push({ call_id: context.call_id, after_stop: race.stopped });
      const obeys = race?.random.chance(0.5) ?? false;
      await Promise.race([scheduler.wait(context.session_id), ...(obeys ? [aborted(context.signal)] : [])]);
      return { text: 'done' };
    },
  });
  return [tool('test.read', 'read'), tool('test.write', 'write')];
}

/** What can happen next: one act each, chosen by the seed. */
function actsOf(race: Race, scheduler: Scheduler): (() => void)[] {
  const { session, random, events } = race;
  const gates = scheduler.gatesOf(session.session_id).map((gate) => () => scheduler.release(gate));
  const answers = waitingIn(events).map((waiting) => () => {
    const allow = { type: 'allow', scope: random.chance(0.03) ? 'session' : 'once', by: 'person' } as const;
    const deny = { type: 'deny', note: '', by: 'person' } as const;
    session.answer(waiting.approval_id, waiting, random.chance(0.75) ? allow : deny);
  });
  const stop = (): void => {
    race.stopped = true;
    void session.stop().then(() => (race.at_settlement ??= events.length));
  };
  const stops = random.chance(0.15) ? [stop] : [];
  return [...gates, ...answers, ...stops];
}

function single(
  name: string,
  events: readonly SessionEvent[],
  id: (event: SessionEvent) => string | null,
): string[] {
  const counts = new Map<string, number>();
  for (const event of events) {
    const key = id(event);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].flatMap(([key, count]) =>
    count > 1 ? [`${name} of ${key} is there ${count} times`] : [],
  );
}

function callOf(event: SessionEvent, type: 'tool_started' | 'tool_finished'): string | null {
  return event.type === type && 'call_id' in event.data ? event.data.call_id : null;
}

/** One final state for each thing, and nothing that begins after Stop. */
function judge(race: Race, all: readonly SessionEvent[]): string[] {
  const wrong: string[] = [];
  if (!race.settled) wrong.push('the turn never ended');
  if (race.session.busy()) wrong.push('the session is busy after the end');
  const late = race.ran.filter((one) => one.after_stop);
  if (late.length > 0) wrong.push(`${late[0]?.call_id} began after Stop`);
  const finishes = all.filter((event) => event.type === 'turn_finished');
  if (finishes.length !== 1) wrong.push(`the turn ended ${finishes.length} times`);
  if (all.at(-1)?.type !== 'turn_finished') wrong.push(`${all.at(-1)?.type} came after the end of the turn`);
  if (race.at_settlement !== null && race.at_settlement < race.events.length)
    wrong.push('something was recorded after the stop had settled');
  wrong.push(...single('the end', all, (event) => callOf(event, 'tool_finished')));
  wrong.push(...single('the start', all, (event) => callOf(event, 'tool_started')));
  wrong.push(
    ...single('the answer', all, (e) => (e.type === 'approval_resolved' ? e.data.approval_id : null)),
  );
  const ended = new Set(all.map((event) => callOf(event, 'tool_finished')));
  for (const event of all) {
    if (event.type !== 'assistant_message') continue;
    for (const call of event.data.calls)
      if (!ended.has(call.call_id)) wrong.push(`${call.call_id} has no end`);
  }
  const ran = race.ran.map((one) => one.call_id);
  if (new Set(ran).size !== ran.length) wrong.push('a tool ran twice');
  if (waitingIn(all).length > 0) wrong.push('a request was left without an answer');
  const started = new Set(all.map((event) => callOf(event, 'tool_started')));
  for (const id of ran) if (!started.has(id)) wrong.push(`${id} ran without its start on record`);
  return wrong;
}

/** Acts of one tick: several at once, with nothing between them. */
function tick(race: Race, scheduler: Scheduler): void {
  const width = race.random.pick([1, 1, 2, 3]);
  for (let index = 0; index < width; index += 1) {
    const acts = actsOf(race, scheduler);
    if (acts.length > 0) race.random.pick(acts)();
  }
}

const longestRace = 400;
/** Races of one session, one turn each; a grant lasts as long. */
const racesPerSession = 100;

/** Interleavings of stop, answers, results and retries over real sessions. */
export function createRaceBench(): RaceBench {
  const scheduler = createScheduler();
  const races = new Map<string, Race>();
  const bench: SessionBench = sessionBench({
    model: modelOf(scheduler, races),
    tools: toolsOf(scheduler, races),
    // The journal in memory has no clock.
    wallClock: () => 0,
  });
  Object.assign(bench.journal, memoryJournal());
  let session = bench.create();
  let used = 0;
  const seen = new Map<string, number>();
  const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  return {
    seen,
    async race(seed) {
      if (used >= racesPerSession || session.busy()) session = bench.create();
      used = used >= racesPerSession ? 1 : used + 1;
      const race: Race = {
        session,
        random: createRandom(`race-${seed}`),
        events: [],
        ran: [],
        stopped: false,
        settled: false,
        at_settlement: null,
      };
      races.set(session.session_id, race);
      const end = session.subscribe(Number.MAX_SAFE_INTEGER, (push) => {
        for (const event of push.events) if (event.turn_id !== null) race.events.push(event);
      });
      const sent = session.submit({ text: 'Go', files: [], mentions: [] });
      if (!sent.ok) return [sent.error.message];
      void sent.value.done.then(() => (race.settled = true));
      for (let step = 0; step < longestRace && !race.settled; step += 1) {
        await drain();
        tick(race, scheduler);
      }
      // A tool that was stopped may still answer late: nothing may come of it.
      for (const gate of scheduler.gatesOf(session.session_id)) scheduler.release(gate);
      await drain();
      end();
      races.delete(session.session_id);
      if (race.stopped) note('stop');
      for (const { type, data } of race.events) note('outcome' in data ? `${type} ${data.outcome}` : type);
      return judge(race, race.events);
    },
    close: () => bench.close(),
  };
}
