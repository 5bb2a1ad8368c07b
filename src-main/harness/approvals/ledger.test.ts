import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openJournal, type Journal } from '../journal';
import type { GrantMade, Result } from '../protocol';
import { openLedger, type Ledger } from './ledger';

const grant: GrantMade = {
  grant_id: 'g_1',
  scope: 'coworker',
  coworker_id: 'c',
  qualified_name: 'mail.send',
  pin: 'p',
  approval_id: 'a_1',
  pattern: [],
  expires_at: null,
};
const day = 24 * 60 * 60 * 1000;
const start = Date.parse('2026-01-01T00:00:00.000Z');

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** A data folder with a clock of its own, that can be closed and opened again. */
function dataFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  folders.push(folder);
  const clock = { now: start };
  let journal: Journal = must(openJournal({ folder, now: () => clock.now }));
  const open = (): Ledger => must(openLedger({ journal, now: () => clock.now }));
  return {
    clock,
    open,
    reopen(): Ledger {
      journal.close();
      journal = must(openJournal({ folder, now: () => clock.now }));
      return open();
    },
    journal: () => journal,
  };
}

const inForce = (ledger: Ledger): boolean =>
  ledger.standing('c', 'mail.send').some(({ ended }) => ended === null);

describe('the ledger', () => {
  it('field reports 4, 5, 6: a grant holds for the very next call, and after a restart', () => {
    const data = dataFolder();
    const ledger = data.open();
    expect(inForce(ledger)).toBe(false);
    expect(ledger.make(grant)).toEqual({ ok: true, value: null });
    expect(inForce(ledger)).toBe(true);
    expect(ledger.standing('d', 'mail.send')).toEqual([]);
    expect(ledger.standing('c', 'mail.Send')).toEqual([]);
    expect(inForce(data.reopen())).toBe(true);
  });

  it('one that is taken back covers nothing from then on, and says so for good', () => {
    const data = dataFolder();
    const ledger = data.open();
    ledger.make(grant);
    expect(ledger.end('g_1', 'revoked').ok).toBe(true);
    expect(ledger.end('g_1', 'revoked').ok).toBe(true);
    expect(ledger.end('g_9', 'revoked')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(inForce(ledger)).toBe(false);
    const [entry] = data.reopen().entries();
    expect(entry).toMatchObject({ ended: { how: 'revoked' }, uses: 0 });
  });

  it('lapses at its date, and no clock that is set back revives it', () => {
    const data = dataFolder();
    const ledger = data.open();
    ledger.make({ ...grant, expires_at: new Date(start + day).toISOString() });
    data.clock.now = start + day - 1;
    expect(inForce(ledger)).toBe(true);
    data.clock.now = start + day;
    expect(ledger.standing('c', 'mail.send')[0]?.ended).toBe('expired');
    data.clock.now = start;
    expect(inForce(ledger)).toBe(false);
    expect(inForce(data.reopen())).toBe(false);
  });

  it('a clock that goes back before anybody looked revives nothing while the app runs', () => {
    const data = dataFolder();
    const ledger = data.open();
    ledger.make({ ...grant, expires_at: new Date(start + day).toISOString() });
    data.clock.now = start + 2 * day;
    expect(ledger.lapse({ ...grant, expires_at: new Date(start + day).toISOString() }, '')).toBe('expired');
    data.clock.now = start;
    expect(inForce(ledger)).toBe(false);
  });

  it('lapses when nobody used it for 90 days; each use begins them anew', () => {
    const data = dataFolder();
    const ledger = data.open();
    ledger.make(grant);
    data.clock.now = start + 89 * day;
    ledger.used('g_1', new Date(data.clock.now).toISOString());
    data.clock.now = start + 178 * day;
    expect(inForce(ledger)).toBe(true);
    expect(ledger.entries()[0]).toMatchObject({
      uses: 1,
      last_used_at: new Date(start + 89 * day).toISOString(),
    });
    data.clock.now = start + 180 * day;
    expect(ledger.entries()[0]).toMatchObject({ ended: { how: 'unused' } });
    expect(inForce(data.reopen())).toBe(false);
  });

  it('a grant for the new definition replaces the one for the old, with the same terms only', () => {
    const ledger = dataFolder().open();
    ledger.make(grant);
    ledger.make({ ...grant, grant_id: 'g_2', pattern: [{ type: 'host', at: '/url', host: 'x' }] });
    ledger.make({ ...grant, grant_id: 'g_3', pin: 'q' });
    const ends = ledger.standing('c', 'mail.send').map((one) => [one.grant.grant_id, one.ended]);
    expect(ends).toEqual([
      ['g_1', 'replaced'],
      ['g_2', null],
      ['g_3', null],
    ]);
  });

  it('what the person says of a tool holds for exactly that definition, until they take it back', () => {
    const data = dataFolder();
    const ledger = data.open();
    expect(ledger.classify('mail.list', 'p', 'read').ok).toBe(true);
    expect(ledger.classified('mail.list', 'p')).toEqual({
      classification: 'read',
      at: '2026-01-01T00:00:00.000Z',
    });
    expect(ledger.classified('mail.list', 'q')).toBeNull();
    const again = data.reopen();
    expect(again.classified('mail.list', 'p')?.classification).toBe('read');
    again.classify('mail.list', 'p', null);
    expect(data.reopen().classified('mail.list', 'p')).toBeNull();
  });

  it('tells of each change once it is recorded, and of none that the disk refused', () => {
    const data = dataFolder();
    const ledger = data.open();
    let told = 0;
    const stop = ledger.onChanged(() => (told += 1));
    ledger.make(grant);
    ledger.classify('mail.list', 'p', 'read');
    expect(told).toBe(2);
    data.journal().close();
    expect(ledger.make({ ...grant, grant_id: 'g_2' }).ok).toBe(false);
    expect(ledger.classify('mail.list', 'p', null).ok).toBe(false);
    expect(told).toBe(2);
    expect(ledger.classified('mail.list', 'p')).not.toBeNull();
    stop();
  });
});
