import { describe, expect, it } from 'vitest';
import type { NewSessionEvent, SessionEvent, SessionSummary } from '../../protocol';
import { numbered } from '../sample-events';
import { checkHistory } from './check-history';
import { emptyHistory, type History, type Remains, type SentContext } from './history';
import { callIdOf, messageOf, type Plan, type PlannedStep } from './plan';

const call_id = callIdOf('k');
const step: PlannedStep = {
  text: ['Adding.'],
  calls: [{ key: 'k', tool: 'ledger.add', delay_ms: 0, ends: 'well' }],
  fault: 'none',
  delay_ms: 0,
};
const end: PlannedStep = { text: ['Done.'], calls: [], fault: 'none', delay_ms: 0 };
const plan: Plan = {
  name: 'made up',
  sessions: [{ turns: [{ marker: 'm', steps: [step, end], stop_at: null }] }],
  decisions: new Map(),
  runs: [],
};

const data: readonly (readonly [NewSessionEvent['type'], string, Record<string, unknown>])[] = [
  ['message_submitted', 't1', { text: messageOf('m'), follows: null }],
  ['assistant_message', 't1', { attempt: 1, text: 'Adding.', partial: false, calls: [{ call_id }] }],
  ['approval_requested', 't1', { call_id, approval_id: 'a' }],
  ['approval_resolved', 't1', { call_id, approval_id: 'a', outcome: 'allowed', note: '', by: 'person' }],
  ['tool_started', 't1', { call_id, rule: { rule: 'asked_person' } }],
  ['tool_finished', 't1', { call_id, outcome: 'completed' }],
  ['turn_finished', 't1', { outcome: 'completed' }],
  ['message_submitted', 't2', { text: messageOf('last-0'), follows: 't1' }],
  ['turn_finished', 't2', { outcome: 'completed' }],
];

const sent = (words: readonly string[]): SentContext => ({
  marker: 'm',
  words,
  results: new Map(),
  summary: false,
});
const called = ['asked:m', 'said:Adding.', `call:${call_id}`, `result:${call_id}`];
const contexts = [sent(['asked:m']), sent(called), sent([...called, 'asked:last-0'])];

interface Told {
  events: SessionEvent[];
  history: History;
  effects: Remains['effects'];
  contexts: Remains['contexts'];
  last_seq: number;
}

/** A history in which everything is well. */
function well(): Told {
  const events = numbered(
    data.map(([type, turn_id, given]) => ({ type, turn_id, data: given }) as NewSessionEvent),
  );
  const history = emptyHistory();
  history.runs.push({ fault: { type: 'none' }, pid: 7, end: 'closed' });
  history.messages.push({ run: 0, session_id: 's_1', marker: 'm' });
  const act = { run: 0, session_id: 's_1', taken: true } as const;
  history.acts.push({ ...act, type: 'submit', about: 't1' }, { ...act, type: 'submit', about: 't2' });
  const click = {
    run: 0,
    session_id: 's_1',
    turn_id: 't1',
    call_id,
    approval_id: 'a',
    answer: 'once',
  } as const;
  history.clicks.push({ ...click, taken: true });
  for (const event of events) history.acks.push({ run: 0, event });
  return {
    events,
    history,
    effects: [{ key: 'k', by: 'ledger', core: 7 }],
    contexts,
    last_seq: events.length,
  };
}

function violations({ events, history, effects, contexts, last_seq }: Told): string[] {
  return checkHistory(plan, history, {
    integrity: 'ok',
    sessions: new Map([['s_1', events]]),
    summaries: [{ session_id: 's_1', last_seq } as SessionSummary],
    effects,
    contexts,
    left_running: [],
  });
}

function changed(told: Told, type: NewSessionEvent['type'], given: Record<string, unknown>): void {
  told.events = told.events.map((event) =>
    event.type === type ? ({ ...event, data: { ...event.data, ...given } } as SessionEvent) : event,
  );
}

/** Takes events away and numbers the rest anew, as if they had never been. */
function without(told: Told, type: NewSessionEvent['type']): void {
  told.events = numbered(told.events.filter((event) => event.type !== type));
  told.history.acks.length = 0;
  told.history.acks.push(...told.events.map((event) => ({ run: 0, event })));
  told.last_seq = told.events.length;
}

/** Puts events behind the first `after`. */
function add(
  told: Told,
  after: number,
  ...given: readonly (readonly [string, string | null, object])[]
): void {
  const added = given.map(([type, turn_id, facts]) => ({ type, turn_id, data: facts }) as SessionEvent);
  told.events = numbered([...told.events.slice(0, after), ...added, ...told.events.slice(after)]);
}

describe('the checker', () => {
  it('has nothing against a history in which everything is well', () => {
    expect(violations(well())).toEqual([]);
  });

  const broken: readonly (readonly [string, (told: Told) => void, RegExp])[] = [
    ['a lost event', (told) => (told.events = told.events.slice(0, -1)), /was acknowledged and is not there/],
    ['a changed event', (told) => changed(told, 'tool_finished', { outcome: 'failed' }), /is not there/],
    [
      'a hole in the numbers',
      (told) => (told.events = told.events.map((e) => (e.seq > 6 ? { ...e, seq: e.seq + 1 } : e))),
      /has a hole/,
    ],
    ['a summary that is behind', (told) => (told.last_seq -= 1), /its summary says/],
    ['an event that nobody was told of', (told) => void told.history.acks.pop(), /never acknowledged/],
    ['an effect twice', (told) => (told.effects = [...told.effects, ...told.effects]), /its effect 2 times/],
    ['a result without an effect', (told) => (told.effects = []), /no witness saw it/],
    ['an effect without a start', (told) => without(told, 'tool_started'), /no start is on record/],
    ['a call without an end', (told) => without(told, 'tool_finished'), /finished 0 times/],
    ['a turn without an end', (told) => without(told, 'turn_finished'), /ended 0 times/],
    ['a request without an answer', (told) => without(told, 'approval_resolved'), /was resolved 0 times/],
    ['an effect without a click', (told) => (told.history.clicks.length = 0), /ran without a click/],
    [
      'an effect of another process',
      (told) => (told.effects = told.effects.map((effect) => ({ ...effect, core: 8 }))),
      /run by a process that is no core/,
    ],
    [
      'an effect in a life in which nobody asked',
      (told) => {
        told.history.runs.push({ fault: { type: 'none' }, pid: 8, end: 'closed' });
        told.effects = told.effects.map((effect) => ({ ...effect, core: 8 }));
      },
      /ran by itself in run 1/,
    ],
    [
      'an effect that is on record as denied',
      (told) => changed(told, 'tool_finished', { outcome: 'denied' }),
      /had an effect and is on record as denied/,
    ],
    [
      'an unknown outcome of which nothing broke off',
      (told) => changed(told, 'tool_finished', { outcome: 'outcome_unknown' }),
      /nothing had broken off/,
    ],
    [
      'an unknown outcome of which something broke off in another run alone',
      (told) => {
        changed(told, 'tool_finished', { outcome: 'outcome_unknown' });
        told.history.runs.push({ fault: { type: 'none' }, pid: 8, end: 'killed' });
      },
      /nothing had broken off/,
    ],
    [
      'a request to the model behind a call of unknown outcome',
      (told) => {
        changed(told, 'tool_finished', { outcome: 'outcome_unknown' });
        add(told, 6, ['attempt_started', 't1', {}]);
      },
      /a model was asked in t1 although .* is unknown/,
    ],
    [
      'a call that was settled by running it again, and did not run',
      (told) =>
        add(
          told,
          7,
          ['call_settled', 't1', { call_id, settlement: 'run_again' }],
          ['call_rerun', 't3', rerun],
        ),
      /1 calls were settled by running again, 0 ran/,
    ],
    [
      'a denial that was taken and is on record as something else',
      (told) => {
        const [click] = told.history.clicks.splice(0);
        if (click) told.history.clicks.push({ ...click, answer: 'deny' });
      },
      /the denial of a was taken and is not on record/,
    ],
    [
      'a request that is closed without a reason',
      (told) => changed(told, 'approval_resolved', { outcome: 'cancelled' }),
      /closed without a reason/,
    ],
    [
      'an answer that was not taken',
      (told) => told.history.clicks.forEach((click) => (click.taken = false)),
      /took no answer/,
    ],
    [
      'a denial that was not taken while only other records were refused',
      (told) => {
        const [click] = told.history.clicks.splice(0);
        if (click) told.history.clicks.push({ ...click, answer: 'deny', taken: false });
        told.history.refused.push({ run: 0, code: 'journal_full', types: ['text_saved'] });
      },
      /took no answer/,
    ],
    [
      'two answers to one request',
      (told) => told.history.clicks.push(...told.history.clicks.map((click) => ({ ...click }))),
      /took 2 answers/,
    ],
    [
      'half a text that passes for a whole one',
      (told) => changed(told, 'assistant_message', { text: 'Add' }),
      /not marked as partial/,
    ],
    [
      'a turn that goes on after its end',
      (told) => (told.events = numbered([...told.events, told.events[4] as SessionEvent])),
      /came after the end of its turn/,
    ],
  ];

  const queued = { queued_id: 'q', text: messageOf('last-0'), delivery: 'next_turn' };
  const pause = { pause_id: 'p', kind: 'turns', used: 2, limit: 1 };
  const rerun = { follows: 't1', of: { turn_id: 't1', call_id }, call: { call_id: 'again' } };
  const ask = { call_id: 'again', approval_id: 'b' };
  const newer: readonly (readonly [string, (told: Told) => void, RegExp])[] = [
    [
      'a context of another branch',
      (told) => (told.contexts = [sent([...called, 'asked:other'])]),
      /what is no branch: asked:m/,
    ],
    [
      'a context with text that broke off',
      (told) => (told.contexts = [sent(['asked:m', 'said:Add'])]),
      /what is no branch/,
    ],
    [
      'a context without a result',
      (told) => (told.contexts = [sent(called.slice(0, 3))]),
      /what is no branch/,
    ],
    [
      'a turn behind another turn than the one that was looked at',
      (told) => changed(told, 'message_submitted', { follows: 't0' }),
      /follows t0 in place of/,
    ],
    [
      'a queued message that is lost',
      (told) => add(told, 7, ['message_queued', null, queued]),
      /q waits for ever/,
    ],
    [
      'a message that is sent twice',
      (told) => add(told, 2, ['message_steered', 't1', queued], ['message_steered', 't1', queued]),
      /q was steered and did not wait/,
    ],
    [
      'a queued message that goes by itself behind a stop',
      (told) => {
        changed(told, 'turn_finished', { outcome: 'stopped' });
        changed(told, 'message_submitted', { queued_id: 'q' });
        told.history.acts.pop();
      },
      /by itself behind a turn that stopped/,
    ],
    [
      'a request while a pause waits',
      (told) =>
        add(
          told,
          1,
          ['pause_started', 't1', pause],
          ['attempt_started', 't1', {}],
          ['pause_ended', 't1', { pause_id: 'p', outcome: 'continued', by: 'person' }],
        ),
      /attempt_started of t1 came while p waited[^]*without the person's word/,
    ],
    [
      'a call that is run again without a fresh request',
      (told) =>
        add(
          told,
          7,
          ['call_settled', 't1', { call_id, settlement: 'run_again' }],
          ['call_rerun', 't3', rerun],
          ['tool_started', 't3', { call_id: 'again', rule: { rule: 'grant_session' } }],
        ),
      /asked 0 times[^]*by the rule grant_session[^]*run again by itself/,
    ],
    [
      'a call that is run again and asks twice',
      (told) =>
        add(
          told,
          7,
          ['call_settled', 't1', { call_id, settlement: 'run_again' }],
          ['call_rerun', 't3', rerun],
          ['approval_requested', 't3', ask],
          ['approval_requested', 't3', { ...ask, approval_id: 'c' }],
        ),
      /asked 2 times/,
    ],
    [
      'kept text that is lost',
      (told) => add(told, 1, ['text_saved', 't1', { attempt: 1, offset: 0, text: 'Other' }]),
      /lost text that was kept/,
    ],
  ];

  it.each([...broken, ...newer])('finds %s', (_name, breakIt, words) => {
    const told = well();
    breakIt(told);
    expect(violations(told).join('\n')).toMatch(words);
  });
});
