import type { ImageReference, Result } from '../protocol';

export type ImageMediaType = ImageReference['media_type'];

/** An image as a tool gives it. `media_type` and `data` are checked, not believed. */
export interface ImageInput {
  readonly media_type: string;
  readonly data: Uint8Array;
}

/** What a check found: the facts of a reference that has no id yet. `digest` is SHA-256 in hex of the bytes. */
export type CheckedImage = Omit<ImageReference, 'image_id'>;

/** The call that an image comes from. */
export interface ImageSource {
  readonly qualified_name: string;
  readonly turn_id: string;
  readonly call_id: string;
}

/** The image that a session holds at this moment. */
export interface LatestImage {
  readonly reference: ImageReference;
  readonly source: ImageSource;
  /** Milliseconds until it expires; more than 0. */
  readonly remaining_ms: number;
}

/** Something happened to one image. A replacement is two changes: `replaced`, then `kept` of the new one. */
export interface ImageChange {
  readonly session_id: string;
  readonly image_id: string;
  readonly state: 'kept' | 'replaced' | 'expired' | 'dropped';
}

/**
 * The latest image of each session, for five minutes, in memory only (S1-68, S1-72). Bytes are overwritten when an
 * image is replaced, dropped or expires; reading never lengthens its life.
 */
export interface ImageStore {
  /**
   * Checks an image and keeps a copy of its bytes in the place of the session's former one. A refused image leaves the
   * former one where it is. Fails with `image_refused`, and with `interrupted` once the store is closed.
   */
  put(sessionId: string, source: ImageSource, image: ImageInput): Result<ImageReference>;
  /** Null when the session has none, or it has expired. */
  latest(sessionId: string): LatestImage | null;
  /**
   * A copy of the bytes, for one request; null when the image is no longer the latest, or has expired. Whoever takes
   * them records them nowhere and lets go of them with the request.
   */
  bytes(sessionId: string, imageId: string): Uint8Array | null;
  /** Forgets the session's image: for a closed or deleted session, or where consent was taken back. */
  drop(sessionId: string): void;
  /** Listeners are called after the fact and must not throw. @returns a function that ends it */
  onChanged(listener: (change: ImageChange) => void): () => void;
  /** Forgets every image; nothing is taken afterwards. */
  close(): void;
}
