import type { ModelPart } from './port';

/** Reads the events of one response of one wire. */
export interface WireReader {
  /** Reads the data of one event; gives its parts to `out`. Nothing is read after `finished` or `failed`. */
  read(data: string, out: (part: ModelPart) => void): void;
  /** What the end of the stream means: the last part. */
  end(): readonly ModelPart[];
}

/** The data of an event; undefined where it is no JSON. */
export function parseEvent(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return undefined;
  }
}
