import { isUint8Array } from 'node:util/types';
import { fail, ok, type ImageReference } from '../protocol';
import { checkImage } from './check-image';
import { createExpiringSlots } from './expiring-slots';
import { imageLifeMs, maxImageBytes } from './image-limits';
import type { ImageChange, ImageInput, ImageSource, ImageStore } from './image-store-port';

export interface ImageStoreDeps {
  /** Monotonic milliseconds. */
  clock(): number;
  /** A new id, unique among images. */
  newId(): string;
  /** Milliseconds that an image lives; five minutes unless given. */
  readonly ttl_ms?: number;
}

interface Held {
  readonly reference: ImageReference;
  readonly source: ImageSource;
  /** The store's own copy; zeros once the image is gone. */
  readonly data: Uint8Array;
}

/** Copied before it is checked, so that nobody changes it in between; what is too large stays, to be refused. */
function ownCopy({ media_type, data }: ImageInput): ImageInput {
  const fits = isUint8Array(data) && data.byteLength <= maxImageBytes;
  return { media_type, data: fits ? new Uint8Array(data) : data };
}

/** Everything lies in this closure: printing or serialising the store shows its functions and no image. */
export function createImageStore(deps: ImageStoreDeps): ImageStore {
  const listeners = new Set<(change: ImageChange) => void>();
  let closed = false;

  function tell(session_id: string, { image_id }: ImageReference, state: ImageChange['state']): void {
    for (const listener of [...listeners]) listener({ session_id, image_id, state });
  }

  const held = createExpiringSlots<Held>({
    clock: deps.clock,
    life_ms: deps.ttl_ms ?? imageLifeMs,
    emptied(sessionId, { reference, data }, why) {
      data.fill(0);
      tell(sessionId, reference, why);
    },
  });

  return {
    put(sessionId, { qualified_name, turn_id, call_id }, image) {
      if (closed) return fail('interrupted', 'The image was not kept: the app is closing.');
      const own = ownCopy(image);
      const checked = checkImage(own);
      if (!checked.ok) return checked;
      const reference: ImageReference = { image_id: deps.newId(), ...checked.value };
      held.put(sessionId, { reference, source: { qualified_name, turn_id, call_id }, data: own.data });
      tell(sessionId, reference, 'kept');
      return ok(reference);
    },
    latest(sessionId) {
      const found = held.get(sessionId);
      if (!found) return null;
      const { reference, source } = found.value;
      return { reference, source, remaining_ms: found.remaining_ms };
    },
    bytes(sessionId, imageId) {
      const value = held.get(sessionId)?.value;
      return value?.reference.image_id === imageId ? new Uint8Array(value.data) : null;
    },
    drop: (sessionId) => held.drop(sessionId),
    onChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      closed = true;
      held.dropAll();
      listeners.clear();
    },
  };
}
