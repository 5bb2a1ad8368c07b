import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src-preload/contract';
import { hidesSomething } from './escape-hidden';
import { readArguments, readJson, writeJson, type RawProblem } from './raw-json';

function problemOf(text: string): RawProblem {
  const reading = readArguments(text);
  if (reading.ok) throw new Error(`This was read: ${text}`);
  return reading.problem;
}

describe('arguments written as text', () => {
  it.each([
    ['', 'empty', 1, 1],
    ['  \n ', 'empty', 1, 1],
    ['[1]', 'not_object', 1, 1],
    ['\n  "text"', 'not_object', 2, 3],
    ['{\n  "a": 1,\n}', 'name_expected', 3, 1],
    ['{\n  "a" 1\n}', 'colon_expected', 2, 7],
    ['{"a": 1 "b": 2}', 'comma_expected', 1, 9],
    ['{"a": }', 'value_expected', 1, 7],
    ['{"a": 1', 'not_closed', 1, 8],
    ['{"a": 1} 2', 'more_after_end', 1, 10],
    ['{"a": yes}', 'bad_word', 1, 7],
    ["{'a': 1}", 'bad_word', 1, 2],
    ['{"a": "x}', 'open_string', 1, 7],
    ['{"a": "\\q"}', 'bad_escape', 1, 7],
    ['{"a": 1 /* why */}', 'comment', 1, 9],
    ['{"a": 1,\r\n "a": 2}', 'duplicate_key', 2, 2],
    ['{"a": 9007199254740993}', 'inexact_number', 1, 7],
    ['{"a": 1e999}', 'inexact_number', 1, 7],
    ['{"a": 0.12345678901234567890123}', 'inexact_number', 1, 7],
  ])('are refused with the place: %j is %s', (text, kind, line, column) => {
    expect(problemOf(text)).toMatchObject({ kind, line, column });
  });

  it('name what stands at the place', () => {
    expect(problemOf('{"a": 9007199254740993}').near).toBe('9007199254740993');
    expect(problemOf('{"name": 1, "name": 2}').near).toBe('"name"');
  });

  it('are not read where they are nested past all use, however deep', () => {
    expect(problemOf(`{"a": ${'['.repeat(200_000)}`).kind).toBe('too_deep');
    expect(readJson(`${'['.repeat(60)}${']'.repeat(60)}`).ok).toBe(true);
  });

  it('keep numbers that survive being read', () => {
    for (const text of [
      '9007199254740992',
      '-0.1',
      '1e21',
      '1.50',
      '100',
      '5e-324',
      '12345678901234567000',
    ]) {
      expect(readJson(text)).toEqual({ ok: true, value: Number(text) });
    }
  });

  it('are read as the platform reads them, or refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,01-.eE \n\\utfalsn/"a\u202e') }), (text) => {
        const reading = readJson(text);
        let platform: { value: Json } | null;
        try {
          platform = { value: JSON.parse(text) as Json };
        } catch {
          platform = null;
        }
        if (reading.ok) expect(reading.value).toEqual(platform?.value);
        else if (platform) expect(['inexact_number', 'duplicate_key']).toContain(reading.problem.kind);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a value written as text', () => {
  it('means the same when read again, and hides nothing', () => {
    const texts = fc.string({
      unit: fc.constantFrom(
        'a',
        '\u202e',
        '\u200b',
        '\u0000',
        '\r',
        '\n',
        '👩',
        '\u200d',
        '\u{e0041}',
        '"',
        '\\',
      ),
    });
    fc.assert(
      fc.property(fc.dictionary(texts, fc.oneof(texts, fc.array(texts), fc.double())), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as Json;
        const text = writeJson(plain);
        expect(hidesSomething(text)).toBe(false);
        expect(readJson(text)).toEqual({ ok: true, value: plain });
      }),
    );
  });

  it('shows a character that turns the reading direction as its escape', () => {
    expect(writeJson({ file: 'total\u202egpj.exe' })).toContain('total\\u202egpj.exe');
  });
});
