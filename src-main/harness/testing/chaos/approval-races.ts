import type { Allowance } from '../../approvals';
import type { ModelPart, ModelProvider } from '../../model';
import type { JsonObject, SessionEvent, SessionEventOf } from '../../protocol';
import type { Session } from '../../session';
import { sessionBench, textOf, type BenchOptions, type BenchTool, type SessionBench } from '../session-bench';
import { createScheduler, drain, usage, waitingIn, type RaceBench, type Scheduler } from './interleaving';
import { memoryJournal } from './memory-journal';
import { createRandom, type Random } from './random';

interface Ran {
  readonly call_id: string;
  readonly version: string;
  readonly what: string;
}

interface Race {
  session: Session;
  readonly random: Random;
  readonly ran: Ran[];
  /** Answers that were taken: the request, and what was said. */
  readonly taken: { readonly approval_id: string; readonly answer: 'allow' | 'deny' }[];
  version: string;
  /** The session is being closed; nothing but the tools goes on. */
  closing: boolean;
  restarts: number;
}

/** Calls the tool some times with one of two arguments, once or twice, then ends. */
function modelOf(races: ReadonlyMap<string, Race>): ModelProvider {
  return {
    seesImages: () => false,
    facts: () => null,
    listModels: () => Promise.resolve({ ok: true, value: [] }),
    async *stream({ session_id, turn_id, attempt }): AsyncGenerator<ModelPart> {
      const random = races.get(session_id)?.random ?? createRandom('none');
      await Promise.resolve();
      const count = attempt <= 2 && random.chance(0.9) ? random.int(1, 3) : 0;
      for (let index = 0; index < count; index += 1) {
        const call_id = `${turn_id}-${attempt}-${index}`;
        const args = JSON.stringify({ what: random.pick(['a', 'b']) });
        yield { type: 'call', call: { call_id, name: 'test__write', arguments_text: args } };
      }
      if (count === 0) yield { type: 'text', text: 'Done.' };
      yield { type: 'finished', reason: 'stop', usage };
    },
  };
}

function toolOf(scheduler: Scheduler, races: ReadonlyMap<string, Race>, version: string): BenchTool {
  return {
    name: 'test.write',
    version,
    input_schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
    async call({ session_id, call_id, signal }, args) {
      races.get(session_id)?.ran.push({ call_id, version, what: textOf(args, 'what') });
      const stopped = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([scheduler.wait(session_id), stopped]);
      return { text: 'done' };
    },
  };
}

function of<T extends SessionEvent['type']>(events: readonly SessionEvent[], type: T): SessionEventOf<T>[] {
  return events.filter((event) => event.type === type) as unknown as SessionEventOf<T>[];
}

function allowanceOf(random: Random, asked: JsonObject | null): Allowance {
  const scope = random.pick([
    'once',
    'once',
    'once',
    'once',
    'session',
    random.chance(0.2) ? 'coworker' : 'once',
  ] as const);
  const narrow = random.chance(0.5) && asked !== null;
  const edited = random.chance(0.2) ? { arguments: { what: random.pick(['edited', 5]) as string } } : {};
  return {
    type: 'allow',
    scope,
    by: 'person',
    ...(narrow ? { pattern: [{ type: 'exact', at: '/what', value: asked['what'] ?? null }] } : {}),
    ...edited,
  };
}

/** Sends an answer, now and then the same one twice, or one to what was not shown. */
function answerOne(race: Race, request: SessionEventOf<'approval_requested'>['data']): void {
  const { random, session, taken } = race;
  const deny = { type: 'deny', note: '', by: 'person' } as const;
  for (const answer of random.chance(0.2)
    ? (['allow', 'deny'] as const)
    : [random.pick(['allow', 'allow', 'deny'] as const)]) {
    const shown = random.chance(0.1) ? { ...request, pin: 'other' } : request;
    const given = answer === 'deny' ? deny : allowanceOf(random, request.arguments);
    if (session.answer(request.approval_id, shown, given).ok)
      taken.push({ approval_id: request.approval_id, answer });
  }
}

type Restart = (race: Race) => void;

function actsOf(
  race: Race,
  scheduler: Scheduler,
  events: readonly SessionEvent[],
  restart: Restart,
): (() => void)[] {
  const { session, random } = race;
  const gates = scheduler.gatesOf(session.session_id).map((gate) => () => scheduler.release(gate));
  if (race.closing) return gates;
  const answers = waitingIn(events).map((request) => () => answerOne(race, request));
  const grants = of(events, 'grant_made').map(
    ({ data }) =>
      () =>
        void session.revokeGrant(data.grant_id),
  );
  const rare = [
    ...(random.chance(0.06) ? [() => void session.stop()] : []),
    ...(random.chance(0.15) && race.restarts < 3 ? [() => restart(race)] : []),
    ...(random.chance(0.1) ? grants : []),
  ];
  return [...gates, ...answers, ...rare];
}

function twice(name: string, keys: readonly string[]): string[] {
  return new Set(keys).size === keys.length ? [] : [`${name} is there twice`];
}

/** What ran is what was approved, for the definition that was shown. */
function judgeStart(
  events: readonly SessionEvent[],
  ran: readonly Ran[],
  { data }: SessionEventOf<'tool_started'>,
  pins: ReadonlyMap<string, string>,
): string[] {
  const { call_id } = data;
  const request = of(events, 'approval_requested').findLast((asked) => asked.data.call_id === call_id)?.data;
  const answer = of(events, 'approval_resolved').findLast((one) => one.data.call_id === call_id)?.data;
  const wrong: string[] = [];
  if (request && answer?.outcome !== 'allowed')
    wrong.push(`${call_id} began although it was ${answer?.outcome}`);
  if (!request && !data.rule.rule.startsWith('grant_')) wrong.push(`${call_id} began and nobody was asked`);
  const approved = answer?.arguments ?? request?.arguments ?? data.arguments;
  if (JSON.stringify(approved) !== JSON.stringify(data.arguments))
    wrong.push(`${call_id} began with other arguments`);
  const run = ran.find((one) => one.call_id === call_id);
  if (run && run.what !== data.arguments?.['what']) wrong.push(`${call_id} ran with other arguments`);
  if (run && request && pins.get(run.version) !== request.pin)
    wrong.push(`${call_id} ran in another version than shown`);
  return wrong;
}

function judge(race: Race, events: readonly SessionEvent[], pins: ReadonlyMap<string, string>): string[] {
  const { ran, taken } = race;
  const resolved = of(events, 'approval_resolved');
  const finished = of(events, 'tool_finished');
  const wrong = [
    ...(of(events, 'turn_finished').length === 1
      ? []
      : [`the turn ended ${of(events, 'turn_finished').length} times`]),
    ...twice(
      'a resolution',
      resolved.map(({ data }) => data.approval_id),
    ),
    ...twice(
      'an end',
      finished.map(({ data }) => data.call_id),
    ),
    ...twice(
      'a start',
      of(events, 'tool_started').map(({ data }) => data.call_id),
    ),
    ...twice(
      'a run',
      ran.map(({ call_id }) => call_id),
    ),
    ...twice(
      'a taken answer',
      taken.map(({ approval_id }) => approval_id),
    ),
    ...waitingIn(events).map(({ approval_id }) => `${approval_id} was left without an answer`),
    ...of(events, 'tool_started').flatMap((started) => judgeStart(events, ran, started, pins)),
  ];
  const started = new Set(of(events, 'tool_started').map(({ data }) => data.call_id));
  for (const { call_id } of ran)
    if (!started.has(call_id)) wrong.push(`${call_id} ran without its start on record`);
  for (const { approval_id, answer } of taken) {
    const outcome = resolved.find(({ data }) => data.approval_id === approval_id)?.data.outcome;
    if (answer === 'deny' && outcome !== 'denied') wrong.push(`a taken denial is on record as ${outcome}`);
  }
  for (const message of of(events, 'assistant_message')) {
    const ends = new Set(finished.map(({ data }) => data.call_id));
    for (const { call_id } of message.data.calls) if (!ends.has(call_id)) wrong.push(`${call_id} has no end`);
  }
  return wrong;
}

const longestRace = 400;
/** Races over one journal; what was allowed for the coworker lasts as long. */
const racesPerBench = 50;

/** Interleavings of answers, edits, stops, results, restarts and changed definitions over real sessions. */
export function createApprovalRaceBench(): RaceBench {
  const seen = new Map<string, number>();
  const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  const races = new Map<string, Race>();
  let scheduler = createScheduler();
  let bench: SessionBench | null = null;
  let used = 0;
  const optionsOf = (version: string): BenchOptions => ({
    model: modelOf(races),
    tools: [toolOf(scheduler, races, version)],
    expiryMs: 3_600_000,
    // The journal in memory has no clock.
    wallClock: () => 0,
  });
  const fresh = (): SessionBench => {
    bench?.close();
    scheduler = createScheduler();
    used = 0;
    bench = sessionBench(optionsOf('1'));
    Object.assign(bench.journal, memoryJournal());
    return bench;
  };
  const restart = (made: SessionBench): Restart => {
    return (race) => {
      race.closing = true;
      race.restarts += 1;
      note('restart');
      void race.session.close().then(() => {
        if (race.random.chance(0.5)) race.version = race.version === '1' ? '2' : '1';
        if (race.version === '2') note('changed definition');
        race.session = made.reopen(race.session.session_id, optionsOf(race.version));
        race.closing = false;
      });
    };
  };
  return {
    seen,
    async race(seed) {
      const made = bench === null || used >= racesPerBench ? fresh() : bench;
      used += 1;
      const session = made.create();
      const { session_id } = session;
      const random = createRandom(`approval-${seed}`);
      const race: Race = { session, random, ran: [], taken: [], version: '1', closing: false, restarts: 0 };
      races.set(session_id, race);
      const sent = session.submit({ text: 'Go', files: [], mentions: [] });
      if (!sent.ok) return [sent.error.message];
      const over = (): boolean => !race.closing && of(made.events(session_id), 'turn_finished').length > 0;
      for (let step = 0; step < longestRace && !over(); step += 1) {
        await drain();
        const acts = actsOf(race, scheduler, made.events(session_id), restart(made));
        if (acts.length > 0) random.pick(acts)();
      }
      await drain();
      races.delete(session_id);
      const events = made.events(session_id);
      const prepared = of(events, 'turn_started').flatMap(({ data }) => data.tools.map(({ pin }) => pin));
      const pins = new Map([...new Set(prepared)].map((pin, index) => [String(index + 1), pin]));
      for (const { type, data } of events) note('outcome' in data ? `${type} ${data.outcome}` : type);
      if (of(events, 'approval_resolved').some(({ data }) => data.arguments !== undefined)) note('edited');
      await race.session.close();
      return judge(race, events, pins);
    },
    close: () => bench?.close(),
  };
}
