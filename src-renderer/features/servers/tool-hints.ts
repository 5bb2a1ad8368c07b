import type { JsonObject } from '../../../src-preload/contract';
import type { MessageKey } from '../../messages/use-text';

/** What a server says of its own tool, in words; whatever is no plain yes or no is not said at all. */
export function hintWords(hints: JsonObject): readonly MessageKey[] {
  const words: MessageKey[] = [];
  const reads = hints['readOnlyHint'];
  const destroys = hints['destructiveHint'];
  if (reads === true) words.push('hint.reads');
  if (reads === false) words.push('hint.writes');
  if (destroys === true) words.push('hint.destroys');
  if (destroys === false && reads !== true) words.push('hint.only_adds');
  if (hints['idempotentHint'] === true && reads !== true) words.push('hint.repeats_safely');
  if (hints['openWorldHint'] === true) words.push('hint.open');
  if (hints['openWorldHint'] === false) words.push('hint.closed');
  return words;
}

/** The server itself says that the tool does more than read: then it is asked about whatever it counts as. */
export function saysItWrites(hints: JsonObject): boolean {
  return hints['readOnlyHint'] === false || hints['destructiveHint'] === true;
}

export type HintKind = 'reads' | 'writes' | 'silent';

/** What the server says about reading and writing. Where it contradicts itself, the more careful of the two. */
export function hintKind(hints: JsonObject): HintKind {
  if (saysItWrites(hints)) return 'writes';
  return hints['readOnlyHint'] === true ? 'reads' : 'silent';
}
