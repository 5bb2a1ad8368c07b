import { beforeAll, describe, expect, it } from 'vitest';
import { commandDesk, type CommandDesk } from './command-desk';
import { openCommandReader } from './commands';

let desk: CommandDesk;
beforeAll(async () => {
  const reader = await openCommandReader();
  expect(reader.problem).toBeNull();
  desk = commandDesk(reader);
});

const command = { presentation: 'command' } as const;

describe('the command of a call', () => {
  it('is read for tools that run commands, and for no others', () => {
    expect(desk.facts({ presentation: 'plain' }, { command: 'git status' })).toBeNull();
    expect(desk.facts(command, { command: 'git status' })?.inspectable).toBe(true);
    expect(desk.facts(command, { argv: ['git', 'status'] })?.inspectable).toBe(true);
  });

  it('hazard 10: is covered by its own words, and by them no more where it does something beside', () => {
    const covers = (text: string): boolean | undefined =>
      desk.facts(command, { command: text })?.covers(['git', 'log']);
    expect(covers('git log')).toBe(true);
    for (const text of ['git logout', 'git log && rm -rf x', 'git log > ~/.bashrc', 'git log --output=x']) {
      expect(covers(text), text).toBe(false);
    }
  });

  it('is inspectable only where the arguments say for certain what runs', () => {
    for (const args of [
      {},
      { command: 7 },
      { argv: [] },
      { argv: ['git', 7] },
      { command: 'git status', argv: ['rm', 'x'] },
      { command: 'git status', shell: 'powershell' },
      { command: 'git status', shell: 7 },
      { command: 'git $(whoami)' },
    ]) {
      const facts = desk.facts(command, args);
      expect([facts?.inspectable, facts?.covers(['git', 'status'])], JSON.stringify(args)).toEqual([
        false,
        false,
      ]);
    }
    expect(desk.facts(command, { command: 'git status', shell: '/bin/bash' })?.inspectable).toBe(true);
  });

  it('gives a person the same reading, and words that cover it', () => {
    const reading = desk.reading({ command: 'git status --short' });
    expect(reading).toMatchObject({ type: 'read', segments: [{ words: ['git', 'status', '--short'] }] });
    const words = reading && desk.prefix(reading);
    expect(words).not.toBeNull();
    expect(desk.facts(command, { command: 'git status --short' })?.covers(words ?? [])).toBe(true);
    expect(desk.reading({ script: 'x' })).toBeNull();
  });
});
