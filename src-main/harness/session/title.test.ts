import { describe, expect, it } from 'vitest';
import { words } from '../testing/session-acts';
import { automaticTitle, continuedTitle } from './title';

describe('a title', () => {
  it.each([
    ['  Sort   my\nmail ', 'Sort my mail'],
    [`${'word '.repeat(20)}`, `${'word '.repeat(12).trimEnd()}…`],
    [`${'x'.repeat(59)}👍 and more`, `${'x'.repeat(59)}…`],
  ])('is made of the first words, cut between them and between characters: %j', (text, title) => {
    expect(automaticTitle(words(text))).toBe(title);
  });

  it.each([
    ['Sort my mail', 'Sort my mail (2)'],
    ['Sort my mail (2)', 'Sort my mail (3)'],
    ['Report (2026)', 'Report (2026) (2)'],
    ['(2)', '(2) (2)'],
  ])('of a session that goes on with %j is %j', (former, title) => {
    expect(continuedTitle(former)).toBe(title);
  });
});
