import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionImage } from '../../src-preload/contract';
import { createImageHolder, createImageStore, latestImage } from './image-store';

const image = (id: string, remaining = 300_000): SessionImage => ({
  reference: { image_id: id, media_type: 'image/png', bytes: 3, digest: 'd', width: 4, height: 5 },
  qualified_name: 'screen.capture',
  turn_id: 't',
  call_id: 'c',
  remaining_ms: remaining,
  base64: 'AQID',
});

function begin() {
  const store = createImageStore();
  const urls = new Set<string>();
  let made = 0;
  const holder = createImageHolder({
    store,
    makeUrl(bytes, type) {
      made += 1;
      const url = `${type} ${[...bytes].join()} ${made}`;
      urls.add(url);
      return url;
    },
    revokeUrl: (url) => urls.delete(url),
  });
  return { holder, urls, state: () => latestImage(store.getState(), 's') };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the latest image of a session in the window (S1-72)', () => {
  it('is there with its pixels until its time is over, and then nothing of it stays', () => {
    const { holder, urls, state } = begin();
    expect(state().status).toBe('unknown');
    holder.take('s', image('i'), 1000);
    expect(state()).toMatchObject({ status: 'live', url: 'image/png 1,2,3 1', expiresAt: 301_000 });
    expect(state()).not.toHaveProperty('base64');
    vi.advanceTimersByTime(299_999);
    expect(state().status).toBe('live');
    vi.advanceTimersByTime(1);
    expect(state().status).toBe('none');
    expect(urls.size).toBe(0);
  });

  it('gives way to a newer one, whose time is its own', () => {
    const { holder, urls, state } = begin();
    holder.take('s', image('i', 100), 0);
    holder.take('s', image('j', 500), 50);
    vi.advanceTimersByTime(200);
    expect(state()).toMatchObject({ status: 'live', reference: { image_id: 'j' }, expiresAt: 550 });
    expect(urls.size).toBe(1);
    holder.take('s', null, 250);
    expect(state().status).toBe('none');
    holder.take('s', image('k', 0), 250);
    expect(state().status).toBe('none');
  });

  it('goes with its session and with the window', () => {
    const { holder, urls, state } = begin();
    holder.take('s', image('i'), 0);
    holder.forget('s');
    expect([state().status, urls.size]).toEqual(['unknown', 0]);
    holder.take('s', image('i'), 0);
    holder.close();
    expect([state().status, urls.size]).toEqual(['unknown', 0]);
  });
});
