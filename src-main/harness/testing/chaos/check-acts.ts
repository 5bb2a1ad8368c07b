import type { SessionEvent } from '../../protocol';
import { of, type Act, type History, type Remains } from './history';

type Runs = ReadonlyMap<string, number>;

const placeOf = ({ session_id, seq }: SessionEvent): string => `${session_id}/${seq}`;

/** In which life of the core each event was acknowledged. */
export function runsOf(history: History): Runs {
  return new Map(history.acks.map(({ run, event }) => [placeOf(event), run]));
}

function actsOn(history: History, types: readonly Act['type'][], about: string): Act[] {
  return history.acts.filter((act) => types.includes(act.type) && act.about === about && act.taken !== false);
}

/** The person's act that began the turn; one of which nobody was told which
 * turn it is counts for its session. */
export function begunBy(
  history: History,
  sessionId: string,
  turnId: string,
  types: readonly Act['type'][],
): Act | undefined {
  return history.acts.find(
    (act) =>
      types.includes(act.type) &&
      act.taken !== false &&
      (act.about === turnId || (act.about === null && act.session_id === sessionId)),
  );
}

/** A queued message that goes by itself goes right behind a turn that completed in this life of the core. */
function wentByItself(
  events: readonly SessionEvent[],
  turn: SessionEvent,
  history: History,
  runs: Runs,
): string[] {
  if (begunBy(history, turn.session_id, turn.turn_id ?? '', ['send_queued'])) return [];
  const before = events.findLast((event) => event.seq < turn.seq && event.type === 'turn_finished');
  if (before?.type !== 'turn_finished') return [`${turn.turn_id} was sent from the queue before any turn`];
  const { outcome } = before.data;
  if (outcome !== 'completed')
    return [`${turn.turn_id} was sent from the queue by itself behind a turn that ${outcome}`];
  const [was, is] = [runs.get(placeOf(before)), runs.get(placeOf(turn))];
  return was === undefined || is === undefined || was === is
    ? []
    : [`${turn.turn_id} was sent from the queue by itself after a restart`];
}

/** A queued message is sent once, or taken back by the person, and is never lost. */
function checkQueue(events: readonly SessionEvent[], history: History, runs: Runs): string[] {
  const wrong: string[] = [];
  const waiting = new Map<string, 'next_turn' | 'this_turn'>();
  const leave = (queuedId: string, how: string): void => {
    if (!waiting.delete(queuedId)) wrong.push(`${queuedId} was ${how} and did not wait`);
  };
  for (const event of events) {
    switch (event.type) {
      case 'message_queued':
        waiting.set(event.data.queued_id, event.data.delivery);
        break;
      case 'message_unqueued':
        leave(event.data.queued_id, 'taken back');
        if (actsOn(history, ['unqueue'], event.data.queued_id).length === 0)
          wrong.push(`${event.data.queued_id} was taken back by nobody`);
        break;
      case 'message_steered':
        if (waiting.get(event.data.queued_id) === 'next_turn')
          wrong.push(`${event.data.queued_id} was steered into a turn and was meant for the next`);
        leave(event.data.queued_id, 'steered');
        break;
      case 'message_submitted':
        if (event.data.queued_id === undefined) break;
        leave(event.data.queued_id, 'sent');
        wrong.push(...wentByItself(events, event, history, runs));
        break;
      default:
    }
  }
  // The last life of the core sends everything that waits.
  for (const queuedId of waiting.keys()) wrong.push(`${queuedId} waits for ever`);
  return wrong;
}

const outgoing = [
  'attempt_started',
  'assistant_message',
  'tool_started',
  'approval_requested',
  'context_compacted',
];

/** A pause holds its turn until the person's word, and each has one end. */
function checkPauses(events: readonly SessionEvent[], history: History): string[] {
  const ends = of(events, 'pause_ended');
  return of(events, 'pause_started').flatMap(({ seq, turn_id, data: { pause_id } }) => {
    const own = ends.filter((one) => one.data.pause_id === pause_id);
    const [ended] = own;
    if (!ended || own.length !== 1) return [`the pause ${pause_id} ended ${own.length} times`];
    const wrong: string[] = [];
    const early = events.find(
      (event) =>
        event.turn_id === turn_id &&
        event.seq > seq &&
        event.seq < ended.seq &&
        outgoing.includes(event.type),
    );
    if (early) wrong.push(`${early.type} of ${turn_id} came while ${pause_id} waited`);
    const { outcome, by } = ended.data;
    const word = outcome === 'continued' ? 'go_on' : 'halt';
    if (by === 'person' && actsOn(history, [word], pause_id).length === 0)
      wrong.push(`the pause ${pause_id} was ${outcome} without the person's word`);
    if (by !== 'person' && outcome === 'continued')
      wrong.push(`the pause ${pause_id} was continued by ${by}`);
    return wrong;
  });
}

/** A call that is run again asks anew whatever was allowed before; its start, and nothing else, settles the first one. */
function checkReruns(events: readonly SessionEvent[], history: History): string[] {
  const settled = of(events, 'call_settled').filter(({ data }) => data.settlement === 'run_again');
  const wrong: string[] = [];
  let begun = 0;
  for (const { turn_id, session_id, data } of of(events, 'call_rerun')) {
    const { call_id } = data.call;
    const about = <T extends { readonly data: { readonly call_id: string } }>(all: readonly T[]): T[] =>
      all.filter((one) => one.data.call_id === call_id);
    const asked = about(of(events, 'approval_requested')).length;
    const [started] = about(of(events, 'tool_started'));
    if (started) begun += 1;
    const first = settled.filter(
      (one) => one.turn_id === data.of.turn_id && one.data.call_id === data.of.call_id,
    );
    if (started && first.length !== 1)
      wrong.push(`${call_id} was run again, and ${data.of.call_id} was settled ${first.length} times by it`);
    if (asked > 1 || (started && asked !== 1))
      wrong.push(`${call_id} was run again and asked ${asked} times`);
    if (started && started.data.rule?.rule !== 'asked_person')
      wrong.push(`${call_id} was run again by the rule ${started.data.rule?.rule}`);
    if (!begunBy(history, session_id, turn_id ?? '', ['settle']))
      wrong.push(`${call_id} was run again by itself`);
    if (of(events, 'attempt_started').some((attempt) => attempt.turn_id === turn_id))
      wrong.push(`a model was asked in ${turn_id}, which runs a call again`);
  }
  if (settled.length > begun)
    wrong.push(`${settled.length} calls were settled by running again, ${begun} ran`);
  return wrong;
}

/** A call of unknown outcome ends its turn: a model is asked again only when a person begins another one. */
function checkUnknownEnds(events: readonly SessionEvent[]): string[] {
  const unknown = of(events, 'tool_finished').filter(({ data }) => data.outcome === 'outcome_unknown');
  return of(events, 'attempt_started').flatMap(({ turn_id, seq }) => {
    const before = unknown.find((call) => call.turn_id === turn_id && call.seq < seq);
    return before ? [`a model was asked in ${turn_id} although ${before.data.call_id} is unknown`] : [];
  });
}

/** What is kept of a streaming text is how it begins. */
function checkSaved(events: readonly SessionEvent[]): string[] {
  const kept = new Map<string, string>();
  const wrong: string[] = [];
  for (const event of events) {
    if (event.type === 'text_saved') {
      const name = `${event.turn_id}/${event.data.attempt}`;
      const text = kept.get(name) ?? '';
      if (event.data.offset !== text.length) wrong.push(`${name} kept a text with a hole at ${text.length}`);
      kept.set(name, text + event.data.text);
    }
    if (event.type !== 'attempt_failed' && event.type !== 'assistant_message') continue;
    const text = event.type === 'attempt_failed' ? event.data.partial_text : event.data.text;
    const before = kept.get(`${event.turn_id}/${event.data.attempt}`) ?? '';
    if (!text.startsWith(before))
      wrong.push(`${event.turn_id} lost text that was kept: ${before.slice(0, 60)}`);
  }
  return wrong;
}

const pixels = 'iVBORw0KGgo';

/** Rules about the queue, pauses, calls that are run again, kept text and pixels. */
export function checkActs(history: History, { sessions }: Remains): string[] {
  const runs = runsOf(history);
  return [...sessions].flatMap(([sessionId, events]) => [
    ...checkQueue(events, history, runs),
    ...checkPauses(events, history),
    ...checkReruns(events, history),
    ...checkUnknownEnds(events),
    ...checkSaved(events),
    ...(JSON.stringify(events).includes(pixels) ? [`${sessionId} has pixels on record`] : []),
  ]);
}
