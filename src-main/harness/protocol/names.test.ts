import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aliasOf, checkNamespace, checkSelection, maxNameBytes, parseQualifiedName } from './names';

const segment = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
const qualified = fc.tuple(segment, segment).map(([namespace, local]) => `${namespace}.${local}`);

describe('qualified names', () => {
  it('S0-47 S1-34: an alias replaces each dot with two underscores', () => {
    expect(aliasOf('files.move_file')).toBe('files__move_file');
    fc.assert(
      fc.property(qualified, (name) => {
        expect(aliasOf(name).split('__').length).toBeGreaterThanOrEqual(2);
        expect(aliasOf(name)).not.toContain('.');
      }),
    );
  });

  it('S0-44: takes the remote name exactly, dots included', () => {
    const parsed = parseQualifiedName('acer.care.center_battery');
    expect(parsed).toMatchObject({
      ok: true,
      value: { namespace: 'acer', local_name: 'care.center_battery' },
    });
  });

  it('S0-50: keeps case, so that names which differ in case only are two names', () => {
    const { names, problems } = checkSelection(['files.List', 'files.list']);
    expect(problems).toEqual([]);
    expect(names.map((name) => name.model_alias)).toEqual(['files__List', 'files__list']);
  });

  it('S0-51: refuses the reserved namespace, and only in exactly that spelling', () => {
    expect(parseQualifiedName('openworker.run')).toMatchObject({
      ok: false,
      error: { code: 'name_reserved' },
    });
    expect(checkNamespace('OpenWorker')).toBeNull();
  });

  it('S0-52 C4: measures the name and the alias, which is a byte longer per dot', () => {
    const fits = `a.${'b'.repeat(maxNameBytes - 3)}`;
    expect(fits.length).toBe(79);
    expect(parseQualifiedName(fits).ok).toBe(true);
    expect(parseQualifiedName(`${fits}b`)).toMatchObject({ ok: false, error: { code: 'name_too_long' } });
  });

  it.each([
    '',
    'files',
    '.list',
    'files.',
    'files..list',
    'filés.list',
    'files.li st',
    'a.b/c',
    'files.\u202elist',
    '__proto__',
  ])('refuses %j with a name and a remedy', (text) => {
    const parsed = parseQualifiedName(text);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.error.message).toMatch(/\. (Write|Use|Rename)|Write it/);
  });

  it('S0-46 C6: refuses duplicates and colliding aliases and names both', () => {
    const { names, problems } = checkSelection(['a.b__c', 'a__b.c', 'a.b__c']);
    expect(names).toHaveLength(1);
    expect(problems.map((problem) => [problem.code, problem.data?.['index']])).toEqual([
      ['alias_collision', 1],
      ['name_duplicate', 2],
    ]);
    expect(problems[0]?.message).toContain('a.b__c');
    expect(problems[0]?.message).toContain('a__b.c');
  });

  it('S0-46: whatever the selection, accepted names and aliases are unique and in order', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(qualified, fc.string())), (texts) => {
        const { names, problems } = checkSelection(texts);
        expect(new Set(names.map((name) => name.model_alias)).size).toBe(names.length);
        expect(names.length + problems.length).toBe(texts.length);
        for (const name of names) expect(name.model_alias.length).toBeLessThanOrEqual(maxNameBytes);
      }),
    );
  });
});
