import {
  activeTurns,
  orderedRows,
  type ImageReference,
  type SessionView,
} from '../../../src-preload/contract';

export interface ImageOnRecord {
  readonly image: ImageReference;
  readonly qualified_name: string;
}

/** The newest image that a tool of this session returned, by its recorded reference; its pixels may be gone. */
export function latestImageOnRecord(view: SessionView): ImageOnRecord | null {
  let newest: (ImageOnRecord & { readonly seq: number }) | null = null;
  for (const turn of view.turns.values()) {
    for (const { finished } of orderedRows(turn)) {
      const image = finished?.data.result?.image;
      if (!finished || !image || (newest && newest.seq > finished.seq)) continue;
      const { qualified_name, model_alias } = finished.data;
      newest = { image, qualified_name: qualified_name ?? model_alias, seq: finished.seq };
    }
  }
  return newest && { image: newest.image, qualified_name: newest.qualified_name };
}

/** Whether the pixels went along with a request to the model (S1-75). */
export function modelReceived(view: SessionView, imageId: string): boolean {
  return activeTurns(view).some((turn) =>
    turn.attempts.some((attempt) => attempt.started?.data.image_id === imageId),
  );
}

/** `4:09`, rounded up, so that it says 0:00 only when nothing is left. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
