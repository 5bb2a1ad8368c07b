import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ArgumentPattern } from '../../src-preload/contract';
import { startMessages } from '../messages/use-text';
import { argumentName, narrowKind, samePattern } from './narrow-kind';
import { PatternView } from './pattern-view';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startMessages('en');
});

const folder = { type: 'folder', at: '/path', folder: 'src' } as const;
const exact = { type: 'exact', at: '/options/mode', value: 'fast' } as const;
const words = (pattern: ArgumentPattern): string =>
  renderToStaticMarkup(<PatternView pattern={pattern} />).replaceAll(/<[^>]+>/g, '');

describe('what a permission is narrowed to', () => {
  it('has one word for its kind', () => {
    expect(narrowKind([])).toBe('any');
    expect(narrowKind([folder, folder])).toBe('folder');
    expect(narrowKind([folder, exact])).toBe('mixed');
  });

  it('is the same in any order', () => {
    expect(samePattern([folder, exact], [exact, folder])).toBe(true);
    expect(samePattern([folder], [folder, exact])).toBe(false);
    expect(samePattern([], [])).toBe(true);
  });

  it('names arguments readably', () => {
    expect(argumentName('/a~1b/0')).toBe('a/b › 0');
    expect(argumentName('')).toBe('');
  });

  it('is said in plain words, every condition of it', () => {
    expect(words([])).toBe('any arguments');
    expect(words([folder])).toBe('path lies in src or below it');
    expect(words([{ ...folder, folder: '.' }])).toBe('path lies in the folder of the session or below it');
    expect(words([folder, exact])).toBe('path lies in src or below it and options › mode is exactly fast');
    expect(words([{ type: 'host', at: '/url', host: 'a.example:8080' }])).toBe(
      'url is an address at a.example:8080',
    );
    expect(words([{ type: 'command', words: ['npm', 'test'] }])).toBe(
      'the command begins with npm test and does nothing beside it',
    );
    expect(words([{ type: 'exact', at: '', value: { a: 1 } }])).toContain('{&quot;a&quot;:1}');
  });

  it('hazard 5: shows hidden characters of what it names', () => {
    expect(words([{ ...folder, folder: 'src\u202E' }])).toContain('U+202E');
  });
});
