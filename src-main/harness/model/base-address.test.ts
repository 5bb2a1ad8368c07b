import { describe, expect, it } from 'vitest';
import { checkKey, parseBaseUrl } from './base-address';

const parse = (text: string) => parseBaseUrl(text, '/v1');

describe('base address', () => {
  it.each([
    ['https://openrouter.ai/api/v1/', 'https://openrouter.ai/api/v1'],
    ['https://example.com', 'https://example.com/v1'],
    [' http://127.0.0.1:8080/v1/chat/completions ', 'http://127.0.0.1:8080/v1'],
    ['http://localhost:1234', 'http://localhost:1234/v1'],
    ['http://[::1]:1234/v1', 'http://[::1]:1234/v1'],
    ['http://192.168.1.20:11434/v1', 'http://192.168.1.20:11434/v1'],
    ['http://nas:11434/v1', 'http://nas:11434/v1'],
    ['http://studio.local/v1', 'http://studio.local/v1'],
  ])('takes %s as %s', (given, taken) => {
    expect(parse(given)).toEqual({ ok: true, value: taken });
  });

  it.each([
    ['http://example.com/v1', 'not encrypted'],
    ['http://8.8.8.8/v1', 'not encrypted'],
    ['http://127.0.0.1.example.com/v1', 'not encrypted'],
    ['http://172.32.0.1/v1', 'not encrypted'],
    ['ftp://example.com', 'not a web address'],
    ['file:///etc/passwd', 'not a web address'],
    ['example.com/v1', 'not a web address'],
    ['', 'not a web address'],
    ['https://me:secret@example.com/v1', 'user name or password'],
    ['https://example.com/v1?key=secret', 'Leave it out'],
  ])('refuses %s and says why', (given, why) => {
    const result = parse(given);
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(!result.ok && result.error.message).toContain(why);
    expect(JSON.stringify(result)).not.toContain('secret');
  });
});

describe('key', () => {
  it('is trimmed', () => {
    expect(checkKey(' sk-1\n')).toEqual({ ok: true, value: 'sk-1' });
  });

  it.each(['', '  ', 'two words', 'line\nbreak', 'ключ', 'x'.repeat(5_000)])(
    'is refused when it cannot be sent',
    (key) => {
      const result = checkKey(key);
      expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
      if (key.trim() !== '') expect(JSON.stringify(result)).not.toContain(key);
    },
  );
});
