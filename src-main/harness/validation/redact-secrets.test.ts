import { describe, expect, it } from 'vitest';
import type { Json } from '../protocol';
import { sha256Hex } from './canonical-json';
import { createRedaction, secretsRedacted } from './redact-secrets';

const letters = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1bC3dE';
const token = 'gh' + `p_${letters.slice(0, 36)}`;
const marker = (secret: string, kind: string): string =>
  `[redacted ${kind} sha256:${sha256Hex(secret).slice(0, 12)}]`;

describe('redaction of text', () => {
  it('replaces only the secret, by its kind and digest, and counts it', () => {
    const redaction = createRedaction();
    expect(redaction.text(`push with ${token} and ${token}.`)).toBe(
      `push with ${marker(token, 'github_token')} and ${marker(token, 'github_token')}.`,
    );
    expect(redaction.found()).toEqual([{ kind: 'github_token', count: 2, digests: [sha256Hex(token)] }]);
  });

  it('changes nothing when it is done again', () => {
    const once = secretsRedacted(`TOKEN=${token} and password: "x9$kLm2pQr"`);
    expect(once).not.toContain('x9$kLm2pQr');
    expect(secretsRedacted(once)).toBe(once);
  });

  it('keeps JSON text valid, with its keys and layout, whatever is escaped in it', () => {
    const value = {
      log: `first line\n${token}\n"quoted"`,
      url: 'https://me:hunter22@example.org',
      api_key: 'k1K2k3K4k5K6k7K8',
      plain: ['a', 1, null, { token_count: '12345678901234567890abcDEF' }],
    };
    const text = JSON.stringify(value, null, 2).replace('https://', 'https:\\/\\/');
    const redacted = secretsRedacted(text);
    expect(JSON.parse(redacted)).toEqual({
      ...value,
      log: `first line\n${marker(token, 'github_token')}\n"quoted"`,
      url: `https://me:${marker('hunter22', 'connection_password')}@example.org`,
      api_key: marker('k1K2k3K4k5K6k7K8', 'secret_value'),
    });
    expect(redacted.split('\n')).toHaveLength(text.split('\n').length);
    expect(redacted).toContain('\n  "plain": [\n');
  });

  it('does its best with JSON that is cut off', () => {
    const cut = JSON.stringify({ a: `x\n${token}`, password: 'x9$kLm2pQr' }).slice(0, -1);
    expect(secretsRedacted(cut)).toBe(
      cut
        .replace(token, marker(token, 'github_token'))
        .replace('x9$kLm2pQr', marker('x9$kLm2pQr', 'secret_value')),
    );
  });
});

describe('redaction of values', () => {
  it('walks texts, keeps keys that hold no secret, and shares what did not change', () => {
    const untouched = { b: [1, 'two'] };
    const value: Json = { a: { list: [token, 'x'] }, untouched };
    const redacted = createRedaction().json(value) as Record<string, unknown>;
    expect(redacted).toEqual({ a: { list: [marker(token, 'github_token'), 'x'] }, untouched });
    expect(redacted['untouched']).toBe(untouched);
    expect(createRedaction().json(untouched)).toBe(untouched);
  });

  it('S0-71: replaces and counts secrets in keys, which stay distinct and in their order', () => {
    const other = `${token}XY`;
    const taken = marker(token, 'github_token');
    const value: Json = { first: 0, [token]: { [`x ${token}`]: 1 }, [other]: 2, [taken]: 3, last: 4 };
    const redaction = createRedaction();
    const redacted = redaction.json(value);
    expect(Object.entries(redacted as object)).toEqual([
      ['first', 0],
      [taken, { [`x ${taken}`]: 1 }],
      [marker(other, 'github_token'), 2],
      [`${taken} (2)`, 3],
      ['last', 4],
    ]);
    expect(redaction.found()).toMatchObject([{ kind: 'github_token', count: 3 }]);
    expect(JSON.parse(secretsRedacted(JSON.stringify(value)))).toEqual(redacted);
  });

  it('takes the name of a member for a sign of what it holds', () => {
    const redaction = createRedaction();
    const value = { client_secret: 'a1B2c3D4e5F6', secret_name: 'a1B2c3D4e5F6', note: 'a1B2c3D4e5F6' };
    expect(redaction.json(value)).toEqual({
      ...value,
      client_secret: marker('a1B2c3D4e5F6', 'secret_value'),
    });
    expect(redaction.found()).toMatchObject([{ kind: 'secret_value', count: 1 }]);
  });

  it('keeps a member that is called __proto__ a member', () => {
    const value = JSON.parse(`{"__proto__": {"a": "${token}"}}`) as Json;
    const redacted = createRedaction().json(value);
    expect(JSON.stringify(redacted)).toBe(`{"__proto__":{"a":"${marker(token, 'github_token')}"}}`);
  });

  it('hazard 65: goes through a megabyte of secrets, and of keys that are one, at once', () => {
    const text = 'token=abc12345defgh '.repeat(52_000);
    const keys = Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`${token}${n}`, n]));
    const began = performance.now();
    const redaction = createRedaction();
    redaction.text(text);
    expect(Object.keys(redaction.json(keys) as object)).toHaveLength(15_000);
    expect(redaction.found()).toMatchObject([{ count: 52_000 }, { count: 15_000 }]);
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  it('I5: goes through 256 KB of small texts at once', () => {
    const items = Array.from({ length: 4_000 }, (_, id) => ({
      id,
      token: 'abc',
      url: `https://x.example/${id}`,
    }));
    const text = JSON.stringify({ items });
    const began = performance.now();
    expect(secretsRedacted(text)).toBe(text);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
