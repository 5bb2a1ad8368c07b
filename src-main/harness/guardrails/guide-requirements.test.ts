import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Json } from '../protocol';
import { builtInGuardrails, parseGuardrailSettings } from './guardrail-settings';

const guide = readFileSync('docs/guardrails.md', 'utf8');

it('S1-44: the guide names every built-in guardrail, and its example is a configuration that is taken', () => {
  for (const { name } of builtInGuardrails) expect(guide).toContain(`| \`${name}\``);
  const example = /```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const parsed = parseGuardrailSettings(JSON.parse(example) as Json);
  expect(parsed).toMatchObject({
    ok: true,
    value: [
      { guardrail: 'secret_redaction', tools: ['mail.*'] },
      { guardrail: 'hidden_characters', tools: ['*'] },
      { guardrail: 'secret_redaction', tools: expect.anything() as unknown },
    ],
  });
});
