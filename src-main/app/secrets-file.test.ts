import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readEntries, writeEntries } from './secrets-file';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  file = join(folder, 'secrets.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('reads back what was written, for the person alone, and leaves nothing beside it', () => {
  writeEntries(file, new Map([['provider:openai', 'Y2lwaGVy']]));
  expect(readEntries(file, () => undefined)).toEqual(new Map([['provider:openai', 'Y2lwaGVy']]));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secrets.json']);
});

it.each(['{', '[]', '{"entries":7}', ''])(
  'hazard 97: keeps a file that it cannot read (%j) aside, says so, and starts empty',
  (text) => {
    writeFileSync(file, text);
    const said: string[] = [];
    expect(readEntries(file, (line) => said.push(line)).size).toBe(0);
    expect(said.join()).toMatch(/kept as .*enter the keys again/);
    const [aside] = readdirSync(folder);
    expect(aside).toMatch(/^secrets\.json\.unreadable-/);
    expect(readFileSync(join(folder, aside ?? ''), 'utf8')).toBe(text);
    writeEntries(file, new Map([['a', 'b']]));
    expect(readdirSync(folder)).toHaveLength(2);
  },
);
