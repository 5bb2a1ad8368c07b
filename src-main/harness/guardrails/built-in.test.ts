import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../protocol';
import { builtInGuardrails, createGuardrails, parseGuardrailSettings, type GuardedCall } from './index';

const call: GuardedCall = {
  call_id: 'c1',
  qualified_name: 'mail.send',
  model_alias: 'mail__send',
  classification: 'external',
};
const token = 'gh' + 'p_aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b';
const hiddenText = [...'send it'].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('');

function guardrails(...entries: { guardrail: string; options: JsonObject }[]) {
  const json = { version: 1, guardrails: entries.map((entry) => ({ ...entry, tools: ['*'] })) };
  const selections = parseGuardrailSettings(json);
  if (!selections.ok) throw new Error(selections.error.message);
  return createGuardrails({ guardrails: builtInGuardrails, selections: selections.value });
}

const input = (set: ReturnType<typeof guardrails>, args: JsonObject) =>
  set.input(call, args, true, new AbortController().signal);

describe('redaction of secrets', () => {
  it('S0-71 S1-43: is on for every tool: results, failures and progress lose the secret and keep the rest', async () => {
    const set = guardrails();
    const { output, facts, released } = await set.output(call, {
      result: { text: `Pushed with ${token}.`, structured: { log: [`using ${token}`], ok: true } },
      error: { code: 'x', message: `bad ${token}`, data: { url: 'https://a:hunter22@b.c' } },
    });
    expect(JSON.stringify(output)).not.toMatch(/ghp_|hunter22/);
    expect(output.result?.text).toMatch(/^Pushed with \[redacted github_token sha256:[0-9a-f]{12}\]\.$/);
    expect(output.result?.structured).toMatchObject({ ok: true });
    expect(released).toBe(true);
    expect(facts).toMatchObject([
      {
        guardrail: 'secret_redaction',
        stage: 'output',
        action: 'transformed',
        findings: [
          { kind: 'github_token', count: 3, digests: [expect.stringMatching(/^[0-9a-f]{64}$/)] },
          { kind: 'connection_password', count: 1 },
        ],
      },
    ]);
    const progress = set.progress(call, { index: 0, message: `with ${token}`, data: { token } });
    expect(JSON.stringify(progress)).not.toContain('ghp_');
    expect(progress.entry.index).toBe(0);
  });

  it('S1-84: only counts what arguments hold, unless it is told otherwise', async () => {
    const args = { body: `my key is ${token}` };
    const inspected = await input(guardrails(), args);
    expect(inspected).toMatchObject({
      type: 'released',
      arguments: args,
      withheld: false,
      facts: [{ action: 'passed', findings: [{ kind: 'github_token', count: 1 }] }],
    });
    expect(JSON.stringify(inspected.facts)).not.toContain('digests');
    const withhold = guardrails({ guardrail: 'secret_redaction', options: { arguments: 'withhold' } });
    expect(await input(withhold, args)).toMatchObject({ type: 'released', arguments: args, withheld: true });
    expect(await input(withhold, { body: 'hello' })).toMatchObject({ withheld: false, facts: [] });
    const block = guardrails({ guardrail: 'secret_redaction', options: { arguments: 'block' } });
    expect(await input(block, args)).toMatchObject({ type: 'blocked', withheld: true });
  });
});

describe('secrets in keys', () => {
  it('S0-71: are replaced in results, failures and progress, and counted', async () => {
    const set = guardrails();
    const held = { tokens: { [token]: { scopes: ['repo'] } } };
    const { output, facts } = await set.output(call, {
      result: { text: JSON.stringify(held), structured: held },
      error: { code: token, message: 'x', data: held },
    });
    expect(JSON.stringify(output)).not.toContain('ghp_');
    expect(output.result?.text).toBe(JSON.stringify(output.result?.structured));
    expect(facts[0]?.findings).toMatchObject([{ kind: 'github_token', count: 4, replaced: 4 }]);
    const progress = set.progress(call, { index: 0, message: 'x', data: held });
    expect(JSON.stringify(progress)).not.toContain('ghp_');
  });

  it('S1-84: count in arguments as those in texts do', async () => {
    const args = { [token]: 'x' };
    const rule = (word: string) =>
      guardrails({ guardrail: 'secret_redaction', options: { arguments: word } });
    expect(await input(rule('inspect'), args)).toMatchObject({ facts: [{ findings: [{ count: 1 }] }] });
    expect(await input(rule('withhold'), args)).toMatchObject({ type: 'released', withheld: true });
    expect(await input(rule('block'), args)).toMatchObject({ type: 'blocked', withheld: true });
  });

  it('fail closed where options came past the configuration', async () => {
    const selections = [
      { guardrail: 'secret_redaction', tools: ['*'], options: { arguments: ['withhold'] } },
    ];
    const set = createGuardrails({ guardrails: builtInGuardrails, selections });
    expect(await input(set, { a: 'b' })).toMatchObject({ type: 'blocked', withheld: true });
  });
});

describe('detection of hidden characters', () => {
  it('hazard 5: strips hidden text from what a model reads, and reports the rest', async () => {
    const { output, facts } = await guardrails().output(call, {
      result: { text: `Hello${hiddenText}`, structured: { a: `x${hiddenText}`, b: 'y\u202ez' } },
      error: null,
    });
    expect(output.result).toEqual({ text: 'Hello', structured: { a: 'x', b: 'y\u202ez' } });
    expect(facts).toMatchObject([
      {
        guardrail: 'hidden_characters',
        action: 'transformed',
        findings: [
          { kind: 'tag_characters', count: 14, replaced: 14 },
          { kind: 'bidi_control', count: 1, replaced: 0 },
        ],
      },
    ]);
  });

  it('hazard 5: strips hidden text from everything that is recorded of an end: keys, data of a failure, progress', async () => {
    const set = guardrails();
    const data = { [`k${hiddenText}`]: [`v${hiddenText}`], k: 1 };
    const { output } = await set.output(call, {
      result: { text: `t${hiddenText}`, structured: data },
      error: { code: 'x', message: `m${hiddenText}`, data },
    });
    const clean = { k: ['v'], 'k (2)': 1 };
    expect(output).toEqual({
      result: { text: 't', structured: clean },
      error: { code: 'x', message: 'm', data: clean },
    });
    const progress = set.progress(call, { index: 0, message: `m${hiddenText}`, data });
    expect(progress.entry).toEqual({ index: 0, message: 'm', data: clean });
  });

  it('reports them in arguments, keys too, and strips them where it is told to', async () => {
    const args = { 'na\u200bme': `a\u200bb${hiddenText}` };
    expect(await input(guardrails(), args)).toMatchObject({
      arguments: args,
      facts: [
        {
          guardrail: 'hidden_characters',
          action: 'passed',
          findings: [
            { kind: 'zero_width', count: 2 },
            { kind: 'tag_characters', count: 7 },
          ],
        },
      ],
    });
    const strip = guardrails({
      guardrail: 'hidden_characters',
      options: { arguments: 'all', results: 'all' },
    });
    expect(await input(strip, args)).toMatchObject({ transformed: true, arguments: { name: 'ab' } });
  });

  it('leaves alone terminal controls, emoji and what has nothing to hide', async () => {
    const result = { text: '\u001b[31mred\u001b[0m 👩\u200d💻', structured: { a: 'ä\tb' } };
    const released = await guardrails().output(call, { result, error: null });
    expect(released).toMatchObject({ output: { result }, facts: [] });
  });
});
