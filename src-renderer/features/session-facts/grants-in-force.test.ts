import { describe, expect, it } from 'vitest';
import {
  emptySessionView,
  foldSessionEvents,
  type GrantEntry,
  type GrantMade,
  type SessionView,
} from '../../../src-preload/contract';
import { hex, recorder, tools } from '../../testing/fixture-data';
import { beginTurn, created } from '../../testing/fixture-sessions';
import { grantsInForce } from './grants-in-force';

const [tool] = tools;
const name = tool?.qualified_name ?? '';
const pin = tool?.pin ?? '';

const grant = (given: Partial<GrantMade>): GrantMade => ({
  grant_id: 'g',
  scope: 'session',
  coworker_id: 'file-organizer',
  qualified_name: name,
  pin,
  approval_id: 'a',
  ...given,
});

function granted(grants: readonly GrantMade[], ended: readonly string[] = []): SessionView {
  const record = recorder('s', new Date(0));
  created(record, 'Title', 0);
  beginTurn(record, 't', 'Hi');
  for (const one of grants) record.add('t', 'grant_made', one);
  for (const grant_id of ended) record.add(null, 'grant_ended', { grant_id, how: 'revoked' });
  return foldSessionEvents(emptySessionView('s'), record.events);
}

const entry = (given: Partial<GrantMade>, ended: GrantEntry['ended'] = null): GrantEntry => ({
  grant: grant({ scope: 'coworker', grant_id: 'c', session_id: 'other', ...given }),
  made_at: '2026-01-01T00:00:00Z',
  uses: 0,
  last_used_at: null,
  ended,
});

describe('what is allowed in advance here', () => {
  it('holds for the definition that it was given for', () => {
    expect(grantsInForce(granted([grant({})]), [])).toMatchObject([{ qualified_name: name, holds: true }]);
    expect(grantsInForce(granted([grant({ pin: hex('as it was') })]), [])).toMatchObject([{ holds: false }]);
  });

  it('stands for a tool that the latest turn did not have', () => {
    const view = granted([grant({ qualified_name: 'home.lamp', pin: hex('lamp') })]);
    expect(grantsInForce(view, [])).toMatchObject([{ qualified_name: 'home.lamp', holds: true }]);
  });

  it('is also what was allowed this coworker, in whichever session', () => {
    const found = grantsInForce(granted([grant({})]), [
      entry({}),
      entry({ grant_id: 'x', coworker_id: 'another' }),
    ]);
    expect(found.map(({ grant_id, scope }) => [grant_id, scope])).toEqual([
      ['c', 'coworker'],
      ['g', 'session'],
    ]);
  });

  it('leaves out the session permissions of other sessions', () => {
    expect(grantsInForce(granted([]), [entry({ scope: 'session' })])).toEqual([]);
  });

  it('field report 5: is gone at once when it was taken back, whichever side says so first', () => {
    const ended = { how: 'revoked', at: '2026-01-02T00:00:00Z' } as const;
    expect(grantsInForce(granted([grant({})], ['g']), [])).toEqual([]);
    expect(
      grantsInForce(granted([grant({})], ['g']), [
        entry({ grant_id: 'g', scope: 'session', session_id: 's' }),
      ]),
    ).toEqual([]);
    expect(
      grantsInForce(granted([grant({})]), [
        entry({ grant_id: 'g', scope: 'session', session_id: 's' }, ended),
      ]),
    ).toEqual([]);
    expect(grantsInForce(granted([]), [entry({}, ended)])).toEqual([]);
  });

  it('says what it is narrowed to, and when it ends', () => {
    const pattern = [{ type: 'folder', at: '/path', folder: 'src' }] as const;
    const expires_at = '2027-01-01T00:00:00Z';
    expect(grantsInForce(granted([grant({ pattern, expires_at })]), [])).toMatchObject([
      { pattern, expires_at },
    ]);
  });
});
