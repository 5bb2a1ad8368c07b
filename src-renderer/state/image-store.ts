import { createStore } from 'zustand/vanilla';
import type { ImageReference, SessionImage } from '../../src-preload/contract';

/** The latest image of a session: not asked yet, none, or alive until `expiresAt` (of `performance.now()`). */
export type LatestImageState =
  | { readonly status: 'unknown' }
  | { readonly status: 'none' }
  | {
      readonly status: 'live';
      readonly reference: ImageReference;
      readonly qualified_name: string;
      readonly turn_id: string;
      readonly call_id: string;
      /** An object URL of the pixels. */
      readonly url: string;
      readonly expiresAt: number;
    };

export interface ImagesState {
  readonly latest: ReadonlyMap<string, LatestImageState>;
}

export const createImageStore = () => createStore<ImagesState>()(() => ({ latest: new Map() }));
export type ImageStore = ReturnType<typeof createImageStore>;

const unknown: LatestImageState = { status: 'unknown' };

export function latestImage(state: ImagesState, sessionId: string): LatestImageState {
  return state.latest.get(sessionId) ?? unknown;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** The window's copy of the pixels: in memory only, and gone with the image (S1-72). */
export interface ImageHolder {
  /** Takes what main answered at `now`; null is none. */
  take(sessionId: string, image: SessionImage | null, now: number): void;
  forget(sessionId: string): void;
  close(): void;
}

export interface ImageHolderDeps {
  readonly store: ImageStore;
  readonly makeUrl: (bytes: Uint8Array<ArrayBuffer>, mediaType: string) => string;
  readonly revokeUrl: (url: string) => void;
}

export function createImageHolder({ store, makeUrl, revokeUrl }: ImageHolderDeps): ImageHolder {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const set = (sessionId: string, next: LatestImageState): void => {
    const before = latestImage(store.getState(), sessionId);
    clearTimeout(timers.get(sessionId));
    timers.delete(sessionId);
    store.setState((state) => ({ latest: new Map(state.latest).set(sessionId, next) }));
    if (before.status === 'live') revokeUrl(before.url);
  };
  return {
    take(sessionId, image, now) {
      if (!image || image.remaining_ms <= 0) {
        set(sessionId, { status: 'none' });
        return;
      }
      const { base64, remaining_ms, ...source } = image;
      const url = makeUrl(bytesOf(base64), image.reference.media_type);
      set(sessionId, { status: 'live', ...source, url, expiresAt: now + remaining_ms });
      timers.set(
        sessionId,
        setTimeout(() => set(sessionId, { status: 'none' }), remaining_ms),
      );
    },
    forget(sessionId) {
      if (store.getState().latest.has(sessionId)) set(sessionId, unknown);
    },
    close() {
      for (const id of [...store.getState().latest.keys()]) set(id, unknown);
    },
  };
}
