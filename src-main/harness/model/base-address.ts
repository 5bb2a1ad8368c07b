import { isIP } from 'node:net';
import { fail, ok, type Result } from '../protocol';

function isPrivateIPv4(host: string): boolean {
  const [a = 0, b = 0] = host.split('.').map(Number);
  return (
    a === 127 ||
    a === 10 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    // Carrier-grade range: private networks that span places use it.
    (a === 100 && b >= 64 && b <= 127)
  );
}

/** Loopback, a private network address, or a name that no public resolver answers. */
function isNearby(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(host) === 4) return isPrivateIPv4(host);
  if (isIP(host) === 6) return host === '::1' || /^f[cd]/.test(host) || /^fe[89ab]/.test(host);
  return !host.includes('.') || host.endsWith('.localhost') || host.endsWith('.local');
}

/** A key is sent as a header: printable ASCII, no spaces, of a sane length. */
export function checkKey(text: string): Result<string> {
  const key = text.trim();
  if (key === '') return fail('invalid_input', 'The key is empty. Paste the key again.');
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) {
    return fail(
      'invalid_input',
      'The key has a space, a line break or a character that no key has. Copy it again, without what stands around it.',
    );
  }
  return ok(key);
}

/**
 * Checks and normalises a base address. Plain http is accepted for nearby hosts only (loopback, private ranges,
 * `.local`, names without a dot), since keys and conversations would travel readable otherwise. An address without
 * a path gets `default_path`; an address of one call, such as `…/chat/completions`, is cut to its base.
 */
export function parseBaseUrl(text: string, default_path: string): Result<string> {
  const trimmed = text.trim();
  const shown = trimmed.slice(0, 200);
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return fail(
      'invalid_input',
      `"${shown.replace(/\/\/[^/@]*@/, '//')}" is not a web address. Write it whole, for example https://example.com/v1.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    return fail(
      'invalid_input',
      `The address of ${url.host} holds a user name or password. Take it out and enter it as the key.`,
    );
  }
  if (url.search !== '' || url.hash !== '') {
    return fail(
      'invalid_input',
      `The address of ${url.host} has a part behind "${url.search === '' ? '#' : '?'}". Leave it out.`,
    );
  }
  if (url.protocol === 'http:' && !isNearby(url.hostname)) {
    return fail(
      'invalid_input',
      `"${shown}" is not encrypted, and ${url.hostname} is not on this computer or a private network. Use https://.`,
    );
  }
  const path = url.pathname
    .replace(/\/+$/, '')
    .replace(/\/(chat\/completions|completions|responses|messages|models)$/, '');
  return ok(`${url.origin}${path === '' ? default_path : path}`);
}

/** The path that an address without one stands for. */
export function defaultPathOf(kind: string): string {
  return kind === 'google' ? '/v1beta' : '/v1';
}
