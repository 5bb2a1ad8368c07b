import { describe, expect, it } from 'vitest';
import { failureCodes, outcomes } from '../../src-preload/contract';
import { de } from './de';
import { en, type MessageName } from './en';
import { hasMessage, languageFor } from './use-text';

const names = Object.keys(en) as MessageName[];
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').sort();

describe('the message catalogue', () => {
  it('has every English message in German and no other', () => {
    expect(Object.keys(de).sort()).toEqual([...names].sort());
  });

  it.each(names)('uses the same placeholders in both languages: %s', (name) => {
    expect(placeholders(de[name])).toEqual(placeholders(en[name]));
    expect(de[name].trim()).not.toBe('');
    expect(en[name].trim()).not.toBe('');
  });

  it('has both forms of each plural', () => {
    for (const name of names) {
      if (name.endsWith('_one')) expect(names).toContain(name.replace(/_one$/, '_other'));
      if (name.endsWith('_other')) expect(names).toContain(name.replace(/_other$/, '_one'));
    }
  });

  it('has a title for every failure code and a word for every outcome', () => {
    for (const code of failureCodes) expect(hasMessage(`failure.${code}`)).toBe(true);
    for (const outcome of outcomes) expect(hasMessage(`outcome.${outcome}`)).toBe(true);
  });

  it('follows the setting, else the system, else English', () => {
    expect(languageFor('de', 'en-GB')).toBe('de');
    expect(languageFor('system', 'de-AT')).toBe('de');
    expect(languageFor('system', 'fr-FR')).toBe('en');
  });
});
