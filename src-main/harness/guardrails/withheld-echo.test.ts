import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../protocol';
import { sha256Hex } from '../validation';
import { createGuardrails, guardEchoes, type GuardedCall, type Guardrail } from './index';

const call: GuardedCall = {
  call_id: 'c1',
  qualified_name: 'mail.send',
  model_alias: 'mail__send',
  classification: 'external',
};
const schema = {
  type: 'object',
  properties: { recipients_of_it: { type: 'string' }, kind: { enum: ['newsletter'] } },
};
const none = createGuardrails({ guardrails: [], selections: [] });
const watched = (args: JsonObject, guardrails = none) =>
  guardEchoes(guardrails, { name: 'w', arguments: args, schema });
const said = async (args: JsonObject, text: string): Promise<string> =>
  (await watched(args).output(call, { result: { text }, error: null })).output.result?.text ?? '';
const digest = (value: string, type = 'text'): string =>
  `[withheld ${type} sha256:${sha256Hex(value).slice(0, 12)}]`;

describe('what a tool repeats of withheld arguments', () => {
  const secret = 'Meet me at\n"Dock 7"';

  it('S1-85 S1-86: stands in no text, value, key, failure or progress', async () => {
    const guards = watched({ body: secret, list: [{ 'a-long-key-of-data': 4_711_000 }] });
    const held: Json = { [`re: ${secret}`]: [secret, 4_711_000], 'a-long-key-of-data': true };
    const { output, facts } = await guards.output(call, {
      result: { text: `got ${secret} and 4711000`, structured: held },
      error: { code: 'x', message: `no ${secret}`, data: { held } },
    });
    const clean = {
      [`re: ${digest(secret)}`]: [digest(secret), '[withheld number]'],
      [digest('a-long-key-of-data', 'key')]: true,
    };
    expect(output).toEqual({
      result: { text: `got ${digest(secret)} and [withheld number]`, structured: clean },
      error: { code: 'x', message: `no ${digest(secret)}`, data: { held: clean } },
    });
    expect(facts).toMatchObject([
      {
        guardrail: 'w',
        stage: 'output',
        action: 'transformed',
        findings: [
          { kind: 'withheld_text', count: 6, replaced: 6, digests: [sha256Hex(secret)] },
          { kind: 'withheld_number', count: 3, replaced: 3 },
          { kind: 'withheld_key', count: 2, replaced: 2 },
        ],
      },
    ]);
    const progress = guards.progress(call, { index: 3, message: `doing ${secret}`, data: held, fraction: 1 });
    expect(progress.entry).toEqual({
      index: 3,
      message: `doing ${digest(secret)}`,
      data: clean,
      fraction: 1,
    });
  });

  it('is found in JSON text, also in another spelling or as a text inside a text, and JSON stays JSON', async () => {
    const args = { body: secret, n: 123_456 };
    const held = { echo: secret, n: [123_456, 12_345_678], log: JSON.stringify({ secret }) };
    const text = JSON.stringify(held).replace('Dock', '\\u0044ock');
    expect(JSON.parse(await said(args, text))).toEqual({
      echo: digest(secret),
      n: ['[withheld number]', 12_345_678],
      log: `{"secret":"${digest(secret)}"}`,
    });
    expect(await said({ raw: '{"pin": "a", "b": [1]}' }, '[{"pin": "a", "b": [1]}]')).toMatch(
      /^\[\[withheld text/,
    );
    expect(await said({ body: '  padded value  ' }, 'got padded value.')).toMatch(/^got \[withheld text/);
  });

  it('leaves alone what may be chance: short values, words inside words, what the definition says', async () => {
    const args = { a: 'short', b: 'invoice', c: 'newsletter', recipients_of_it: true, n: 12_345, m: 123_456 };
    const text = 'short invoices newsletter recipients_of_it 12345 91234567';
    expect(await said(args, text)).toBe(text);
    expect(await said(args, 'the invoice of 123456.')).toBe('the [withheld text] of [withheld number].');
  });

  it('gives no digest of what can be guessed', async () => {
    expect(await said({ pin: '4711-0815' }, 'pin 4711-0815')).toBe('pin [withheld text]');
  });

  it('is looked for before and behind the guardrails of the output', async () => {
    const token = 'gh' + 'p_aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b';
    const undo: Guardrail = {
      name: 'undo',
      output: ({ output }) => ({
        action: 'transform',
        output: { ...output, result: { text: `${output.result?.text} ${['push', token].join(' ')}` } },
      }),
    };
    const selections = [{ guardrail: 'undo', tools: ['*'], options: {} }];
    const guards = watched({ body: `push ${token}` }, createGuardrails({ guardrails: [undo], selections }));
    const { output } = await guards.output(call, { result: { text: `push ${token}` }, error: null });
    expect(output.result?.text).toBe(`${digest(`push ${token}`)} ${digest(`push ${token}`)}`);
  });

  it.each<[string, JsonObject, string]>([
    [
      'many values',
      { list: Array.from({ length: 15_000 }, (_, n) => `https://example.org/of-things/${n}`) },
      'see https://example.org/of-things/x '.repeat(7_000),
    ],
    [
      'values that begin alike',
      { list: Array.from({ length: 1_000 }, (_, n) => 'a'.repeat(500 + n)) },
      `${'a'.repeat(499)}b`.repeat(500),
    ],
  ])('hazard 65: %s take no long time', async (_what, args, text) => {
    const began = performance.now();
    await said(args, text);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
