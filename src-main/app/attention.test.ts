import { expect, it } from 'vitest';
import type { HarnessNotice, Json, SessionSummary } from '../harness';
import { madeSummary } from '../harness/testing/made-summary';
import { attentionSettings, startAttention, type NoticeEvents } from './attention';

const summary = (session_id: string, ...waiting: string[]): SessionSummary =>
  madeSummary(session_id, { waiting });

function begin(known: readonly SessionSummary[] = []) {
  const said: unknown[] = [];
  const listeners = new Set<(notice: HarnessNotice) => void>();
  const settings: Record<string, Json> = {};
  const place: { present: boolean; now: number; due: { at: number; run: () => void } | null } = {
    present: false,
    now: 0,
    due: null,
  };
  let events: NoticeEvents | null = null;
  const attention = startAttention({
    harness: {
      sessions: { list: () => known },
      settings: { get: () => settings },
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    present: () => place.present,
    idleMs: () => 0,
    surface(given) {
      events = given;
      return {
        show: (id, content) => said.push(['show', id, content.requests]),
        close: () => said.push(['close']),
        badge: (count) => said.push(['badge', count]),
      };
    },
    open: (target) => said.push(['open', target]),
    clock: {
      now: () => place.now,
      after(ms, run) {
        const due = { at: place.now + ms, run };
        place.due = due;
        return () => {
          if (place.due === due) place.due = null;
        };
      },
    },
  });
  return {
    said,
    settings,
    attention,
    clicked: () => events?.clicked(),
    timer: () => place.due !== null,
    look(present: boolean) {
      place.present = present;
      attention.look();
    },
    tell(notice: HarnessNotice) {
      for (const listener of listeners) listener(notice);
    },
    pass(ms: number) {
      const end = place.now + ms;
      while (place.due && place.due.at <= end) {
        const { at, run } = place.due;
        place.due = null;
        place.now = at;
        run();
      }
      place.now = end;
    },
  };
}

it('follows the sessions of the harness: those that were there, those that change, those that go', () => {
  const app = begin([summary('new', 'b1'), summary('old', 'a1')]);
  app.tell({ type: 'session_changed', summary: summary('s1', 'c1') });
  app.tell({ type: 'session_removed', session_id: 'new' });
  app.tell({ type: 'session_changed', summary: summary('s1') });
  expect(app.said).toEqual([
    ['badge', 1],
    ['badge', 2],
    ['show', 1, 1],
    ['badge', 3],
    ['badge', 2],
    ['close'],
    ['badge', 1],
  ]);
});

it('opens the request of a notice that is clicked', () => {
  const app = begin();
  app.tell({ type: 'session_changed', summary: summary('s1', 'a1') });
  app.clicked();
  expect(app.said).toContainEqual(['open', { session_id: 's1', approval_id: 'a1' }]);
});

it('wakes by itself for what was held back, and obeys a setting at once', () => {
  const app = begin();
  app.tell({ type: 'session_changed', summary: summary('s1', 'a1') });
  app.tell({ type: 'session_changed', summary: summary('s1', 'a1', 'a2') });
  expect(app.said.filter((line) => Array.isArray(line) && line[0] === 'show')).toHaveLength(1);
  app.pass(5_000);
  expect(app.said).toContainEqual(['show', 2, 2]);
  app.settings['notify_requests'] = false;
  app.tell({ type: 'settings_changed', settings: app.settings });
  expect(app.said.at(-1)).toEqual(['close']);
  expect(app.timer()).toBe(false);
});

it('follows the focus of the window', () => {
  const app = begin();
  app.look(true);
  app.tell({ type: 'session_changed', summary: summary('s1', 'a1') });
  expect(app.said).toEqual([['badge', 1]]);
  app.pass(60_000);
  app.look(false);
  app.tell({ type: 'session_changed', summary: summary('s1', 'a1', 'a2') });
  expect(app.said).toContainEqual(['show', 1, 1]);
});

it('leaves nothing on the system when it closes, and hears nothing more', () => {
  const app = begin();
  app.settings['notify_repeat_minutes'] = 1;
  app.tell({ type: 'session_changed', summary: summary('s1', 'a1') });
  app.attention.close();
  expect(app.said.slice(-2)).toEqual([['close'], ['badge', 0]]);
  expect(app.timer()).toBe(false);
  const said = app.said.length;
  app.tell({ type: 'session_changed', summary: summary('s1', 'a1', 'a2') });
  app.clicked();
  app.look(false);
  app.attention.close();
  expect(app.said).toHaveLength(said);
});

it.each([
  [{}, { requests: true, turn_end: true, repeat_ms: 0 }],
  [
    { notify_requests: false, notify_turn_end: false, notify_repeat_minutes: 60 },
    { requests: false, turn_end: false, repeat_ms: 3_600_000 },
  ],
  [
    { notify_requests: 'no', notify_repeat_minutes: 61 },
    { requests: true, turn_end: true, repeat_ms: 0 },
  ],
  [{ notify_repeat_minutes: 2.5 }, { requests: true, turn_end: true, repeat_ms: 0 }],
  [{ notify_repeat_minutes: -1 }, { requests: true, turn_end: true, repeat_ms: 0 }],
])('reads the settings %j', (stored, read) => {
  expect(attentionSettings(stored)).toEqual(read);
});
