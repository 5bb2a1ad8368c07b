import { describe, expect, it } from 'vitest';
import type {
  ApprovalRequested,
  ArgumentPattern,
  GrantEntry,
  RequestReading,
} from '../../../src-preload/contract';
import { emptyRequestDraft, type RequestDraft } from '../../state/ui-store';
import { acceptanceOf, endOf, patternOptions, termsOf, type TermsGiven } from './request-terms';

const now = Date.parse('2026-03-01T12:00:00Z');
const npm: ArgumentPattern = [{ type: 'command', words: ['npm'] }];
const exactly: ArgumentPattern = [{ type: 'exact', at: '/command', value: 'npm test' }];

const reading = (shape: RequestReading['shape'] = { type: 'plain' }): RequestReading => ({
  shape,
  suggestions: [npm, exactly],
  schema: null,
});

const uninspectable = reading({
  type: 'command',
  folder: null,
  reading: { type: 'uninspectable', text: 'x', reason: 'y', at: [0, 1] },
});

const entry = (scope: 'session' | 'coworker', ended: GrantEntry['ended'] = null): GrantEntry => ({
  grant: {
    grant_id: 'g',
    scope,
    coworker_id: 'c',
    qualified_name: 'a.b',
    pin: 'p',
    approval_id: 'a',
    pattern: npm,
  },
  made_at: '2026-01-01T00:00:00Z',
  uses: 1,
  last_used_at: null,
  ended,
});

function terms(
  request: Partial<ApprovalRequested>,
  draft: Partial<RequestDraft> = {},
  more: Partial<TermsGiven> = {},
) {
  return termsOf({
    request: { classification: 'exec', reason: 'not_read_only', ...request } as ApprovalRequested,
    draft: { ...emptyRequestDraft, ...draft },
    reading: reading(),
    grant: null,
    now,
    ...more,
  });
}

describe('what an answer would allow', () => {
  it('field report 7: is this one call until the person chooses more', () => {
    expect(terms({})).toMatchObject({ scope: 'once', missing: null, warning: null });
    expect(terms({ classification: 'write' }).scope).toBe('once');
  });

  it('offers the narrowest pattern first and any arguments last', () => {
    expect(patternOptions([npm, exactly], null)).toEqual([exactly, npm, []]);
    expect(patternOptions([npm, exactly], npm)).toEqual([npm, exactly, []]);
    expect(patternOptions([], null)).toEqual([[]]);
  });

  it('never preselects any arguments for a tool that runs programs or reaches outside', () => {
    for (const classification of ['exec', 'external'] as const) {
      expect(terms({ classification }, { scope: 'session' }).pattern).toEqual(exactly);
      const none = terms({ classification }, { scope: 'coworker' }, { reading: null });
      expect(none).toMatchObject({ pattern: null, missing: 'choose' });
    }
    expect(terms({ classification: 'write' }, { scope: 'session' }).pattern).toEqual([]);
  });

  it('wants a tick for a wide permission, and another one for another scope', () => {
    const wide = terms({}, { scope: 'session', pattern: [] });
    expect(wide).toMatchObject({ warning: 'exec_without_pattern', missing: 'accept' });
    const noted = { scope: 'session', pattern: [], accepted: acceptanceOf('session', []) } as const;
    expect(terms({}, noted).missing).toBeNull();
    expect(terms({}, { ...noted, scope: 'coworker' }).missing).toBe('accept');
    expect(terms({ classification: 'external' }, { scope: 'session', pattern: [] }).warning).toBe(
      'external_without_pattern',
    );
    expect(terms({ classification: 'write' }, { scope: 'session', pattern: [] }).missing).toBeNull();
  });

  it('field report 9: offers no lasting permission where it would cover nothing', () => {
    const unread = terms({}, { scope: 'coworker' }, { reading: uninspectable });
    expect(unread).toMatchObject({ scope: 'once', only_once: 'uninspectable' });
    expect(terms({ reason: 'uninspectable' }, {}, { reading: null }).only_once).toBe('uninspectable');
  });

  it('field report 26: edited arguments are for one call', () => {
    expect(terms({}, { editing: true, scope: 'coworker' })).toMatchObject({
      scope: 'once',
      only_once: 'edited',
    });
  });

  it('takes scope and pattern from the permission that stood on the former definition', () => {
    const changed = terms({ reason: 'definition_changed' }, {}, { grant: entry('coworker') });
    expect(changed).toMatchObject({ scope: 'coworker', pattern: npm, missing: null });
    expect(changed.former?.grant.grant_id).toBe('g');
    expect(
      terms({ reason: 'definition_changed' }, { scope: 'once' }, { grant: entry('coworker') }).scope,
    ).toBe('once');
  });

  it('takes nothing from a permission that has ended, or that is spoken of for another reason', () => {
    const ended = entry('coworker', { how: 'revoked', at: '2026-01-02T00:00:00Z' });
    expect(terms({ reason: 'definition_changed' }, {}, { grant: ended })).toMatchObject({
      scope: 'once',
      former: null,
    });
    expect(terms({ reason: 'outside_grant' }, {}, { grant: entry('session') }).scope).toBe('once');
  });
});

describe('when a permission ends', () => {
  it('is a day, a week, 30 days, or the evening of a day that is still to come', () => {
    const end = (value: RequestDraft['end'], own_day = '') => endOf({ end: value, own_day }, now);
    expect(end('none')).toBeNull();
    expect(end('day')).toBe('2026-03-02T12:00:00.000Z');
    expect(end('week')).toBe('2026-03-08T12:00:00.000Z');
    expect(end('month')).toBe('2026-03-31T12:00:00.000Z');
    expect(Date.parse(end('own', '2026-05-01') ?? '')).toBe(new Date('2026-05-01T23:59:59').getTime());
    expect(end('own', '2026-02-01')).toBeUndefined();
    expect(end('own')).toBeUndefined();
  });

  it('holds a lasting permission back while no day is chosen', () => {
    expect(terms({ classification: 'write' }, { scope: 'session', end: 'own' }).missing).toBe('end');
  });
});
