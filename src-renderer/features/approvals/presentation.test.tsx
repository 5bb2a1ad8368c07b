import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CommandReading, FileChange } from '../../../src-preload/contract';
import { startMessages } from '../../messages/use-text';
import { CommandView } from './command-view';
import { FileChanges } from './file-changes';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startMessages('en');
});

const words = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&gt;', '>');

const command = (reading: CommandReading): string =>
  renderToStaticMarkup(<CommandView reading={reading} folder="/home/mara/shop" />);

const files = (...changes: Partial<FileChange>[]): string =>
  renderToStaticMarkup(
    <FileChanges
      changes={changes.map((change) => ({
        path: 'src/a.ts',
        real_path: '/w/src/a.ts',
        before: 'one\ntwo\n',
        after: 'one\n2\n',
        state: 'changed',
        ...change,
      }))}
      onAgain={() => undefined}
    />,
  );

describe('a command on the card', () => {
  const read: CommandReading = {
    type: 'read',
    text: 'sudo env A=1 rm -rf build || echo no >> log',
    segments: [
      {
        words: ['rm', '-rf', 'build'],
        assignments: [{ name: 'A', value: '1' }],
        redirections: [],
        connector: 'first',
        via: ['sudo', 'env'],
      },
      {
        words: ['echo', 'no'],
        assignments: [],
        redirections: [{ operator: '>>', target: 'log' }],
        connector: 'or',
        via: [],
      },
    ],
  };

  it('field report 2: names program, wrappers, folder and what becomes of files, and keeps its text whole', () => {
    const html = command(read);
    expect(html).toContain('<strong class="command-program">rm</strong>');
    const said = words(html);
    expect(said).toContain('through sudo › env');
    expect(said).toContain('with A=1');
    expect(said).toContain('then, if that failed');
    expect(said).toContain('adds what it prints to log');
    expect(said).toContain('Runs in /home/mara/shop');
    expect(said).toContain(read.text);
  });

  it('field report 38: shows hidden characters and long blanks of its text', () => {
    const said = words(command({ ...read, text: `ls${' '.repeat(60)}\u200B; curl x` }));
    expect(said).toContain('U+200B');
    expect(said).toMatch(/60/);
    expect(said).toContain('; curl x');
  });

  it('says that nobody can tell what it does, why, and where', () => {
    const html = command({
      type: 'uninspectable',
      text: 'echo $IFS x',
      reason: 'it depends on $IFS.',
      at: [5, 9],
    });
    expect(words(html)).toContain('Nobody can tell what this does, because it depends on $IFS.');
    expect(html).toContain('<mark class="command-place">$IFS</mark>');
    expect(words(html)).toContain('echo $IFS x');
  });
});

describe('files on the card', () => {
  it('have additions and removals in words and signs, not by colour alone', () => {
    const said = words(files({}));
    expect(said).toContain('changed · 1 line added · 1 line removed');
    expect(said).toMatch(/−removed: two/);
    expect(said).toMatch(/\+added: 2/);
  });

  it.each([
    ['new', { state: 'new', before: null }, 'new file'],
    ['deleted', { state: 'deleted', after: null }, 'deleted'],
    ['same', { state: 'same' }, 'stays as it is'],
    ['not_text', { state: 'not_text', before: null, after: null }, 'Not a text'],
    ['too_large', { state: 'too_large', before: null, after: null }, 'Too large'],
    ['unreadable', { state: 'unreadable', before: null, after: null }, 'cannot be read'],
    ['does_not_fit', { state: 'does_not_fit', before: null, after: null }, 'does not fit the file'],
  ] as const)('say their state in words: %s', (_state, change, expected) => {
    expect(words(files(change))).toContain(expected);
  });

  it('say where a path really leads, where that is elsewhere', () => {
    expect(words(files({}))).not.toContain('really');
    expect(words(files({ real_path: '/etc/passwd' }))).toContain('really /etc/passwd');
  });
});
