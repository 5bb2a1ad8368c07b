import { describe, expect, it } from 'vitest';
import { wellFormedJson } from './well-formed-json';

describe('JSON without halves of characters', () => {
  it.each([
    ['half a pair, first', 'a\ud83d', 'a\ufffd'],
    ['half a pair, second', '\udc4db', '\ufffdb'],
    ['the halves in the wrong order', '\udc4d\ud83d', '\ufffd\ufffd'],
    ['a whole pair', '\ud83d\udc4d', '\ud83d\udc4d'],
    ['an escape that is text', 'the text \\ud83d', 'the text \\ud83d'],
    ['an escape that is text behind a half', '\ud83d\\ud83d', '\ufffd\\ud83d'],
    ['other escapes', '"\n\u0000\u2028\\', '"\n\u0000\u2028\\'],
  ])('%s', (_what, text, sound) => {
    expect(JSON.parse(wellFormedJson(JSON.stringify({ [text]: [text] })))).toEqual({ [sound]: [sound] });
  });
});
