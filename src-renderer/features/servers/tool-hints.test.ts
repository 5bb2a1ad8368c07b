import { describe, expect, it } from 'vitest';
import { hintKind, hintWords, saysItWrites } from './tool-hints';

describe('field report 37: what a server says of its own tools', () => {
  it('is put into words without being believed', () => {
    expect(hintWords({ readOnlyHint: true, destructiveHint: false, openWorldHint: false })).toEqual([
      'hint.reads',
      'hint.closed',
    ]);
    expect(hintWords({ readOnlyHint: false, destructiveHint: true, openWorldHint: true })).toEqual([
      'hint.writes',
      'hint.destroys',
      'hint.open',
    ]);
    expect(hintWords({ destructiveHint: false, idempotentHint: true })).toEqual([
      'hint.only_adds',
      'hint.repeats_safely',
    ]);
    expect(hintWords({})).toEqual([]);
  });

  it('counts only where it is a plain yes or no', () => {
    expect(hintWords({ readOnlyHint: 'true', destructiveHint: 0, openWorldHint: null })).toEqual([]);
    expect(hintKind({ readOnlyHint: 'true' })).toBe('silent');
    expect(saysItWrites({ readOnlyHint: 'false', destructiveHint: 1 })).toBe(false);
  });

  it('is read as the more careful of two words that contradict one another', () => {
    expect(hintKind({ readOnlyHint: true, destructiveHint: true })).toBe('writes');
    expect(hintKind({ readOnlyHint: true })).toBe('reads');
    expect(hintKind({ openWorldHint: false })).toBe('silent');
  });
});
