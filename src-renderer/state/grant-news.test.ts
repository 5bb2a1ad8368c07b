import { describe, expect, it, vi } from 'vitest';
import { fail, type Push, type SessionEvent } from '../../src-preload/contract';
import { createAppState } from './app-state';

function begin() {
  let listener: (push: Push) => void = () => undefined;
  const app = createAppState({
    gateway: {
      command: () => Promise.resolve(fail('not_found', 'none') as never),
      query: () => Promise.resolve(fail('not_found', 'none') as never),
      onPush: (next) => {
        listener = next;
        return () => undefined;
      },
    },
  });
  app.start();
  return { app, push: (push: Push) => listener(push), changes: () => app.host.getState().grantChanges };
}

const event = (type: SessionEvent['type'], data: unknown): SessionEvent =>
  ({ seq: 1, session_id: 's', turn_id: 't', type, version: 1, at: '2026-01-01T00:00:00Z', data }) as never;

const sessionPush = (events: readonly SessionEvent[]): Push => ({
  topic: 'session',
  session_id: 's',
  events,
  signals: [],
  caught_up: true,
  from_seq: 1,
});

describe('whoever shows remembered permissions', () => {
  it('asks anew when one that outlives its session came or went', () => {
    const { push, changes } = begin();
    push({ topic: 'grants' });
    expect(changes()).toBe(1);
  });

  it('asks anew when a session that is followed records one, and not at each of its events', async () => {
    const { push, changes } = begin();
    push(
      sessionPush([
        event('message_submitted', { message_id: 'm', text: 'Hi', attachments: [], mentions: [] }),
      ]),
    );
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(changes()).toBe(0);
    push(sessionPush([event('grant_ended', { grant_id: 'g', how: 'revoked' })]));
    await vi.waitFor(() => expect(changes()).toBe(1));
  });

  it('asks anew when a session is deleted, and with it what was allowed for it', () => {
    const { push, changes } = begin();
    push({ topic: 'sessions', changed: [], removed: [] });
    expect(changes()).toBe(0);
    push({ topic: 'sessions', changed: [], removed: ['s'] });
    expect(changes()).toBe(1);
  });
});
