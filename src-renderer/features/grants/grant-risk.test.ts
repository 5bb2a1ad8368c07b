import { describe, expect, it } from 'vitest';
import type { ArgumentPattern, Classification, GrantEntry } from '../../../src-preload/contract';
import { grantRisk } from './grant-risk';

function entry(classification?: Classification, pattern: ArgumentPattern = [], over = false): GrantEntry {
  return {
    grant: {
      grant_id: 'g',
      scope: 'coworker',
      coworker_id: 'guide',
      qualified_name: 'mail.send',
      pin: 'p',
      approval_id: 'a',
      pattern,
      ...(classification ? { classification } : {}),
    },
    made_at: '2026-03-01T00:00:00.000Z',
    uses: 0,
    last_used_at: null,
    ended: over ? { how: 'revoked', at: '2026-03-02T00:00:00.000Z' } : null,
  };
}

describe('the warning of a permission', () => {
  it('stands where everything would run unasked that a tool can do outside', () => {
    expect(grantRisk(entry('exec'))).toBe('exec');
    expect(grantRisk(entry('external'))).toBe('external');
  });

  it('is no part of one that is narrowed, has ended, or covers a harmless tool', () => {
    expect(grantRisk(entry('external', [{ type: 'host', at: '/to', host: 'example.org' }]))).toBeNull();
    expect(grantRisk(entry('exec', [], true))).toBeNull();
    for (const classification of ['read', 'write', undefined] as const) {
      expect(grantRisk(entry(classification))).toBeNull();
    }
  });
});
