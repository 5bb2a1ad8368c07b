import type { CommandDoubt } from '../protocol';

/** A place in a text, in UTF-16 units: from, and up to but without. */
export type Span = readonly [number, number];

/** Why a command line is not read further, and where. */
export interface Doubt {
  readonly reason: CommandDoubt;
  readonly at: Span;
}

export type OrDoubt<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly doubt: Doubt };

export function sure<T>(value: T): OrDoubt<T> {
  return { ok: true, value };
}

export function doubt(reason: CommandDoubt, start: number, end: number): { ok: false; doubt: Doubt } {
  return { ok: false, doubt: { reason, at: [start, end] } };
}
