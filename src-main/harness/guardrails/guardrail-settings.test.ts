import { describe, expect, it } from 'vitest';
import type { Json } from '../protocol';
import { parseGuardrailSettings, parseGuardrailsText } from './guardrail-settings';

const settings = (...guardrails: Json[]): Json => ({ version: 1, guardrails });

describe('the configuration of guardrails', () => {
  it('S1-43: without one the built-in guardrails look at every tool', () => {
    const everywhere = [
      { guardrail: 'hidden_characters', tools: ['*'], options: {} },
      { guardrail: 'secret_redaction', tools: ['*'], options: {} },
    ];
    expect(parseGuardrailSettings(undefined)).toEqual({ ok: true, value: everywhere });
    expect(parseGuardrailSettings(settings())).toEqual({ ok: true, value: everywhere });
  });

  it('keeps its order; what it does not name follows, and no tools turn one off', () => {
    const parsed = parseGuardrailSettings(
      settings(
        { guardrail: 'secret_redaction', tools: ['mail.*'], options: { arguments: 'withhold' } },
        { guardrail: 'secret_redaction', tools: ['*'] },
      ),
    );
    expect(parsed.ok && parsed.value.map(({ guardrail, tools }) => [guardrail, ...tools].join(' '))).toEqual([
      'secret_redaction mail.*',
      'secret_redaction *',
      'hidden_characters *',
    ]);
    const off = parseGuardrailSettings(
      settings({ guardrail: 'secret_redaction', tools: [] }, { guardrail: 'hidden_characters', tools: [] }),
    );
    expect(off.ok && off.value.flatMap(({ tools }) => tools)).toEqual([]);
  });

  it.each<[string, Json, RegExp]>([
    ['no object', [], /the configuration is a list, no object/],
    ['the word null', null, /the configuration is null, no object\. Write \{"version": 1/],
    ['an unknown key', { version: 1, guardrails: [], rules: [] }, /the configuration has "rules"/],
    ['another version', { version: 2, guardrails: [] }, /version is not 1/],
    ['no list', { version: 1, guardrails: {} }, /guardrails is no list/],
    ['an entry that is no object', settings('x'), /entry \[0\] is no object/],
    [
      'an unknown guardrail',
      settings({ guardrail: 'x', tools: ['*'] }),
      /entry \[0\]\.guardrail is "x"\. Known are: hidden_characters, secret_redaction/,
    ],
    ['an unknown key', settings({ guardrail: 'secret_redaction', tools: ['*'], tool: 1 }), /has "tool"/],
    ['no tools', settings({ guardrail: 'secret_redaction' }), /entry \[0\]\.tools is no list/],
    [
      'a name without namespace',
      settings({ guardrail: 'secret_redaction', tools: ['*', 'send'] }),
      /tools\[1\] "send" names no tool/,
    ],
    [
      'a pattern inside a name',
      settings({ guardrail: 'secret_redaction', tools: ['ma*.send'] }),
      /names no tool/,
    ],
    [
      'a pattern of nothing',
      settings({ guardrail: 'secret_redaction', tools: ['.*'] }),
      /names no namespace/,
    ],
    [
      'options that are none',
      settings({ guardrail: 'secret_redaction', tools: ['*'], options: 1 }),
      /options is no object/,
    ],
    [
      'an unknown option',
      settings({ guardrail: 'secret_redaction', tools: ['*'], options: { strip: 1 } }),
      /"strip" is not known/,
    ],
    [
      'an option with another value',
      settings({ guardrail: 'secret_redaction', tools: ['*'], options: { arguments: true } }),
      /"arguments" is true\. Write "inspect"/,
    ],
    ...[['withhold'], { withhold: true }, 1, null, 'Withhold'].map((value): [string, Json, RegExp] => [
      `an option that is ${JSON.stringify(value)}`,
      settings({ guardrail: 'secret_redaction', tools: ['*'], options: { arguments: value } }),
      /options cannot be used: "arguments" is .+\. Write "inspect", "withhold", "block" or "ignore"\./,
    ]),
    [
      'a list in place of a word',
      settings({ guardrail: 'hidden_characters', tools: ['*'], options: { arguments: ['all'] } }),
      /"arguments" is a list\. Write "nothing", "tags" or "all"/,
    ],
    [
      'one of the other guardrail',
      settings({ guardrail: 'hidden_characters', tools: ['*'], options: { results: 'redact' } }),
      /"results" is "redact"\. Write "tags", "nothing" or "all"/,
    ],
    [
      'the same twice',
      settings(
        { guardrail: 'secret_redaction', tools: ['*'] },
        { guardrail: 'secret_redaction', tools: ['a.b', '*'] },
      ),
      /entry \[1\] gives secret_redaction to "\*"/,
    ],
  ])('refuses %s, with the place and the remedy', (_what, json, words) => {
    const parsed = parseGuardrailSettings(json);
    expect(parsed).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(parsed.ok ? '' : parsed.error.message).toMatch(words);
  });
});

it('a guardrail that checks no options takes none, and one that breaks off refuses them', () => {
  const entry = (name: string): Json => settings({ guardrail: name, tools: ['*'], options: { a: 1 } });
  const none = { name: 'none' };
  const throws = {
    name: 'throws',
    checkOptions: () => {
      throw new Error('secret detail');
    },
  };
  expect(parseGuardrailSettings(entry('none'), [none])).toMatchObject({
    error: { message: expect.stringMatching(/"a" is not known\. none takes no options/) as unknown },
  });
  const broken = parseGuardrailSettings(entry('throws'), [throws]);
  expect(broken.ok ? '' : broken.error.message).toMatch(/throws broke off when it looked at them/);
});

describe('the text of guardrails.json', () => {
  const read = (text: string): string => {
    const parsed = parseGuardrailsText(text, 'guardrails.json');
    return parsed.ok ? 'taken' : parsed.error.message;
  };

  it.each<[string, string, RegExp]>([
    [
      'a wrong option',
      '{"version":1,\n"guardrails":[{"guardrail":"secret_redaction",\n"tools":["*"],\n "options":{"arguments":["block"]}}]}',
      /^guardrails\.json, line 4, column 12: Guardrails: entry \[0\]\.options cannot be used/,
    ],
    [
      'a missing member',
      '{"version":1,\n"guardrails":[\n{"guardrail":"secret_redaction"}]}',
      /^guardrails\.json, line 3, column 1: .*tools is no list/,
    ],
    [
      'a second list',
      '{"version":1,"guardrails":[{}],\n"guardrails":[]}',
      /^guardrails\.json, line 2, column 1: The key "guardrails" comes twice in one object\. Remove one/,
    ],
    [
      'a second option',
      '{"version":1,"guardrails":[{"guardrail":"secret_redaction","tools":["*"],"options":{"arguments":"block",\n"arguments":"ignore"}}]}',
      /line 2, column 1: The key "arguments" comes twice/,
    ],
    ['the text null', 'null', /line 1, column 1: Guardrails: the configuration is null/],
    ['nothing', ' \n', /The file is empty\..*remove the file/],
    ['no JSON', '{"version":1,\n"guardrails":[],}', /line 2, column \d+: It is not JSON: .*comma/],
    [
      'a comment',
      '{\n// none\n"version":1,"guardrails":[]}',
      /line 2, column 1: It is not JSON: comments are not allowed/,
    ],
    [
      'a hundred thousand levels',
      `{"version":1,\n"guardrails":${'['.repeat(100_000)}`,
      /line 2, column \d+: It is nested deeper than 100 levels here/,
    ],
    [
      'levels in options',
      `{"version":1,"guardrails":[{"guardrail":"secret_redaction","tools":["*"],"options":{"arguments":${'['.repeat(100_000)}${']'.repeat(100_000)}}}]}`,
      /line 1, column \d+: It is nested deeper than 100 levels/,
    ],
  ])('refuses %s, with file, line and remedy', (_what, text, words) => {
    expect(read(text)).toMatch(words);
    expect(read(text).length).toBeLessThan(500);
  });

  it('takes brackets in texts, and a byte order mark', () => {
    const tools = '["mail.*", "files.list"]';
    expect(read(`\uFEFF{"version":1,"guardrails":[{"guardrail":"secret_redaction","tools":${tools}}]}`)).toBe(
      'taken',
    );
    expect(read(`{"version":1,"guardrails":[{"guardrail":"${'['.repeat(500)}","tools":[]}]}`)).toMatch(
      /a text of 500 characters/,
    );
  });
});
