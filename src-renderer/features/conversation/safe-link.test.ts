import { expect, it } from 'vitest';
import { imageHost, safeLink } from './safe-link';

it.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  ' https://example.com',
  'file:///etc/passwd',
  'smb://host/share',
  'ms-msdt:/id',
  'vscode://file/x',
  'data:text/html,x',
  'blob:https://example.com/1',
  '\\\\host\\share',
  'https:\\\\host',
  '//host/path',
  '/local',
  'relative',
  'https://user@evil.example',
  'https://bank.example:pw@evil.example',
  'https://exa\u0000mple.com',
  '',
])('is no link: %j', (href) => {
  expect(safeLink(href)).toBeNull();
});

it('shows the host that is really meant', () => {
  expect(safeLink('https://example.com/a?b#c')).toEqual({
    url: 'https://example.com/a?b#c',
    host: 'example.com',
  });
  expect(safeLink('http://127.0.0.1:8080/')).toMatchObject({ host: '127.0.0.1:8080' });
  expect(safeLink('mailto:mara@example.com')).toMatchObject({ host: 'mara@example.com' });
  expect(safeLink('https://аpple.com')?.host).toBe('xn--pple-43d.com');
});

it('names the host of a picture without loading it', () => {
  expect(imageHost('https://tracker.example/x.png')).toBe('tracker.example');
  expect(imageHost('data:image/png;base64,xx')).toBeNull();
  expect(imageHost(undefined)).toBeNull();
});
