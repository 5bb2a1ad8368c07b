import type { Json, JsonObject, RequestReading } from '../../../src-preload/contract';

/** Arguments that stand beside a command or a difference, so that none is left out. */
export interface SentArguments {
  /** Shown at once. */
  readonly shown: JsonObject;
  /** Long texts whose effect is what is shown; each can be opened. */
  readonly folded: readonly (readonly [string, string])[];
}

/** Longer texts fold: they are the new content, or a patch, in another form. */
const longText = 300;

function isSaid(value: Json, shape: RequestReading['shape']): boolean {
  if (typeof value !== 'string') return false;
  if (shape.type === 'command') return value === shape.reading.text;
  return shape.type === 'files' && shape.changes.some(({ path }) => path === value);
}

/** A text folds only where a difference shows what it comes to. */
function folds(value: Json, shape: RequestReading['shape']): value is string {
  if (typeof value !== 'string' || shape.type !== 'files') return false;
  if (shape.changes.some(({ after }) => after === value && after !== '')) return true;
  const shownInFull = shape.changes.every(({ state }) =>
    ['new', 'changed', 'same', 'deleted'].includes(state),
  );
  return shownInFull && shape.changes.length > 0 && value.length > longText;
}

export function sentArguments(given: JsonObject, shape: RequestReading['shape']): SentArguments {
  const shown: Record<string, Json> = {};
  const folded: (readonly [string, string])[] = [];
  for (const [key, value = null] of Object.entries(given)) {
    if (isSaid(value, shape)) continue;
    if (folds(value, shape)) folded.push([key, value]);
    else shown[key] = value;
  }
  return { shown, folded };
}
