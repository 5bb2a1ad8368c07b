import { isDeepStrictEqual } from 'node:util';
import type { SessionEvent } from '../../protocol';
import { checkActs } from './check-acts';
import { checkCalls } from './check-calls';
import { checkContexts } from './check-context';
import { of, type Click, type History, type Remains } from './history';
import { lastMarker, markerIn, plannedTurns, stepText, turnOf, type Plan, type PlannedTurn } from './plan';

/** Every acknowledged event is there, as it was acknowledged (I3). */
function checkAcks(history: History, remains: Remains): string[] {
  return history.acks.flatMap(({ run, event }) => {
    const kept = remains.sessions.get(event.session_id)?.[event.seq - 1];
    if (isDeepStrictEqual(kept, event)) return [];
    return [
      `run ${run}: ${event.type} ${event.seq} of ${event.session_id} was acknowledged and is not there`,
    ];
  });
}

/**
 * Only a commit whose process died before it could say so is there without its acknowledgement, or one whose sync
 * failed: nobody can say then whether the disk has it, it was answered as not recorded, and nothing was run on it.
 */
function checkUnspoken(history: History, remains: Remains): string[] {
  const told = new Set(history.acks.map(({ event }) => `${event.session_id}/${event.seq}`));
  const doubtful = history.refused.filter(({ code }) => code === 'journal_unavailable');
  const types = new Set(doubtful.flatMap((refused) => refused.types));
  const unspoken = [...remains.sessions.values()]
    .flat()
    .filter((event) => !told.has(`${event.session_id}/${event.seq}`) && !types.has(event.type));
  if (unspoken.length === 0 || history.runs.some(({ end }) => end === 'killed')) return [];
  return [`${unspoken[0]?.type} of ${unspoken[0]?.session_id} is there and was never acknowledged`];
}

function checkStream(sessionId: string, events: readonly SessionEvent[], lastSeq: number | null): string[] {
  const wrong: string[] = [];
  const hole = events.findIndex((event, index) => event.seq !== index + 1);
  if (hole >= 0) wrong.push(`${sessionId} has a hole before its event ${events[hole]?.seq}`);
  if (lastSeq !== events.length)
    wrong.push(`${sessionId} has ${events.length} events and its summary says ${lastSeq}`);
  return wrong;
}

const openings = ['message_submitted', 'turn_retried', 'call_rerun'];
const beginnings = [
  'tool_started',
  'attempt_started',
  'approval_requested',
  'assistant_message',
  'message_steered',
  'pause_started',
];

/** Each turn ends once, one runs at a time, and nothing of it begins after its end. */
function checkTurns(sessionId: string, events: readonly SessionEvent[]): string[] {
  const wrong: string[] = [];
  let open: string | null = null;
  const ended = new Map<string, number>();
  for (const { type, turn_id } of events) {
    if (turn_id === null) continue;
    if (openings.includes(type)) {
      if (open !== null) wrong.push(`${turn_id} of ${sessionId} began before ${open} had ended`);
      open = turn_id;
    }
    if (beginnings.includes(type) && ended.has(turn_id))
      wrong.push(`${type} of ${turn_id} came after the end of its turn`);
    if (type === 'turn_finished') {
      ended.set(turn_id, (ended.get(turn_id) ?? 0) + 1);
      if (open === turn_id) open = null;
    }
  }
  for (const { turn_id } of events.filter(({ type }) => openings.includes(type))) {
    const times = ended.get(turn_id ?? '') ?? 0;
    if (times !== 1) wrong.push(`${turn_id} of ${sessionId} ended ${times} times`);
  }
  return wrong;
}

/** Text is recorded as it was streamed: whole, or marked as a part. */
function checkTexts(plan: Plan, events: readonly SessionEvent[]): string[] {
  const markers = [...plannedTurns(plan).map(({ marker }) => marker), lastMarker(0)];
  const texts = ['Nothing more to do.', ...markers.flatMap((one) => turnOf(plan, one).steps.map(stepText))];
  return of(events, 'assistant_message').flatMap(({ turn_id, data }) => {
    if (data.partial) {
      const known = texts.some((text) => text.startsWith(data.text));
      return known ? [] : [`${turn_id}: a partial text is none of the model's: ${data.text.slice(0, 60)}`];
    }
    if (texts.includes(data.text)) return [];
    return [`${turn_id}: a text that is not whole is not marked as partial: ${data.text.slice(0, 60)}`];
  });
}

/**
 * A denial is on record before it is taken, so one that the disk refuses is not taken. And a turn whose end the disk
 * refused is over all the same: what waited in it takes no answer until a start finds it again.
 */
function refusedByDisk(history: History, clicks: readonly Click[]): boolean {
  return clicks.every(({ answer, run }) =>
    history.refused.some(
      ({ run: at, types }) =>
        at === run &&
        (types.includes('turn_finished') || (answer === 'deny' && types.includes('approval_resolved'))),
    ),
  );
}

/** An answer to a request is taken, or somebody else's answer came first; of two clicks one counts. */
function checkClicks(history: History, remains: Remains): string[] {
  const all = [...remains.sessions.values()].flat();
  const resolutions = new Map(of(all, 'approval_resolved').map(({ data }) => [data.approval_id, data]));
  const byRequest = new Map<string, Click[]>();
  for (const click of history.clicks) {
    const name = `${click.run}/${click.approval_id}`;
    byRequest.set(name, [...(byRequest.get(name) ?? []), click]);
  }
  return [...byRequest.values()].flatMap((clicks) => {
    const { approval_id, run, turn_id } = clicks[0] as Click;
    const taken = clicks.filter((click) => click.taken === true);
    if (taken.length > 1) return [`run ${run}: ${approval_id} took ${taken.length} answers`];
    if (taken.length === 1 || clicks.some((click) => click.taken === null)) return [];
    const stopped = history.stops.some((stop) => stop.turn_id === turn_id);
    const other = resolutions.get(approval_id);
    if (stopped || refusedByDisk(history, clicks) || other?.by === 'grant' || other?.by === 'turn_end')
      return [];
    return [`run ${run}: ${approval_id} waits and took no answer`];
  });
}

/** A denial that was taken is on record as one, whatever came after it. */
function checkDenials(history: History, remains: Remains): string[] {
  const all = [...remains.sessions.values()].flat();
  const denied = new Set(
    of(all, 'approval_resolved').flatMap(({ data }) => (data.outcome === 'denied' ? [data.approval_id] : [])),
  );
  return history.clicks
    .filter(
      ({ answer, taken, session_id }) =>
        answer === 'deny' && taken === true && remains.sessions.has(session_id),
    )
    .flatMap(({ approval_id }) =>
      denied.has(approval_id) ? [] : [`the denial of ${approval_id} was taken and is not on record`],
    );
}

/** Turns that come to their end where nothing befalls the core. Others may be stopped, steered or taken back. */
function wholeTurns(plan: Plan): PlannedTurn[] {
  const broken = ({ steps, stop_at: stop }: PlannedTurn): boolean =>
    stop !== null ||
    steps.some(({ fault, calls }) => fault === 'overflow' || calls.some((call) => call.ends === 'death'));
  const plain = ({ way }: PlannedTurn): boolean => (way ?? { type: 'submit' }).type !== 'queue';
  return plan.sessions
    .filter(({ pause }) => pause?.go_on !== false)
    .flatMap(({ turns }) => turns.filter((turn) => !broken(turn) && plain(turn)));
}

/** Without a fault and a stop, a turn comes to the end that the plan has for it. */
function checkProgress(plan: Plan, history: History, remains: Remains): string[] {
  const last = plan.sessions.map((_, index) => lastMarker(index));
  const calm = history.runs.every(({ end, fault }) => end === 'closed' && fault.type === 'none');
  const expected = calm ? [...last, ...wholeTurns(plan).map((turn) => turn.marker)] : last;
  const completed = new Set<string>();
  for (const events of remains.sessions.values()) {
    const markers = new Map(
      of(events, 'message_submitted').map((e) => [e.turn_id, markerIn(e.data.text) ?? '']),
    );
    for (const { turn_id, data } of of(events, 'turn_finished')) {
      if (data.outcome === 'completed') completed.add(markers.get(turn_id) ?? '');
    }
  }
  return expected.filter((marker) => !completed.has(marker)).map((marker) => `${marker} was not completed`);
}

/** Everything that is broken in what happened and what is left, in words; empty when nothing is. */
export function checkHistory(plan: Plan, history: History, remains: Remains): string[] {
  const wrong = [...history.seen];
  if (remains.integrity !== 'ok') wrong.push(`the database is damaged: ${remains.integrity}`);
  for (const pid of remains.left_running) wrong.push(`the tool server ${pid} still runs`);
  for (const [sessionId, events] of remains.sessions) {
    const summary = remains.summaries.find((one) => one.session_id === sessionId);
    wrong.push(...checkStream(sessionId, events, summary?.last_seq ?? null));
    wrong.push(...checkTurns(sessionId, events), ...checkTexts(plan, events));
  }
  wrong.push(...checkAcks(history, remains), ...checkUnspoken(history, remains));
  wrong.push(...checkCalls(plan, history, remains), ...checkClicks(history, remains));
  wrong.push(...checkDenials(history, remains));
  wrong.push(...checkActs(history, remains), ...checkContexts(remains));
  wrong.push(...checkProgress(plan, history, remains));
  return [...new Set(wrong)];
}
