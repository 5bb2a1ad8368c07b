import { describe, expect, it, vi } from 'vitest';
import { fail, ok, type Push, type SessionSummary } from '../../src-preload/contract';
import type { Gateway } from '../bridge/gateway';
import { madeSummary } from '../testing/made-summary';
import { createAppState } from './app-state';
import { liveMentions } from './turn-actions';

const summary = (id: string, seq: number, title = id): SessionSummary =>
  madeSummary({ session_id: id, title, last_seq: seq });

function begin(answers: Partial<Record<string, unknown>> = {}) {
  const sent: [string, unknown][] = [];
  let listener: (push: Push) => void = () => undefined;
  const gateway: Gateway = {
    command: (name, payload) => {
      sent.push([name, payload]);
      return Promise.resolve((answers[name] ?? ok(null)) as never);
    },
    query: (name) => Promise.resolve((answers[name] ?? fail('not_found', 'none')) as never),
    onPush: (next) => {
      listener = next;
      return () => undefined;
    },
  };
  const app = createAppState({ gateway });
  app.start();
  return { app, sent, push: (push: Push) => listener(push) };
}

describe('the state of the window', () => {
  it('keeps a newer push over an older answer of a query', async () => {
    const { app, push } = begin({ 'sessions.list': ok([summary('a', 1, 'old'), summary('b', 1)]) });
    push({ topic: 'sessions', changed: [summary('a', 2, 'new')], removed: [] });
    await vi.waitFor(() => {
      const { sessions } = app.host.getState();
      expect(
        sessions.status === 'ready' && [sessions.value.get('a')?.title, sessions.value.has('b')],
      ).toEqual(['new', true]);
    });
  });

  it('shows a failed query as failed, with its reason', async () => {
    const { app } = begin();
    await vi.waitFor(() => expect(app.host.getState().coworkers.status).toBe('failed'));
  });

  it('leaves the page of a session that was deleted', () => {
    const { app, push } = begin();
    app.actions.goTo({ type: 'session', session_id: 'a' });
    push({ topic: 'sessions', changed: [], removed: ['a'] });
    expect(app.ui.getState().page).toEqual({ type: 'new' });
  });

  it('keeps few notices, none twice, and none when the page is left', () => {
    const { app } = begin();
    const failures = ['a', 'b', 'c', 'd', 'd'].map((message) => fail('internal', message).error);
    for (const failure of failures) app.actions.showNotice(failure);
    const shown = () => app.ui.getState().notices.map((notice) => notice.errors[0]?.message);
    expect(shown()).toEqual(['b', 'c', 'd']);
    app.actions.showNotice();
    expect(shown()).toHaveLength(3);
    app.actions.goTo({ type: 'inbox' });
    expect(shown()).toEqual([]);
  });

  it('opens the session that was open last, and keeps which one that is', async () => {
    const kept = { theme: 'system', language: 'system', default_model: null, layout: null, onboarded: true };
    const { app, sent } = begin({
      'settings.get': ok({ ...kept, last_session: 'b' }),
      'sessions.list': ok([summary('a', 1), summary('b', 1)]),
    });
    await vi.waitFor(() => expect(app.ui.getState().page).toEqual({ type: 'session', session_id: 'b' }));
    const writes = () => sent.filter(([name]) => name === 'setting.set').map(([, payload]) => payload);
    expect(writes()).toEqual([]);
    app.actions.goTo({ type: 'settings', section: 'models' });
    app.actions.goTo({ type: 'session', session_id: 'a' });
    app.actions.goTo({ type: 'new' });
    app.actions.goTo({ type: 'new' });
    expect(writes()).toEqual([
      { key: 'last_session', value: 'a' },
      { key: 'last_session', value: null },
    ]);
  });

  it('stays on the new session when the last one is gone or a draft has begun', async () => {
    const kept = { theme: 'system', language: 'system', default_model: null, layout: null, onboarded: true };
    const answers = {
      'settings.get': ok({ ...kept, last_session: 'b' }),
      'sessions.list': ok([summary('b', 1)]),
    };
    const gone = begin({ ...answers, 'sessions.list': ok([summary('a', 1)]) });
    const begun = begin(answers);
    begun.app.actions.updateDraft('new', () => ({ text: 'Half a thought' }));
    await new Promise((resolve) => setTimeout(resolve, 10));
    for (const { app } of [gone, begun]) {
      expect(app.host.getState().sessions.status).toBe('ready');
      expect(app.ui.getState().page).toEqual({ type: 'new' });
    }
  });

  it('keeps the draft when a message is refused, and clears it when it is taken', async () => {
    const refused = begin({ 'session.submit': fail('session_busy', 'Busy.') });
    refused.app.actions.updateDraft('a', () => ({ text: 'hello' }));
    expect(await refused.app.actions.submit('a', 'a')).toBe(false);
    expect(refused.app.ui.getState().drafts.a?.text).toBe('hello');
    expect(refused.app.ui.getState().notices).toHaveLength(1);
    const taken = begin({ 'session.submit': ok({ turn_id: 't' }) });
    taken.app.actions.updateDraft('a', () => ({ text: 'hello' }));
    expect(await taken.app.actions.submit('a', 'a')).toBe(true);
    expect(taken.app.ui.getState().drafts.a?.text).toBe('');
  });

  it('answers a request once, with the digest of what was seen, and says why an answer was refused', async () => {
    const request = {
      session_id: 's',
      approval_id: 'p',
      shown: { arguments_digest: 'd'.repeat(64), pin: 'e'.repeat(64) },
      answer: { type: 'allow', scope: 'once' },
    } as const;
    const { app, sent } = begin();
    await Promise.all([app.actions.answer(request), app.actions.answer(request)]);
    expect(sent.filter(([name]) => name === 'approval.answer')).toEqual([['approval.answer', request]]);
    const stale = begin({ 'approval.answer': fail('stale_answer', 'Too late.') });
    await stale.app.actions.answer(request);
    expect(stale.app.ui.getState().answers.p).toMatchObject({ status: 'failed' });
  });

  it('subscribes to a session once and from its last event on', async () => {
    const { app, sent } = begin();
    app.actions.follow('s');
    app.actions.follow('s');
    await Promise.resolve();
    expect(sent.filter(([name]) => name === 'session.subscribe')).toEqual([
      ['session.subscribe', { session_id: 's', after_seq: 0 }],
    ]);
  });

  it('opens exactly the request that a notification names', () => {
    const { app, push } = begin();
    push({ topic: 'reveal', target: { type: 'session', session_id: 's', approval_id: 'p' } });
    expect(app.ui.getState().page).toEqual({ type: 'session', session_id: 's' });
    expect(app.ui.getState().reveal?.target).toEqual({ type: 'approval', approval_id: 'p' });
  });

  it('mentions only files that the text still names', () => {
    expect(liveMentions({ text: 'see @a.txt', mentions: ['a.txt', 'b.txt'] })).toEqual(['a.txt']);
  });

  it('puts a message that is taken back before what was written since, files and all', async () => {
    const file = { attachment_id: 'n', name: 'a.png', media_type: 'image/png', bytes: 3 };
    const { app, sent } = begin({ 'attachment.restore': ok(file) });
    app.actions.updateDraft('s', () => ({ text: 'and this', mentions: ['b.txt'] }));
    const message = {
      queued_id: 'q',
      text: 'first @a.txt',
      mentions: ['a.txt'],
      attachments: [{ digest: 'd'.repeat(64), name: 'a.png', media_type: 'image/png', bytes: 3 }],
      delivery: 'next_turn',
    } as const;
    expect(await app.actions.takeBack('s', message)).toBe(true);
    expect(sent.map(([name]) => name)).toEqual(['session.unqueue', 'attachment.restore']);
    expect(app.ui.getState().drafts.s).toEqual({
      text: 'first @a.txt\n\nand this',
      mentions: ['a.txt', 'b.txt'],
      attachments: [{ ...file, preview: null }],
    });
  });

  it('leaves the draft as it is when a queued message went before it could be taken back', async () => {
    const { app } = begin({ 'session.unqueue': fail('not_found', 'It was sent.') });
    app.actions.updateDraft('s', () => ({ text: 'mine' }));
    const message = {
      queued_id: 'q',
      text: 'x',
      mentions: [],
      attachments: [],
      delivery: 'next_turn',
    } as const;
    expect(await app.actions.takeBack('s', message)).toBe(false);
    expect(app.ui.getState().drafts.s?.text).toBe('mine');
    expect(app.ui.getState().notices).toHaveLength(1);
  });

  it('queues the draft as it is, and keeps it when it is refused', async () => {
    const taken = begin({ 'session.queue': ok({ queued_id: 'q' }) });
    taken.app.actions.updateDraft('s', () => ({ text: 'later @a', mentions: ['a', 'b'] }));
    expect(await taken.app.actions.queue('s', 's', 'this_turn')).toBe(true);
    expect(taken.sent).toEqual([
      [
        'session.queue',
        { session_id: 's', text: 'later @a', attachments: [], mentions: ['a'], delivery: 'this_turn' },
      ],
    ]);
    expect(taken.app.ui.getState().drafts.s?.text).toBe('');
    const refused = begin({ 'session.queue': fail('invalid_input', 'No.') });
    refused.app.actions.updateDraft('s', () => ({ text: 'later' }));
    expect(await refused.app.actions.queue('s', 's', 'next_turn')).toBe(false);
    expect(refused.app.ui.getState().drafts.s?.text).toBe('later');
  });

  it('learns that a session is read only when it opens it, and again when a message is refused for it (S0-58)', async () => {
    const changed = { type: 'changed', parts: ['app'], reason: 'another version' } as const;
    const { app } = begin({
      'session.standing': ok(changed),
      'session.submit': fail('identity_changed', 'Another version.'),
    });
    app.actions.follow('s');
    expect(app.sessions.getState().open.get('s')?.standing).toBeNull();
    app.actions.updateDraft('s', () => ({ text: 'hello' }));
    await app.actions.submit('s', 's');
    await vi.waitFor(() => expect(app.sessions.getState().open.get('s')?.standing).toEqual(changed));
  });

  it('opens the session that carries another one on', async () => {
    const { app } = begin({ 'session.continue_as_new': ok({ session_id: 'next' }) });
    expect(await app.actions.continueAsNew('s')).toBe(true);
    expect(app.ui.getState().page).toEqual({ type: 'session', session_id: 'next' });
  });

  it('answers a pause once, and says why an answer was refused', async () => {
    const { app, sent } = begin();
    await Promise.all([app.actions.answerPause('s', 'p', true), app.actions.answerPause('s', 'p', true)]);
    expect(sent).toEqual([['session.answer_pause', { session_id: 's', pause_id: 'p', go_on: true }]]);
    const stale = begin({ 'session.answer_pause': fail('stale_answer', 'Too late.') });
    await stale.app.actions.answerPause('s', 'p', false);
    expect(stale.app.ui.getState().answers.p).toMatchObject({ status: 'failed' });
  });

  it('asks for the latest picture only of sessions that it follows', async () => {
    const asked: string[] = [];
    const { app, push } = begin();
    const query = app.gateway.query;
    Object.assign(app.gateway, {
      query: (name: string, payload: never) => {
        asked.push(name);
        return query(name as 'app.info', payload);
      },
    });
    push({ topic: 'image', session_id: 'other' });
    app.actions.follow('s');
    push({ topic: 'image', session_id: 's' });
    await Promise.resolve();
    expect(asked.filter((name) => name === 'session.image')).toHaveLength(2);
  });
});
