import { describe, expect, it } from 'vitest';
import { checkLink } from './links';

describe('the gate for links (hazard 42)', () => {
  it.each([
    ['https://example.com/a?b=c#d', 'example.com'],
    ['http://127.0.0.1:8080/', '127.0.0.1:8080'],
    ['HTTPS://EXAMPLE.COM', 'example.com'],
    ['mailto:ann@example.com', 'ann@example.com'],
    ['https://xn--e1awd7f.example/', 'xn--e1awd7f.example'],
    ['https://еxample.com/', 'xn--xample-2of.com'],
  ])('opens %s and shows %s', (raw, target) => {
    expect(checkLink(raw)).toMatchObject({ ok: true, value: { target } });
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'file:///etc/passwd',
    'smb://host/share',
    'ms-msdt:/id',
    'vscode://x',
    'data:text/html,x',
    '\\\\host\\share',
    'https:\\\\evil.example',
    'https://user@example.com/',
    'https://example.com@evil.example/',
    ' https://example.com',
    'https://exa\u0000mple.com',
    'https://example.com/\u009b',
    'java\nscript:alert(1)',
    'app://openworker/',
    'about:blank',
    'blob:app://openworker/x',
    'mailto:a@b.example?attach=/etc/passwd',
    'mailto:--help',
    '//example.com',
    '/etc/passwd',
    'example.com',
    '',
    `https://example.com/${'a'.repeat(5000)}`,
  ])('refuses %j in words', (raw) => {
    const checked = checkLink(raw);
    expect(checked.ok).toBe(false);
    if (!checked.ok) expect(checked.error.message).toContain('not opened');
  });
});
