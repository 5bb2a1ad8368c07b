import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editedArguments } from './answer-approval';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edited-arguments-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('arguments in place of those that were asked for', () => {
  it('are one JSON object, given or in a file', () => {
    const file = join(folder, 'edited.json');
    writeFileSync(file, '{\n  "path": "b.txt"\n}\n');
    const value = { path: 'b.txt' };
    expect(editedArguments('{"path":"b.txt"}')).toEqual({ ok: true, value });
    expect(editedArguments(`@${file}`)).toEqual({ ok: true, value });
  });

  it('are refused with the reason where they are none', () => {
    const large = join(folder, 'large.json');
    writeFileSync(large, `"${'x'.repeat(1024 * 1024)}"`);
    for (const [given, words] of [
      ['', /no JSON/],
      ['[1]', /one JSON object/],
      ['null', /one JSON object/],
      [`@${join(folder, 'missing.json')}`, /cannot be read/],
      [`@${folder}`, /cannot be read/],
      [`@${large}`, /too large/],
    ] as const) {
      const edited = editedArguments(given);
      expect(edited).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
      expect(!edited.ok && edited.error.message).toMatch(words);
    }
  });
});
