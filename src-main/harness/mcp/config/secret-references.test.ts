import { describe, expect, it } from 'vitest';
import { createEnvironmentSecretResolver, createReferenceReader } from './secret-references';

const env = { HOME: '/home/me', OPENWORKER_SECRET_KEY: 'top-secret-value' };
const reader = () => createReferenceReader({ env, resolveSecret: createEnvironmentSecretResolver(env) });

describe('references', () => {
  it('S1-42 C10 (in part): resolves secrets and environment variables inside a text', () => {
    expect(reader().read('Bearer ${secret:KEY} from ${env:HOME}', 'x')).toEqual({
      ok: true,
      value: 'Bearer top-secret-value from /home/me',
    });
  });
  it('does not resolve what a value holds itself', () => {
    const nested = createReferenceReader({ env: { A: '${secret:B}' }, resolveSecret: () => 'never' });
    expect(nested.read('${env:A}', 'x')).toEqual({ ok: true, value: '${secret:B}' });
  });
  it('names place, reference and remedy when a value is missing', () => {
    const secret = reader().read('${secret:NONE}', '"env.K" of server "acer"');
    expect(secret).toMatchObject({ ok: false, error: { code: 'secret_missing' } });
    expect(!secret.ok && secret.error.message).toMatch(
      /"env\.K" of server "acer" refers to \$\{secret:NONE\}.*OPENWORKER_SECRET_NONE/,
    );
    expect(reader().read('${env:NONE}', 'x')).toMatchObject({ ok: false, error: { code: 'secret_missing' } });
  });
  it('masks no variable that is none of a secret kind, such as a home folder', () => {
    const reader = createReferenceReader({
      resolveSecret: () => null,
      env: { HOME: '/home/mara', API_TOKEN: 'tok-12345' },
    });
    reader.read('${env:HOME} ${env:API_TOKEN}', 'args');
    expect(reader.mask('/home/mara/x tok-12345')).toBe('/home/mara/x ${env:API_TOKEN}');
  });

  it('hazard 24: takes no property that every object has for a variable', () => {
    const reader = createReferenceReader({ resolveSecret: () => null, env: {} });
    expect(reader.read('${env:constructor}', 'args').ok).toBe(false);
  });

  it('masks every secret that it gave out', () => {
    const one = reader();
    one.read('${secret:KEY}', 'x');
    expect(one.mask('log: top-secret-value!')).toBe('log: ${secret:KEY}!');
  });
});
