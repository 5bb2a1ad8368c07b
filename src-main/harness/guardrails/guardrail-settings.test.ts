import { describe, expect, it } from 'vitest';
import type { Json } from '../protocol';
import { parseGuardrailSettings } from './guardrail-settings';

const settings = (...guardrails: Json[]): Json => ({ version: 1, guardrails });

describe('the configuration of guardrails', () => {
  it('S1-43: without one the built-in guardrails look at every tool', () => {
    const everywhere = [
      { guardrail: 'hidden_characters', tools: ['*'], options: {} },
      { guardrail: 'secret_redaction', tools: ['*'], options: {} },
    ];
    expect(parseGuardrailSettings(undefined)).toEqual({ ok: true, value: everywhere });
    expect(parseGuardrailSettings(null)).toEqual({ ok: true, value: everywhere });
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
    ['no object', [], /is no object/],
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
    [
      'one of the other guardrail',
      settings({ guardrail: 'hidden_characters', tools: ['*'], options: { results: 'redact' } }),
      /write "nothing", "tags" or "all"/,
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
