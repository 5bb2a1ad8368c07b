import { beforeAll, describe, expect, it } from 'vitest';
import { abuseLines } from '../testing/abuse-lines';
import { openCommandReader, type CommandReader } from './command-reader';
import { coversCommand } from './covers-command';

let reader: CommandReader;
beforeAll(async () => {
  reader = await openCommandReader(() => 0);
});

const covers = (prefix: string, line: string): boolean => coversCommand(prefix.split(' '), reader.read(line));
const grants = ['git log', 'ls', 'npm test'];

describe('a permission for the first words of a command', () => {
  it.each([
    ['git log', 'git log'],
    ['git log', 'git log --oneline -5'],
    ['git log', 'git log -n5 --stat --since="2 weeks ago" --author Ada -- src "docs/a b.md"'],
    ['git log', 'git log --graph --decorate=short --format="%h %s" main..feature'],
    ['git log', 'git log -p -Sneedle HEAD~3 2>&1'],
    ['git log', 'git log -L 10,20:src/main.ts'],
    ['git log', 'git log && git log --oneline'],
    ['git log', 'git log 2>/dev/null'],
    ['git log --oneline', 'git log --oneline -3'],
    ['ls', 'ls'],
    ['ls', 'ls -la src'],
    ['ls', "ls -1 --sort=time 'My Documents' ../x"],
    ['ls', 'ls -lh /tmp >/dev/null 2>&1'],
    ['ls', 'ls; ls ..\nls -R'],
    ['npm test', 'npm test'],
    ['npm test', 'npm test --silent 2>&1'],
    ['npm run build', 'npm run build'],
    ['git diff', 'git diff --cached --stat HEAD -- src'],
    ['git status', 'git status -sb'],
    ['git branch', 'git branch --list "feat/x"'],
    ['git show', 'git show HEAD:src/main.ts'],
    ['cat', 'cat -n a.txt'],
    ['grep', 'grep -rn --include="*.ts" -e todo src | grep -v test'],
    ['rg', "rg -n -g '*.ts' todo src"],
    ['head', 'head -20 a.txt'],
    ['tail', 'tail -n +5 a.txt'],
    ['node --version', 'node --version'],
    ['cargo test', 'cargo test parser'],
    ['frobnicate', 'frobnicate a.txt sub/b.txt'],
  ])('%s covers %s', (prefix, line) => {
    expect(covers(prefix, line)).toBe(true);
  });

  it.each([
    ['git log', 'git logout'],
    ['git log', 'git log && rm -rf x'],
    ['git log', 'git log > ~/.bashrc'],
    ['git log', 'git log > x'],
    ['git log', 'git log --output=x'],
    ['git log', 'git log --output x'],
    ['git log', 'git log --outp=x'],
    ['git log', 'git log --author -- --output=x'],
    ['git log', 'git log -Ox'],
  ])('hazard 10: %s does not cover %s', (prefix, line) => {
    expect(covers(prefix, line)).toBe(false);
  });

  it.each([
    'git log; id',
    'git log || id',
    'git log | sh',
    'git log & id',
    'id && git log',
    'git log\nid',
    'git log &',
  ])('field report 35: every command of the line has to be covered, and of %j not every one is', (line) => {
    expect(covers('git log', line)).toBe(false);
  });

  it('field report 36: a wrapper around a covered command is not covered', () => {
    for (const wrapper of ['sudo', 'env', 'env A=1', 'nice', 'timeout 5', 'command', 'time', 'sh -c']) {
      const line = wrapper === 'sh -c' ? "sh -c 'git log'" : `${wrapper} git log`;
      expect(reader.read(line).type).toBe('read');
      expect(covers('git log', line)).toBe(false);
      expect(covers(wrapper.split(' ')[0] ?? '', line)).toBe(false);
    }
  });

  it.each([
    ['git', 'git log'],
    ['git lg', 'git lg x'],
    ['git push', 'git push origin main'],
    ['git branch', 'git branch new-name'],
    ['git branch', 'git branch -D main'],
    ['git branch', 'git branch --sort --list new-name'],
    ['npm', 'npm test'],
    ['npm run', 'npm run build'],
    ['npm run build', 'npm run build x'],
    ['npm test', 'npm test src/a.test.ts'],
    ['npm test', 'npm test -- --watch'],
    ['yarn test', 'yarn test --silent'],
    ['python3', 'python3 x.py'],
    ['/usr/bin/python3.11', '/usr/bin/python3.11 x.py'],
    ['node', 'node x.js'],
    ['node --version', 'node --version x.js'],
    ['make', 'make SHELL=x'],
    ['awk', "awk 'BEGIN {}'"],
    ['rg', 'rg --pre x y'],
    ['rg', 'rg -z x'],
    ['sort', 'sort -uo x y'],
    ['/usr/bin/npm test', '/usr/bin/npm test x'],
    ['frobnicate', 'frobnicate -x'],
    ['frobnicate', 'frobnicate a=b'],
    ['frobnicate', 'frobnicate @file'],
    ['frobnicate', 'frobnicate http://host.example'],
    ['frobnicate', 'cat x | frobnicate'],
    ['frobnicate --version', 'frobnicate --version x'],
  ])('%s does not make %s its own', (prefix, line) => {
    expect(reader.read(line).type).toBe('read');
    expect(covers(prefix, line)).toBe(false);
  });

  it('covers the very same words of any program', () => {
    expect(covers('python3 scripts/build.py', 'python3 scripts/build.py')).toBe(true);
    expect(covers('git push', 'git push')).toBe(true);
  });

  it('covers nothing without words, and nothing that is not read', () => {
    expect(coversCommand([], reader.read('ls'))).toBe(false);
    expect(coversCommand([''], reader.read("'' x"))).toBe(false);
    expect(coversCommand(['ls'], reader.read('ls $x'))).toBe(false);
    expect(coversCommand(['ls'], reader.readFor('cmd')('ls'))).toBe(false);
    expect(coversCommand(['ls'], { type: 'read', text: '', segments: [] })).toBe(false);
    expect(coversCommand(['git log'], reader.read("'git log' -p"))).toBe(false);
  });

  it('covers words of a program that no shell sees', () => {
    expect(coversCommand(['git', 'log'], reader.readArgv(['git', 'log', '--oneline']))).toBe(true);
    expect(coversCommand(['git', 'log'], reader.readArgv(['git', 'log', '--output=x']))).toBe(false);
  });
});

describe('command lines that were made to abuse a permission', () => {
  it('hazard 10: are many, of many kinds and none twice', () => {
    const lines = abuseLines.map(({ line }) => line);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.length).toBeGreaterThanOrEqual(320);
    expect(new Set(abuseLines.map(({ category }) => category)).size).toBeGreaterThanOrEqual(15);
  });

  it.each(grants)('hazard 10: none of them is covered by %s', (grant) => {
    const covered = abuseLines.filter(({ line }) => covers(grant, line));
    expect(covered).toEqual([]);
  });
});
