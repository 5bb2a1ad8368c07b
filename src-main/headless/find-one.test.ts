import { describe, expect, it } from 'vitest';
import { findOne } from './find-one';

const kind = { idOf: (id: string) => id, what: 'session', list: 'sessions list' };
const ids = ['s_1', 's_12', 's_2', 's_3', 's_4', 's_5', 's_6'];

describe('an id on the command line', () => {
  it('may be the beginning of one id alone, and a whole id is never another', () => {
    expect(findOne(ids, 's_2', kind)).toEqual({ ok: true, value: 's_2' });
    expect(findOne(ids, 's_1', kind)).toEqual({ ok: true, value: 's_1' });
    expect(findOne(['s_abc', 's_xyz'], 's_a', kind)).toEqual({ ok: true, value: 's_abc' });
  });

  it('is refused with the choice where it may mean several', () => {
    const found = findOne(ids, 's_', kind);
    expect(found).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(!found.ok && found.error.message).toMatch(/ambiguous.*s_1, s_12, s_2, s_3, s_4 and 2 more/);
  });

  it('is refused with the command that lists them where there is none', () => {
    const found = findOne(ids, 'x', kind);
    expect(found).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(!found.ok && found.error.message).toContain('"openworker sessions list"');
  });
});
