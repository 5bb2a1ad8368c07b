import { beforeAll, describe, expect, it } from 'vitest';
import { abuseLines } from '../testing/abuse-lines';
import { openCommandReader, type CommandReader } from './command-reader';
import { coversCommand } from './covers-command';
import { prefixOf } from './prefix-of';

let reader: CommandReader;
beforeAll(async () => {
  reader = await openCommandReader(() => 0);
});

describe('the words to offer for a permission', () => {
  it.each([
    ['git log --oneline -5', 'git log'],
    ['git status', 'git status'],
    ['git branch --list x', 'git branch'],
    ['ls -la src', 'ls'],
    ['npm test', 'npm test'],
    ['npm run build', 'npm run build'],
    ['cargo test parser', 'cargo test'],
    ['node --version', 'node --version'],
    ['grep -rn todo src', 'grep'],
    ['pytest tests', 'pytest'],
  ])('for %s are %s', (line, expected) => {
    expect(prefixOf(reader.read(line))?.join(' ')).toBe(expected);
  });

  it.each([
    'git log && git log',
    'git log | head',
    'git log > x',
    'git log $x',
    'A=1 git log',
    'sudo git log',
    'git log --output=x',
    'git push origin main',
    'git lg',
    'git',
    'npm install',
    'python3 x.py',
    'node x.js',
    'sh x.sh',
    'ssh host.example ls',
    'curl http://host.example',
    'rm x',
    'find . -name x',
    'make',
    './run.sh',
    "'git log'",
    'pytest -x',
    'A=1',
    '',
  ])('are none for %j', (line) => {
    expect(prefixOf(reader.read(line))).toBeNull();
  });

  it('hazard 10: always cover the line that they were taken from', () => {
    const lines = ['git log -p x', 'ls a', 'wc -l x', ...abuseLines.map(({ line }) => line)];
    for (const reading of lines.map((line) => reader.read(line))) {
      const prefix = prefixOf(reading);
      if (prefix) expect(coversCommand(prefix, reading)).toBe(true);
    }
  });
});
