import { describe, expect, it } from 'vitest';
import { cutPlace, cutText } from './cut-text';

describe('a text that is cut', () => {
  it.each([
    ['ab👍cd', 3, 'ab'],
    ['ab👍cd', 4, 'ab👍'],
    ['ab👍cd', 2, 'ab'],
    ['ab', 9, 'ab'],
    ['ab', 0, ''],
    ['👍', 1, ''],
  ])('%j at %i', (text, end, head) => {
    expect(cutText(text, end)).toBe(head);
    expect(JSON.stringify(text.slice(cutPlace(text, end)))).not.toContain('\\u');
  });
});
