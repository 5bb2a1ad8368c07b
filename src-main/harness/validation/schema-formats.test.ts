import { fullFormats } from 'ajv-formats/dist/formats';
import { describe, expect, it } from 'vitest';
import { createSchemaCompiler } from './schema-compiler';
import { schemaFormats } from './schema-formats';
import { createWorkMeter } from './work-meter';

const length = 60_000;
const pieces = [
  ...['a', '0', '.', ':', '/', '@', '-', '%', '%41', '[', '(', '{', '?', '#', '&', '=', ' ', '+', '_', '~'],
  ...[
    'a.',
    'a:',
    'a@',
    'a-',
    ':@',
    '://',
    '0:',
    '1.',
    '{a',
    '/~',
    'T',
    '00:',
    '-01',
    'P1',
    '\u00e9',
    '\ud83d\ude00',
  ],
];
const heads = [
  '',
  'http://',
  'http://a',
  'https://a:',
  'ftp://a@',
  'mailto:',
  'urn:',
  '/',
  '{',
  '2026-01-01T',
  '::',
  'P',
  'a@',
];
const tails = ['', '!', '\u0000', '@', '/', '}'];

const filled = (head: string, piece: string, tail: string, size: number): string =>
  head + piece.repeat(Math.ceil(size / piece.length)) + tail;

/** Milliseconds for the slowest of the texts of one format. */
function slowest(check: (text: string) => unknown): { readonly ms: number; readonly text: string } {
  let found = { ms: 0, text: '' };
  for (const head of heads) {
    for (const piece of pieces) {
      for (const tail of tails) {
        const text = filled(head, piece, tail, length);
        const began = performance.now();
        check(text);
        const ms = performance.now() - began;
        if (ms > found.ms) found = { ms, text: `${head}${piece}…${tail}` };
      }
    }
  }
  return found;
}

describe('the formats of texts', () => {
  const meter = createWorkMeter();
  const formats = schemaFormats(meter);
  const checks = Object.entries(formats).flatMap(([name, format]) =>
    typeof format === 'function' ? [[name, format] as const] : [],
  );

  it('are those that the library knows', () => {
    expect(Object.keys(formats).sort()).toEqual(Object.keys(fullFormats).sort());
    expect(checks.length).toBe(20);
  });

  // A check that grows with the square of the text takes seconds here; the bound leaves room for a busy machine.
  it.each(checks)('hazard 21: "%s" takes no longer than a text deserves', (_name, check) => {
    const { ms, text } = slowest((value) => meter.within(length * 10, () => check(value as never)));
    expect(ms, text).toBeLessThan(400);
  });
});

describe('the format "url"', () => {
  const compiled = createSchemaCompiler().compile({ type: 'string', format: 'url' });
  if (!compiled.ok) throw new Error(compiled.error.message);
  const fits = (text: string): boolean => compiled.value.check(text).ok;

  it.each([
    'http://example.com',
    'https://example.com:8080/a/b?c=d#e',
    'ftp://user:word@files.example.com/a',
    'https://münchen.example/ä',
    'http://192.0.2.1/',
    'http://[2001:db8::1]:80/',
    'http://localhost:3000/?q=1',
    'https://example.com?q=1',
  ])('takes %s', (text) => expect(fits(text)).toBe(true));

  it.each([
    '',
    'example.com',
    '//example.com',
    'mailto:a@example.com',
    'javascript:alert(1)',
    'http://',
    'http:///a',
    'http://a b.example/',
    'http://@example.com/',
    'http://exa\\mple.com/',
    'http://example.com:99999/',
    'http://-example.com/',
    `http://${'a.'.repeat(1_000)}com/`,
  ])('refuses %j', (text) => expect(fits(text)).toBe(false));
});
