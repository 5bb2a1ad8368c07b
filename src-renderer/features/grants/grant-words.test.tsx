import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import i18next from 'i18next';
import type { ArgumentPattern, GrantEntry, GrantMade } from '../../../src-preload/contract';
import { changeLanguage, startMessages, type Text } from '../../messages/use-text';
import { GrantOrigin, GrantSentence } from './grant-item';
import { endedWords, lapseWords, usedWords } from './grant-words';

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startMessages('en');
});

const t: Text = (key, values) => i18next.t(key, { ...values }) as string;
const now = Date.parse('2026-06-01T12:00:00.000Z');
const before = (days: number): string => new Date(now - days * 24 * 60 * 60 * 1000).toISOString();
const after = (days: number): string => before(-days);

function entry(grant: Partial<GrantMade> = {}, rest: Partial<GrantEntry> = {}): GrantEntry {
  return {
    grant: {
      grant_id: 'g',
      scope: 'coworker',
      coworker_id: 'guide',
      qualified_name: 'mail.send',
      pin: 'p'.repeat(64),
      approval_id: 'a',
      session_id: 's',
      turn_id: 't',
      call_id: 'c',
      ...grant,
    },
    made_at: before(10),
    uses: 0,
    last_used_at: null,
    ended: null,
    ...rest,
  };
}

const plain = (html: string): string => html.replaceAll(/<[^>]+>/g, '').replaceAll('&#x27;', "'");
const sentence = (pattern?: ArgumentPattern): string =>
  plain(
    renderToStaticMarkup(<GrantSentence grant={entry(pattern === undefined ? {} : { pattern }).grant} />),
  );

describe('field report 32: what a permission allows, in plain words', () => {
  it('is said for any arguments and for each way to narrow it', () => {
    expect(sentence()).toBe('May call mail.send with any arguments');
    expect(sentence([])).toBe('May call mail.send with any arguments');
    expect(sentence([{ type: 'host', at: '/to', host: 'example.org' }])).toBe(
      'May call mail.send where to is an address at example.org',
    );
    expect(sentence([{ type: 'command', words: ['npm', 'test'] }])).toContain('begins with npm test');
    expect(
      sentence([
        { type: 'exact', at: '/to', value: 'a@example.org' },
        { type: 'folder', at: '/attachment', folder: 'Archive' },
      ]),
    ).toBe('May call mail.send where to is exactly a@example.org and attachment lies in Archive or below it');
  });

  it('shows hidden characters of a pattern', () => {
    expect(sentence([{ type: 'exact', at: '/to', value: 'a\u202eb' }])).toContain('U+202E');
  });

  it('is said in German too', async () => {
    await changeLanguage('de');
    expect(sentence([{ type: 'host', at: '/to', host: 'example.org' }])).toBe(
      'Darf mail.send aufrufen, sofern gilt: to ist eine Adresse bei example.org',
    );
    await changeLanguage('en');
  });
});

describe('when a permission lapses', () => {
  const words = (grant: Partial<GrantMade>, rest: Partial<GrantEntry> = {}): string =>
    lapseWords(entry(grant, rest), now, t, 'en');

  it('counts 90 days from the last use, or from when it was given', () => {
    expect(words({})).toBe('in 80 days if nobody uses it');
    expect(words({}, { uses: 3, last_used_at: before(56) })).toBe('in 34 days if nobody uses it');
  });

  it('names its own date, and what comes first of the two', () => {
    expect(words({ expires_at: after(7) })).toBe('in 7 days, on Jun 8, 2026');
    expect(words({ expires_at: after(200) })).toBe(
      'in 80 days if nobody uses it, on Dec 18, 2026 at the latest',
    );
  });

  it('says of one for a session that it goes with the session', () => {
    expect(words({ scope: 'session' })).toBe('with its session, or in 80 days if nobody uses it');
  });

  it('never promises anything that is over', () => {
    expect(words({ expires_at: before(0) })).toContain('covers nothing');
    expect(words({}, { made_at: before(90) })).toContain('covers nothing');
  });
});

describe('what became of a permission', () => {
  it('says how often and when it was used last', () => {
    expect(usedWords(entry(), now, t, 'en')).toBe('not yet');
    expect(usedWords(entry({}, { uses: 1, last_used_at: before(3) }), now, t, 'en')).toBe('once, 3 days ago');
    expect(usedWords(entry({}, { uses: 12, last_used_at: after(1) }), now, t, 'en')).toBe(
      '12 times, last now',
    );
  });

  it('says how and when it ended', () => {
    const ended = (how: 'revoked' | 'expired' | 'unused' | 'replaced'): string =>
      endedWords({ how, at: before(1) }, t, 'en');
    expect(ended('revoked')).toBe('You took it back on May 31, 2026');
    expect(ended('expired')).toContain('May 31, 2026');
    expect(ended('unused')).toContain('90 days');
    expect(ended('replaced')).toContain('newer permission');
  });

  it('leads to its request, or says that the session was deleted', () => {
    const shown = (given: GrantEntry, session: { title: string } | null | undefined): string =>
      renderToStaticMarkup(<GrantOrigin entry={given} session={session as never} onOpen={() => undefined} />);
    expect(shown(entry(), { title: 'Letters' })).toMatch(/<button[^>]*>the request in “Letters”<\/button>/);
    expect(shown(entry(), null)).toContain('a session that was deleted');
    expect(shown(entry(), undefined)).not.toContain('deleted');
    const { session_id: _gone, ...old } = entry().grant;
    expect(shown({ ...entry(), grant: old }, undefined)).toContain('was not recorded');
  });
});
