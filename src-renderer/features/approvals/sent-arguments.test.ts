import { describe, expect, it } from 'vitest';
import type { FileChange, RequestReading } from '../../../src-preload/contract';
import { markedPlace, segmentParts } from './command-words';
import { sentArguments } from './sent-arguments';

const command: RequestReading['shape'] = {
  type: 'command',
  folder: '/w',
  reading: { type: 'read', text: 'npm test', segments: [] },
};
const change = (given: Partial<FileChange>): FileChange => ({
  path: 'a.ts',
  real_path: null,
  before: 'x\n',
  after: 'y\n',
  state: 'changed',
  ...given,
});

describe('field report 39: what stands beside a command or a difference', () => {
  it('is every argument that it does not show word for word', () => {
    const given = { command: 'npm test', timeout: 5, cwd: 'shop', env: { A: '1' } };
    expect(sentArguments(given, command)).toEqual({
      shown: { timeout: 5, cwd: 'shop', env: { A: '1' } },
      folded: [],
    });
    expect(sentArguments({ program: 'npm', args: ['test'] }, command).shown).toEqual({
      program: 'npm',
      args: ['test'],
    });
  });

  it('folds a content or a patch, which can be opened, and nothing short', () => {
    const patch = '+'.repeat(400);
    const files: RequestReading['shape'] = { type: 'files', changes: [change({})] };
    expect(sentArguments({ path: 'a.ts', content: 'y\n', mode: 'append' }, files)).toEqual({
      shown: { mode: 'append' },
      folded: [['content', 'y\n']],
    });
    expect(sentArguments({ patch }, files).folded).toEqual([['patch', patch]]);
  });

  it('folds nothing long where no difference could be shown', () => {
    const files: RequestReading['shape'] = {
      type: 'files',
      changes: [change({ state: 'does_not_fit', before: null, after: null })],
    };
    const patch = '+'.repeat(400);
    expect(sentArguments({ patch }, files)).toEqual({ shown: { patch }, folded: [] });
  });
});

describe('a command in words', () => {
  it('has its program, what it goes through, and what it does to files', () => {
    expect(
      segmentParts({
        words: ['rm', '-rf', ''],
        assignments: [{ name: 'A', value: '1' }],
        redirections: [
          { operator: '>', target: 'out' },
          { operator: '>>', target: 'log' },
          { operator: '<', target: 'in' },
          { operator: '2>&', target: '1' },
          { operator: '2>', target: 'err' },
        ],
        connector: 'and',
        via: ['sudo', 'env'],
      }),
    ).toEqual({
      program: 'rm',
      words: ['-rf', ''],
      settings: ['A=1'],
      via: ['sudo', 'env'],
      redirections: [
        { kind: 'write', operator: '>', target: 'out' },
        { kind: 'append', operator: '>>', target: 'log' },
        { kind: 'read', operator: '<', target: 'in' },
        { kind: 'merge', operator: '2>&', target: '1' },
        { kind: 'other', operator: '2>', target: 'err' },
      ],
    });
  });

  it('field report 38: keeps its whole text around a marked place, wherever that is said to be', () => {
    for (const at of [
      [2, 4],
      [0, 0],
      [3, 99],
      [-5, 2],
      [9, 1],
    ] as const) {
      expect(markedPlace('abcdef', at).join('')).toBe('abcdef');
    }
    expect(markedPlace('abcdef', [2, 4])).toEqual(['ab', 'cd', 'ef']);
  });
});
