import type { SessionEvent } from '../../protocol';
import { begunBy } from './check-acts';
import { of, type Act, type Effect, type History, type Remains } from './history';
import { callIdOf, plannedKey, plannedTurns, type Plan, type PlannedCall } from './plan';

/** Everything that is on record and testified of one call. */
export interface CallFile {
  readonly call_id: string;
  readonly planned: PlannedCall | null;
  readonly events: readonly SessionEvent[];
  readonly effects: number;
  /** Runs of the cores that asked for its effects. */
  readonly effect_runs: readonly number[];
}

function about(event: SessionEvent): string | null {
  return 'call_id' in event.data && typeof event.data.call_id === 'string' ? event.data.call_id : null;
}

function plannedCalls(plan: Plan): Map<string, PlannedCall> {
  const calls = plannedTurns(plan).flatMap((turn) => turn.steps.flatMap((step) => step.calls));
  return new Map(calls.map((call) => [callIdOf(call.key), call]));
}

interface Known {
  readonly byCall: Map<string, SessionEvent[]>;
  /** The call of which each one is a repetition that a person wanted, or itself. */
  readonly first: Map<string, string>;
}

function knownCalls({ sessions, effects }: Remains): Known {
  const byCall = new Map<string, SessionEvent[]>();
  const first = new Map<string, string>();
  const propose = (id: string, origin = id): void => {
    if (!first.has(id)) first.set(id, first.get(origin) ?? origin);
  };
  for (const event of [...sessions.values()].flat()) {
    const id = about(event);
    if (id !== null) byCall.set(id, [...(byCall.get(id) ?? []), event]);
    if (event.type === 'assistant_message') for (const call of event.data.calls) propose(call.call_id);
    if (event.type === 'call_rerun') propose(event.data.call.call_id, event.data.of.call_id);
    else if (id !== null) propose(id);
  }
  for (const { key } of effects) propose(callIdOf(key));
  return { byCall, first };
}

/**
 * Whose effect is whose: a call and its repetitions have the same key. An effect is of one that began in the same life
 * of the core; among several there, of those that completed first. What is left over is one too many of the first call.
 */
function shareEffects(
  chain: readonly string[],
  effects: readonly Effect[],
  { byCall }: Known,
  history: History,
): Map<string, Effect[]> {
  const shared = new Map<string, Effect[]>(chain.map((id) => [id, []]));
  const starts = new Set(
    history.acks.flatMap(({ run, event }) =>
      event.type === 'tool_started' ? [`${event.data.call_id} ${history.runs[run]?.pid}`] : [],
    ),
  );
  const completed = (id: string): boolean =>
    of(byCall.get(id) ?? [], 'tool_finished').some(({ data }) => data.outcome === 'completed');
  const inOrder = [...chain].sort((a, b) => Number(completed(b)) - Number(completed(a)));
  for (const effect of effects) {
    const began = inOrder.filter((id) => starts.has(`${id} ${effect.core}`));
    const owner = began.find((id) => shared.get(id)?.length === 0) ?? began[0] ?? chain[0] ?? '';
    shared.get(owner)?.push(effect);
  }
  return shared;
}

export function callFiles(plan: Plan, history: History, remains: Remains): CallFile[] {
  const planned = plannedCalls(plan);
  const known = knownCalls(remains);
  const chains = new Map<string, string[]>();
  for (const [id, origin] of known.first) chains.set(origin, [...(chains.get(origin) ?? []), id]);
  return [...chains].flatMap(([origin, chain]) => {
    const all = remains.effects.filter(({ key }) => callIdOf(key) === origin);
    const shared = shareEffects(chain, all, known, history);
    return chain.map((call_id) => {
      const effects = shared.get(call_id) ?? [];
      return {
        call_id,
        planned: planned.get(callIdOf(plannedKey(origin))) ?? null,
        events: known.byCall.get(call_id) ?? [],
        effects: effects.length,
        effect_runs: effects.map(({ core }) => history.runs.findIndex(({ pid }) => pid === core)),
      };
    });
  });
}

/** The states of a call move along the allowed edges only. */
function edges({ call_id, events }: CallFile): string[] {
  const wrong: string[] = [];
  const started = of(events, 'tool_started');
  const finished = of(events, 'tool_finished');
  if (started.length > 1) wrong.push(`${call_id} started ${started.length} times`);
  if (finished.length !== 1) wrong.push(`${call_id} finished ${finished.length} times`);
  const end = finished[0];
  if (end && started.some(({ seq }) => seq > end.seq)) wrong.push(`${call_id} started after its end`);
  const requests = of(events, 'approval_requested');
  const resolutions = of(events, 'approval_resolved');
  for (const { data, seq } of requests) {
    const answers = resolutions.filter((one) => one.data.approval_id === data.approval_id);
    if (answers.length !== 1)
      wrong.push(`${data.approval_id} of ${call_id} was resolved ${answers.length} times`);
    if (answers.some((one) => one.seq < seq))
      wrong.push(`${data.approval_id} was resolved before it was asked`);
    for (const { data: answer } of answers) {
      const closed = answer.outcome === 'cancelled' || answer.outcome === 'expired';
      if (closed && answer.note === '') wrong.push(`${data.approval_id} was closed without a reason`);
    }
  }
  if (resolutions.length > requests.length) wrong.push(`${call_id} has an answer to no request`);
  return wrong;
}

const mayHaveRun = ['completed', 'failed', 'outcome_unknown', 'cancelled_may_have_run'];

/** The recorded outcome says what the witness saw. */
function truth(file: CallFile, history: History, all: readonly CallFile[]): string[] {
  const { call_id, events, effects } = file;
  const wrong: string[] = [];
  const outcome = of(events, 'tool_finished')[0]?.data.outcome ?? null;
  const started = of(events, 'tool_started').length > 0;
  if (effects > 1) wrong.push(`${call_id} had its effect ${effects} times`);
  if (effects > 0 && !started) wrong.push(`${call_id} had an effect and no start is on record`);
  if (effects > 0 && !mayHaveRun.includes(outcome ?? ''))
    wrong.push(`${call_id} had an effect and is on record as ${outcome}`);
  if (outcome === 'completed' && effects === 0)
    wrong.push(`${call_id} is on record as completed and no witness saw it`);
  if (started && outcome !== null && !mayHaveRun.includes(outcome) && outcome !== 'cancelled')
    wrong.push(`${call_id} had begun and is on record as ${outcome}`);
  if (outcome === 'outcome_unknown') {
    if (!started) wrong.push(`${call_id} is unknown and never began`);
    if (!mayBeUnknown(call_id, history, all)) wrong.push(`${call_id} is unknown and nothing had broken off`);
  }
  return wrong;
}

/**
 * Something has to have broken off in the life of the core in which the call began: the core, the journal, or the server
 * that all sessions share. A start that was never acknowledged is of a core that was killed, whichever.
 */
function mayBeUnknown(callId: string, history: History, all: readonly CallFile[]): boolean {
  const start = history.acks.find(
    ({ event }) => event.type === 'tool_started' && event.data.call_id === callId,
  );
  const within = (run: number): boolean => start === undefined || start.run === run;
  if (history.refused.some(({ run }) => within(run))) return true;
  if (all.some(({ planned, effect_runs }) => planned?.ends === 'death' && effect_runs.some(within)))
    return true;
  return history.runs.some(
    ({ end, fault }, run) => within(run) && (end === 'killed' || fault.type === 'server'),
  );
}

/** No effect without the click that it needs. */
function permission(file: CallFile, history: History, all: readonly CallFile[]): string[] {
  const { call_id, events, effects, planned } = file;
  const rule = of(events, 'tool_started')[0]?.data.rule;
  if (
    effects === 0 ||
    rule?.rule === 'classification_read' ||
    (planned?.tool === 'notes.read' && rule?.rule !== 'asked_person')
  )
    return [];
  const allows = history.clicks.filter(({ answer, taken }) => answer !== 'deny' && taken !== false);
  if (rule?.rule === 'asked_person') {
    return allows.some((click) => click.call_id === call_id) ? [] : [`${call_id} ran without a click`];
  }
  // A grant covers the same tool only, and stands on a click of its own.
  const tools = all.filter((other) => other.planned?.tool === planned?.tool).map((other) => other.call_id);
  const granted = allows.some((click) => click.answer === 'session' && tools.includes(click.call_id));
  return rule?.rule === 'grant_session' && granted
    ? []
    : [`${call_id} ran by the rule ${rule?.rule} without a click`];
}

const beginnings: readonly Act['type'][] = [
  'submit',
  'edit',
  'regenerate',
  'retry',
  'queue',
  'send_queued',
  'settle',
];

/** What ran in one life of the core was asked for by a person in that life, or came from the queue (see `check-acts`). */
function ownAccord(file: CallFile, history: History, queued: ReadonlySet<string>): string[] {
  const turn = of(file.events, 'tool_started')[0]?.turn_id ?? null;
  const session = file.events[0]?.session_id ?? '';
  return file.effect_runs.flatMap((run) => {
    if (run < 0) return [`${file.call_id} was run by a process that is no core`];
    const clicked = history.clicks.some((click) => click.run === run && click.turn_id === turn);
    const paused = history.acts.some(
      (act) => act.run === run && act.type === 'go_on' && act.session_id === session,
    );
    const acts = { ...history, acts: history.acts.filter((act) => act.run === run) };
    const begun = turn !== null && begunBy(acts, session, turn, beginnings) !== undefined;
    const ok = clicked || paused || begun || queued.has(`${run}/${turn}`);
    return ok ? [] : [`${file.call_id} ran by itself in run ${run}`];
  });
}

/** Turns of queued messages, by the life in which they were sent. */
function queuedTurns({ acks }: History): Set<string> {
  return new Set(
    acks.flatMap(({ run, event }) =>
      event.type === 'message_submitted' && event.data.queued_id !== undefined
        ? [`${run}/${event.turn_id}`]
        : [],
    ),
  );
}

/** Rules about calls, their effects and their approvals. Answers what is broken, in words. */
export function checkCalls(plan: Plan, history: History, remains: Remains): string[] {
  const files = callFiles(plan, history, remains);
  const queued = queuedTurns(history);
  return files.flatMap((file) => [
    ...edges(file),
    ...truth(file, history, files),
    ...permission(file, history, files),
    ...ownAccord(file, history, queued),
  ]);
}
