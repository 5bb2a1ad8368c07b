import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../model';
import { queuedMessages } from '../protocol';
import { ran, read, write } from '../testing/bench-tools';
import { calls, fails, says, scriptedModel } from '../testing/scripted-model';
import {
  answer,
  began,
  benches,
  idle,
  only,
  request,
  say,
  start,
  types,
  words,
} from '../testing/session-acts';
import { until, type BenchTool, type SessionBench } from '../testing/session-bench';
import type { Session } from './session-port';

const bench = benches();

const asked = (one: ModelRequest | undefined) =>
  one?.messages.filter((message) => message.role === 'user').map((message) => message.text) ?? [];

const held = (made: SessionBench, session: Session) =>
  queuedMessages(made.view(session.session_id)).map((message) => message.data.text);

const streaming = (made: SessionBench, session: Session) =>
  until(() => types(made.events(session.session_id)).includes('attempt_started'));

/** A read tool that ends when it is told to. */
function gated(): BenchTool & { open(): void } {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  return {
    name: 'test.gate',
    classification: 'read',
    call: () => gate.then(() => ({ text: 'through' })),
    open: () => open(),
  };
}

describe('a queued message', () => {
  it('is sent at once where nothing runs', async () => {
    const made = bench({ model: scriptedModel(says('ok')), tools: [] });
    const session = made.create();
    expect(began(session.queue(words('now'), 'next_turn'))).toEqual({ queued_id: null });
    await idle(session);
    expect(types(made.events(session.session_id))).not.toContain('message_queued');
    expect(only(made.events(session.session_id), 'turn_finished')).toHaveLength(1);
  });

  it('waits for the end of the turn; several go one after the other, in order', async () => {
    const gate = gated();
    const model = scriptedModel(
      calls(['c1', 'test__gate', {}]),
      says('ok'),
      says('one done'),
      says('two done'),
    );
    const made = bench({ model, tools: [gate] });
    const session = made.create();
    await start(session, 'first');
    began(session.queue(words('one'), 'next_turn'));
    began(session.queue(words('two'), 'next_turn'));
    expect(held(made, session)).toEqual(['one', 'two']);
    gate.open();
    await until(() => only(made.events(session.session_id), 'turn_finished').length === 3);
    expect(asked(model.requests[3])).toEqual(['first', 'one', 'two']);
    expect(model.requests.map((one) => asked(one).at(-1))).toEqual(['first', 'first', 'one', 'two']);
    expect(held(made, session)).toEqual([]);
  });

  it('that is meant for this turn joins its next request, behind the results, before those for later', async () => {
    const gate = gated();
    const model = scriptedModel(calls(['c1', 'test__gate', {}]), says('steered'), says('later'));
    const made = bench({ model, tools: [gate] });
    const session = made.create();
    const { turn_id } = await start(session, 'first');
    await streaming(made, session);
    began(session.queue(words('later'), 'next_turn'));
    began(session.queue(words('rather so'), 'this_turn'));
    gate.open();
    await until(() => only(made.events(session.session_id), 'turn_finished').length === 2);
    expect(model.requests[1]?.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
    ]);
    expect(asked(model.requests[1])).toEqual(['first', 'rather so']);
    expect(asked(model.requests[2])).toEqual(['first', 'rather so', 'later']);
    const [steered] = only(made.events(session.session_id), 'message_steered');
    expect(steered).toMatchObject({ turn_id, data: { text: 'rather so', attempt: 2 } });
  });

  it('that comes while the last answer streams makes the turn go on', async () => {
    const made = bench({
      model: scriptedModel(() => {
        began(session.queue(words('and this'), 'this_turn'));
        return says('First.');
      }, says('Second.')),
      tools: [],
    });
    const session = made.create();
    await say(session, 'first');
    const events = made.events(session.session_id);
    expect(only(events, 'turn_finished')).toHaveLength(1);
    expect(only(events, 'assistant_message').map(({ data }) => data.text)).toEqual(['First.', 'Second.']);
    expect(only(events, 'message_steered')[0]?.data.attempt).toBe(2);
  });

  it('that is meant for this turn and comes too late is sent behind it', async () => {
    const gate = gated();
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__gate', {}]), fails('model_unauthorized', false), says('ok')),
      tools: [gate],
    });
    const session = made.create();
    const { done } = await start(session);
    gate.open();
    await until(() => types(made.events(session.session_id)).includes('tool_finished'));
    await done;
    began(session.queue(words('late'), 'this_turn'));
    await idle(session);
    expect(only(made.events(session.session_id), 'message_submitted').at(-1)?.data.text).toBe('late');
  });

  it('is held after a stop and after a failure, until it is sent, and then the rest follows', async () => {
    const model = scriptedModel(
      ['hang'],
      says('one done'),
      fails('model_unauthorized', false),
      says('three done'),
    );
    const made = bench({ model, tools: [] });
    const session = made.create();
    const { done } = await start(session, 'first');
    await streaming(made, session);
    for (const text of ['one', 'two', 'three']) began(session.queue(words(text), 'next_turn'));
    await session.stop();
    await done;
    expect([held(made, session), session.busy()]).toEqual([['one', 'two', 'three'], false]);
    await began(session.sendQueued()).done;
    await until(() => only(made.events(session.session_id), 'turn_finished').length === 3);
    await idle(session);
    expect(held(made, session)).toEqual(['three']);
    await began(session.sendQueued()).done;
    expect(asked(model.requests[3])).toEqual(['first', 'one', 'two', 'three']);
    expect(session.sendQueued()).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('behind held ones keeps its place', async () => {
    const model = scriptedModel(['hang'], says('a'), says('b'));
    const made = bench({ model, tools: [] });
    const session = made.create();
    const { done } = await start(session, 'first');
    await streaming(made, session);
    began(session.queue(words('a'), 'next_turn'));
    await session.stop();
    await done;
    expect(began(session.queue(words('b'), 'next_turn')).queued_id).not.toBeNull();
    expect(held(made, session)).toEqual(['a', 'b']);
    await began(session.sendQueued()).done;
    await until(() => only(made.events(session.session_id), 'turn_finished').length === 3);
    expect(asked(model.requests[2])).toEqual(['first', 'a', 'b']);
  });

  it.each([
    ['a new message', (session: Session) => session.submit(words('else'))],
    ['an edit', (session: Session, turnId: string) => session.edit(turnId, words('else'))],
  ])('that was held back stays held behind %s that completes; what is queued later goes', async (_, act) => {
    const gate = gated();
    const model = scriptedModel(
      ['hang'],
      calls(['c1', 'test__gate', {}]),
      says('else done'),
      says('new done'),
      says('held done'),
    );
    const made = bench({ model, tools: [gate] });
    const session = made.create();
    const { done, turn_id } = await start(session, 'first');
    await streaming(made, session);
    began(session.queue(words('held'), 'next_turn'));
    began(session.queue(words('steer'), 'this_turn'));
    await session.stop();
    await done;
    const turn = began(act(session, turn_id));
    began(session.queue(words('new'), 'next_turn'));
    gate.open();
    await turn.done;
    await until(() => only(made.events(session.session_id), 'turn_finished').length === 3);
    await idle(session);
    expect(held(made, session)).toEqual(['held', 'steer']);
    expect(asked(model.requests.at(-1)).slice(-2)).toEqual(['else', 'new']);
    await began(session.sendQueued()).done;
    expect(held(made, session)).not.toContain('held');
  });

  it('can be taken back once, and not after it went', async () => {
    const gate = gated();
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__gate', {}]), says('ok'), says('b done')),
      tools: [gate],
    });
    const session = made.create();
    await start(session);
    const { queued_id: a } = began(session.queue(words('a'), 'next_turn'));
    const { queued_id: b } = began(session.queue(words('b'), 'next_turn'));
    expect(began(session.unqueue(a ?? ''))).toBeNull();
    expect(session.unqueue(a ?? '')).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    gate.open();
    await until(() => only(made.events(session.session_id), 'turn_finished').length === 2);
    expect(session.unqueue(b ?? '')).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    const sent = only(made.events(session.session_id), 'message_submitted').map(({ data }) => data.text);
    expect(sent).toEqual(['Go', 'b']);
  });

  it('with a file is there whole after a restart, held, and waits while a request does', async () => {
    ran.length = 0;
    const made = bench({ model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }])), tools: [write] });
    const session = made.create();
    await start(session, 'first');
    const pending = await request(made, session);
    const bytes = Buffer.from('in the file');
    began(session.queue(words('with', [{ name: 'a.txt', media_type: 'text/plain', bytes }]), 'next_turn'));
    await session.close();
    const model = scriptedModel(says('done'), says('read'));
    const again = made.reopen(session.session_id, { model });
    expect([held(made, again), model.requests]).toEqual([['with'], []]);
    expect(again.sendQueued()).toMatchObject({ ok: false, error: { code: 'session_busy' } });
    began(answer(again, pending, 'once'));
    // The turn that was answered completes, and what waits behind it goes on.
    await until(() => only(made.events(session.session_id), 'turn_finished').length === 2);
    const [message] = model.requests[1]?.messages.slice(-1) ?? [];
    expect(message).toMatchObject({ role: 'user', text: 'with', files: [{ name: 'a.txt' }] });
    expect(ran).toEqual(['x']);
  });

  it('steers a turn that a restart left waiting', async () => {
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }], ['c2', 'test__read', { what: 'y' }])),
      tools: [write, read],
    });
    const session = made.create();
    await start(session, 'first');
    const pending = await request(made, session);
    await until(() => made.states(session.session_id)['c2'] === 'completed');
    await session.close();
    const model = scriptedModel(says('done'));
    const again = made.reopen(session.session_id, { model });
    began(again.queue(words('mind this'), 'this_turn'));
    began(answer(again, pending, 'deny'));
    await idle(again);
    expect(asked(model.requests[0])).toEqual(['first', 'mind this']);
  });
});
