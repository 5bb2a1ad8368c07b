import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { grantsOnRecord } from './grants-on-record';
import { openJournal, openJournalReader, type Journal } from './journal';
import type { GrantEntry, GrantMade, NewSessionEvent } from './protocol';

const day = 24 * 60 * 60 * 1000;
const start = Date.UTC(2026, 0, 1);
let folder: string;
let journal: Journal;
let now: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grants-on-record-'));
  now = start;
  const opened = openJournal({ folder, now: () => (now += 1_000) });
  if (!opened.ok) throw new Error(opened.error.message);
  journal = opened.value;
});

afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

function grant(grant_id: string, more: Partial<GrantMade> = {}): GrantMade {
  return {
    grant_id,
    scope: 'coworker',
    coworker_id: 'c',
    qualified_name: 'files.move_file',
    pin: 'p',
    approval_id: `a_${grant_id}`,
    ...more,
  };
}

function record(session: string, ...events: NewSessionEvent[]): void {
  const appended = journal.append(session, events);
  if (!appended.ok) throw new Error(appended.error.message);
}

const created: NewSessionEvent = {
  turn_id: null,
  type: 'session_created',
  data: {
    title: 'Books',
    coworker: { id: 'c', name: 'Librarian', tagline: '', icon: 'book', version: '1.0.0', bundle_digest: '0' },
    workspace: null,
    model: { provider: 'practice', name: 'practice' },
    mode: 'ask',
    app_version: '0.1.0',
  },
};

const madeIn = (id: string): NewSessionEvent => ({
  turn_id: 't_1',
  type: 'grant_made',
  data: grant(id, { scope: 'session' }),
});

function used(grant_id: string): NewSessionEvent {
  const names = {
    call_id: 'c_1',
    name: 'm',
    qualified_name: 'files.move_file',
    model_alias: 'files__move_file',
  };
  const facts = { classification: 'write', placement: 'in_app', presentation: 'plain' } as const;
  const rule = { rule: 'grant_coworker', grant_id } as const;
  const data = { ...names, ...facts, arguments: {}, origin: { kind: 'native' } as const, rule };
  return { turn_id: 't_1', type: 'tool_started', data };
}

/** Read while the journal is open for writing, as beside a running app. */
function entries(at = now): readonly GrantEntry[] {
  const reader = openJournalReader(folder);
  if (!reader.ok) throw new Error(reader.error.message);
  const found = grantsOnRecord(reader.value, at);
  reader.value.close();
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

describe('permissions read beside the app', () => {
  it('are those of the app and of all sessions, the newest first, with how often they were used', () => {
    journal.appendApp('grant_made', grant('g_1'));
    record('s_1', created, madeIn('g_2'), used('g_1'), used('g_1'));
    expect(entries()).toMatchObject([
      { grant: { grant_id: 'g_2', session_id: 's_1', turn_id: 't_1' }, uses: 0, last_used_at: null },
      { grant: { grant_id: 'g_1', scope: 'coworker' }, uses: 2, ended: null },
    ]);
  });

  it('say how they ended, also where that is by now only a matter of time', () => {
    journal.appendApp('grant_made', grant('g_revoked'));
    journal.appendApp('grant_ended', { grant_id: 'g_revoked', how: 'revoked' });
    journal.appendApp('grant_made', grant('g_expires', { expires_at: new Date(start + day).toISOString() }));
    journal.appendApp('grant_made', grant('g_idle'));
    const gone = { turn_id: null, type: 'grant_ended', data: { grant_id: 'g_s', how: 'revoked' } } as const;
    record('s_1', created, madeIn('g_s'), gone);
    const how = (at: number): Record<string, string | null> =>
      Object.fromEntries(entries(at).map(({ grant: made, ended }) => [made.grant_id, ended?.how ?? null]));
    const ended = { g_revoked: 'revoked', g_s: 'revoked' };
    expect(how(now)).toEqual({ ...ended, g_expires: null, g_idle: null });
    expect(how(now + 2 * day)).toEqual({ ...ended, g_expires: 'expired', g_idle: null });
    expect(how(now + 91 * day)).toEqual({ ...ended, g_expires: 'expired', g_idle: 'unused' });
  });

  it('are none of a deleted session', async () => {
    record('s_1', created, madeIn('g_1'));
    journal.deleteSession('s_1');
    await journal.swept();
    expect(entries()).toEqual([]);
  });
});
