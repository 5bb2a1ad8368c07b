import { describe, expect, it } from 'vitest';
import { baseName, movesOf, splitName, toolSentence } from './tool-sentence';

describe('the sentence of a call', () => {
  it('says whole paths where the name stays and the folder changes', () => {
    expect(
      toolSentence('files.move_file', { source: 'notes.txt', destination: 'Archive/notes.txt' }, 'done'),
    ).toEqual({
      message: 'sentence.move.done',
      slots: { from: 'notes.txt', to: 'Archive/notes.txt' },
      icon: 'move',
    });
    const { slots } = toolSentence('files.move_file', { source: 'sub/b.txt', destination: 'b.txt' }, 'asked');
    expect(slots).toEqual({ from: 'sub/b.txt', to: 'b.txt' });
  });

  it('hides nothing of a path that may leave the folder', () => {
    for (const source of ['../../etc/passwd', '/etc/passwd', 'C:\\a\\passwd', 'a/../../passwd', '~/passwd']) {
      const { slots } = toolSentence('files.move_file', { source, destination: 'x' }, 'asked');
      expect(slots).toEqual({ from: source, to: 'x' });
    }
    const { slots } = toolSentence('files.move_file', { source: 'a/b.txt', destination: '/tmp/x' }, 'done');
    expect(slots).toEqual({ from: 'a/b.txt', to: '/tmp/x' });
  });

  it('says the whole destination where the name changes', () => {
    const { slots } = toolSentence('files.move_file', { source: 'a/b.txt', destination: 'c/d.txt' }, 'asked');
    expect(slots).toEqual({ from: 'b.txt', to: 'c/d.txt' });
  });

  it('lists the workspace itself when no folder is named', () => {
    expect(toolSentence('files.list', {}, 'doing').message).toBe('sentence.list_root.doing');
    expect(toolSentence('files.list', { path: '.' }, 'done').message).toBe('sentence.list_root.done');
    expect(toolSentence('files.list', { path: 'a' }, 'done').message).toBe('sentence.list.done');
  });

  it('falls back to a call for arguments that are withheld, absent or of another shape (S1-60)', () => {
    for (const given of [null, {}, { path: 3 }]) {
      expect(toolSentence('files.read', given, 'asked').message).toBe('sentence.call_on.asked');
    }
  });

  it('names tool and server of an unknown tool, keeping dots of the remote name', () => {
    expect(toolSentence('everything.get.sum', {}, 'done').slots).toEqual({
      tool: 'get.sum',
      server: 'everything',
    });
    expect(toolSentence('made_up', {}, 'asked')).toMatchObject({
      message: 'sentence.call.asked',
      slots: { tool: 'made_up' },
    });
  });

  it('is not fooled by names of built-in properties', () => {
    expect(toolSentence('constructor', {}, 'done').message).toBe('sentence.call.done');
    expect(toolSentence('__proto__', {}, 'done').slots).toEqual({ tool: '__proto__' });
  });
});

describe('parts of names and paths', () => {
  it('takes the last part of a path with either separator', () => {
    expect(baseName('a/b/c.txt')).toBe('c.txt');
    expect(baseName('C:\\a\\b.txt')).toBe('b.txt');
    expect(baseName('/')).toBe('/');
  });

  it('splits at the first dot only', () => {
    expect(splitName('a.b.c')).toEqual({ namespace: 'a', local: 'b.c' });
    expect(splitName('.b')).toEqual({ namespace: null, local: '.b' });
  });

  it('reads one move and a list of moves, and says which arguments that covers', () => {
    const moves = [{ from: 'a', to: 'b' }];
    expect(movesOf({ from: 'a', to: 'b', path: 'c' })).toEqual({ moves, keys: ['from', 'to'] });
    expect(movesOf({ dry: [], moves: [{ source: 'a', destination: 'b' }] })).toEqual({
      moves,
      keys: ['moves'],
    });
  });

  it('sees no list of moves where one item is or says something else', () => {
    expect(movesOf({ moves: [{ source: 'a', destination: 'b' }, 'c'] })).toBeNull();
    expect(movesOf({ moves: [{ source: 'a', destination: 'b', mode: 'x' }] })).toBeNull();
    expect(movesOf({ path: 'a' })).toBeNull();
  });
});
