import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { samplePng, sampleJpeg } from '../testing/sample-images';
import { imageLifeMs } from './image-limits';
import { createImageStore } from './image-store';
import type { ImageReference } from '../protocol';
import type { ImageChange, ImageStore } from './image-store-port';

const source = { qualified_name: 'game.shot', turn_id: 't_1', call_id: 'c_1' };
const pngInput = (shade = 1) => ({
  media_type: 'image/png',
  data: new Uint8Array(samplePng(8, 8, { shade })),
});

let time = 0;
let store: ImageStore;
let changes: ImageChange[];

beforeEach(() => {
  vi.useFakeTimers();
  time = 1_000;
  let count = 0;
  store = createImageStore({ clock: () => time, newId: () => `i_${(count += 1)}` });
  changes = [];
  store.onChanged((change) => changes.push(change));
});
afterEach(() => {
  store.close();
  vi.useRealTimers();
});

function put(session = 's_1', image = pngInput()): ImageReference {
  const result = store.put(session, source, image);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
/** Lets clock and timers go on together. */
function pass(ms: number): void {
  time += ms;
  vi.advanceTimersByTime(ms);
}

describe('createImageStore', () => {
  it('S1-72 S1-73 holds an image and answers a reference without pixels', () => {
    const image = pngInput();
    const reference = put('s_1', image);
    expect(Object.keys(reference).sort()).toEqual([
      'bytes',
      'digest',
      'height',
      'image_id',
      'media_type',
      'width',
    ]);
    expect(store.latest('s_1')).toEqual({ reference, source, remaining_ms: imageLifeMs });
    expect(store.bytes('s_1', reference.image_id)).toEqual(image.data);
    expect(store.latest('s_2')).toBeNull();
    expect(store.bytes('s_2', reference.image_id)).toBeNull();
  });
  it('S1-68 S1-74 holds the latest of each session only', () => {
    const first = put('s_1', pngInput(1));
    const other = put('s_2', pngInput(2));
    const second = put('s_1', { media_type: 'image/jpeg', data: new Uint8Array(sampleJpeg()) });
    expect(store.bytes('s_1', first.image_id)).toBeNull();
    expect(store.latest('s_1')?.reference).toEqual(second);
    expect(store.latest('s_2')?.reference).toEqual(other);
    expect(changes).toEqual([
      { session_id: 's_1', image_id: first.image_id, state: 'kept' },
      { session_id: 's_2', image_id: other.image_id, state: 'kept' },
      { session_id: 's_1', image_id: first.image_id, state: 'replaced' },
      { session_id: 's_1', image_id: second.image_id, state: 'kept' },
    ]);
  });
  it('S1-71 a refused image leaves the former one where it is', () => {
    const reference = put();
    const refused = store.put('s_1', source, { media_type: 'image/png', data: new Uint8Array([1, 2, 3]) });
    expect(refused).toMatchObject({ ok: false, error: { code: 'image_refused' } });
    expect(store.put('s_1', source, { media_type: 'image/png', data: 'x' as never }).ok).toBe(false);
    expect(store.latest('s_1')?.reference).toEqual(reference);
  });
  it('S1-72 an image is gone after five minutes, and reading does not lengthen that', () => {
    const { image_id } = put();
    for (let minute = 1; minute < 5; minute += 1) {
      pass(60_000);
      expect(store.latest('s_1')?.remaining_ms).toBe(imageLifeMs - minute * 60_000);
      expect(store.bytes('s_1', image_id)).not.toBeNull();
    }
    pass(59_999);
    expect(store.latest('s_1')?.remaining_ms).toBe(1);
    pass(1);
    expect(changes.at(-1)).toEqual({ session_id: 's_1', image_id, state: 'expired' });
    expect(store.latest('s_1')).toBeNull();
    expect(store.bytes('s_1', image_id)).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });
  it('S1-72 a clock that jumps forward ends the life at the next look, before any timer', () => {
    const { image_id } = put();
    time += imageLifeMs;
    expect(store.bytes('s_1', image_id)).toBeNull();
    expect(changes.at(-1)?.state).toBe('expired');
    expect(vi.getTimerCount()).toBe(0);
  });
  it('S1-72 a clock that jumps back lengthens no life', () => {
    put();
    pass(200_000);
    expect(store.latest('s_1')?.remaining_ms).toBe(100_000);
    time -= 3_600_000;
    expect(store.latest('s_1')?.remaining_ms).toBe(100_000);
    time += 3_600_000;
    pass(100_000);
    expect(store.latest('s_1')).toBeNull();
  });
  it('a timer that comes early by the clock waits for the rest', () => {
    put();
    vi.advanceTimersByTime(imageLifeMs);
    expect(store.latest('s_1')?.remaining_ms).toBe(imageLifeMs);
    pass(imageLifeMs);
    expect(changes.at(-1)?.state).toBe('expired');
  });
  it('gives an image that takes a place the whole five minutes', () => {
    put();
    pass(200_000);
    put();
    pass(200_000);
    expect(store.latest('s_1')?.remaining_ms).toBe(100_000);
  });
  it('forgets by drop and by close, and takes nothing after that', () => {
    const first = put();
    store.drop('s_1');
    store.drop('s_1');
    expect(store.bytes('s_1', first.image_id)).toBeNull();
    const second = put('s_2');
    store.close();
    expect(changes.slice(-1)).toEqual([{ session_id: 's_2', image_id: second.image_id, state: 'dropped' }]);
    expect(store.put('s_1', source, pngInput())).toMatchObject({ ok: false, error: { code: 'interrupted' } });
    expect(store.latest('s_2')).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
    store.close();
  });
  it('a listener that has left hears nothing', () => {
    const heard = vi.fn();
    const leave = store.onChanged(heard);
    put();
    leave();
    store.drop('s_1');
    expect(heard).toHaveBeenCalledTimes(1);
  });
});

describe('the bytes', () => {
  it('belong to the store: callers can change neither them nor the image that they gave', () => {
    const image = pngInput();
    const before = new Uint8Array(image.data);
    const { image_id } = put('s_1', image);
    image.data.fill(9);
    store.bytes('s_1', image_id)?.fill(7);
    expect(store.bytes('s_1', image_id)).toEqual(before);
    store.drop('s_1');
    expect(image.data.every((byte) => byte === 9)).toBe(true);
  });
  it.each<[string, () => void]>([
    ['replaced', () => void put('s_1', pngInput(2))],
    ['dropped', () => store.drop('s_1')],
    ['dropped', () => store.close()],
    ['expired', () => pass(imageLifeMs)],
  ])('S1-72 are overwritten when the image is %s', (state, happen) => {
    // The only way to see the store's own copy is to watch it being made.
    const fill = vi.spyOn(Uint8Array.prototype, 'fill');
    try {
      const image = pngInput();
      put('s_1', image);
      happen();
      expect(changes.map((change) => change.state)).toContain(state);
      const wiped = (fill.mock.contexts as Uint8Array[]).filter((one) => one.length === image.data.length);
      expect(wiped).toHaveLength(1);
      expect(wiped[0]).not.toBe(image.data);
      expect(wiped[0]?.every((byte) => byte === 0)).toBe(true);
    } finally {
      fill.mockRestore();
    }
  });
  it('S1-73 show in no print of the store, of its answers or of its failures', () => {
    const image = pngInput();
    const reference = put('s_1', image);
    const refused = store.put('s_1', source, { media_type: 'image/jpeg', data: image.data });
    const seen = [store, reference, refused, store.latest('s_1'), changes];
    const printed = [
      JSON.stringify(seen),
      inspect(seen, { depth: 20, showHidden: true, maxArrayLength: 9_999 }),
    ];
    for (const text of printed) {
      expect(text).not.toMatch(/137,\s*80,\s*78/);
      expect(text).not.toMatch(/Uint8Array|Buffer|iVBOR|\uFFFDPNG/);
    }
  });
  it('S1-72 keep no process alive', () => {
    vi.useRealTimers();
    const set = vi.spyOn(globalThis, 'setTimeout');
    put();
    expect((set.mock.results[0]?.value as NodeJS.Timeout).hasRef()).toBe(false);
    set.mockRestore();
  });
});
