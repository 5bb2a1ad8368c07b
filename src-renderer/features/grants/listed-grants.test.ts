import { describe, expect, it } from 'vitest';
import type { GrantEntry, GrantMade } from '../../../src-preload/contract';
import { listedGrants, narrows, noFilter } from './listed-grants';

type Made = Partial<Omit<GrantEntry, 'grant'>> & { readonly grant?: Partial<GrantMade> };

function made(id: string, { grant, ...rest }: Made = {}): GrantEntry {
  return {
    grant: {
      grant_id: id,
      scope: 'coworker',
      coworker_id: 'guide',
      qualified_name: 'mail.send',
      pin: 'p'.repeat(64),
      approval_id: `a-${id}`,
      ...grant,
    },
    made_at: '2026-03-01T00:00:00.000Z',
    uses: 0,
    last_used_at: null,
    ended: null,
    ...rest,
  };
}

const ids = (entries: readonly GrantEntry[]): string[] => entries.map(({ grant }) => grant.grant_id);

describe('the permissions that are listed', () => {
  it('stand apart by whether they are in force', () => {
    const entries = [made('a'), made('b', { ended: { how: 'revoked', at: '2026-03-02T00:00:00.000Z' } })];
    const { in_force, ended } = listedGrants(entries, noFilter);
    expect([ids(in_force), ids(ended)]).toEqual([['a'], ['b']]);
  });

  it('come by last use, those never used last, or by when they were given', () => {
    const entries = [
      made('old-unused', { made_at: '2026-01-01T00:00:00.000Z' }),
      made('new-unused', { made_at: '2026-02-01T00:00:00.000Z' }),
      made('used-late', { made_at: '2025-01-01T00:00:00.000Z', last_used_at: '2026-02-20T00:00:00.000Z' }),
      made('used-early', { made_at: '2025-06-01T00:00:00.000Z', last_used_at: '2026-01-20T00:00:00.000Z' }),
    ];
    expect(ids(listedGrants(entries, noFilter).in_force)).toEqual([
      'used-late',
      'used-early',
      'new-unused',
      'old-unused',
    ]);
    expect(ids(listedGrants(entries, { ...noFilter, sort: 'made' }).in_force)).toEqual([
      'new-unused',
      'old-unused',
      'used-early',
      'used-late',
    ]);
  });

  it('are found by tool, by what they are narrowed to, by coworker and by scope', () => {
    const entries = [
      made('mail', { grant: { pattern: [{ type: 'host', at: '/to', host: 'Example.org' }] } }),
      made('run', {
        grant: { qualified_name: 'shell.run', pattern: [{ type: 'command', words: ['npm', 'test'] }] },
      }),
      made('own', {
        grant: { coworker_id: 'files', scope: 'session', pattern: [{ type: 'exact', at: '/n', value: 7 }] },
      }),
      made('folder', { grant: { pattern: [{ type: 'folder', at: '/path', folder: 'Archive/2026' }] } }),
    ];
    const found = (change: Partial<typeof noFilter>): string[] =>
      ids(listedGrants(entries, { ...noFilter, ...change }).in_force).sort();
    expect(found({ text: ' SHELL ' })).toEqual(['run']);
    expect(found({ text: 'npm test' })).toEqual(['run']);
    expect(found({ text: 'example.ORG' })).toEqual(['mail']);
    expect(found({ text: 'archive' })).toEqual(['folder']);
    expect(found({ text: '/n 7' })).toEqual(['own']);
    expect(found({ coworker_id: 'files' })).toEqual(['own']);
    expect(found({ scope: 'session' })).toEqual(['own']);
    expect(found({ scope: 'session', coworker_id: 'guide' })).toEqual([]);
  });

  it('know whether a filter narrows them; the order alone does not', () => {
    expect(narrows({ ...noFilter, sort: 'made', text: '  ' })).toBe(false);
    expect(narrows({ ...noFilter, scope: 'session' })).toBe(true);
  });

  it('are listed at once where there are 500 of them', () => {
    const entries = Array.from({ length: 500 }, (_, at) =>
      made(`g${at}`, { made_at: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString() }),
    );
    const start = performance.now();
    const { in_force } = listedGrants(entries, { ...noFilter, text: 'mail' });
    expect(performance.now() - start).toBeLessThan(100);
    expect(in_force).toHaveLength(500);
    expect(in_force[0]?.grant.grant_id).toBe('g499');
  });
});
