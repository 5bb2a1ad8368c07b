import { describe, expect, it } from 'vitest';
import type { ArgumentPattern, Classification, GrantEntry } from '../../../src-preload/contract';
import { grantRisk, serversToAsk, toolKey } from './grant-risk';

const pin = 'p'.repeat(64);

function entry(qualified_name: string, pattern?: ArgumentPattern, over = false): GrantEntry {
  return {
    grant: {
      grant_id: qualified_name,
      scope: 'coworker',
      coworker_id: 'guide',
      qualified_name,
      pin,
      approval_id: 'a',
      ...(pattern === undefined ? {} : { pattern }),
    },
    made_at: '2026-03-01T00:00:00.000Z',
    uses: 0,
    last_used_at: null,
    ended: over ? { how: 'revoked', at: '2026-03-02T00:00:00.000Z' } : null,
  };
}

const servers = new Set(['mail', 'shell']);
const known = (name: string, classification: Classification) =>
  new Map([[toolKey(name, pin), classification]]);

describe('the warning of a permission', () => {
  it('stands where everything would run unasked that a tool can do outside', () => {
    expect(grantRisk(entry('shell.run'), known('shell.run', 'exec'), servers)).toBe('exec');
    expect(grantRisk(entry('mail.send'), known('mail.send', 'external'), servers)).toBe('external');
    expect(grantRisk(entry('mail.send', []), new Map(), servers)).toBe('external');
  });

  it('is no part of one that is narrowed, has ended, or covers a tool that was vetted as harmless', () => {
    const narrowed: ArgumentPattern = [{ type: 'host', at: '/to', host: 'example.org' }];
    expect(grantRisk(entry('mail.send', narrowed), new Map(), servers)).toBeNull();
    expect(grantRisk(entry('mail.send', [], true), new Map(), servers)).toBeNull();
    expect(grantRisk(entry('mail.list'), known('mail.list', 'read'), servers)).toBeNull();
    expect(grantRisk(entry('files.move_file'), new Map(), servers)).toBeNull();
  });

  it('is not calmed by the word on another definition of the tool', () => {
    const other = new Map([[toolKey('mail.send', 'q'.repeat(64)), 'read' as const]]);
    expect(grantRisk(entry('mail.send'), other, servers)).toBe('external');
  });

  it('asks each running server once, and starts none', () => {
    const entries = [
      entry('mail.send'),
      entry('mail.list'),
      entry('shell.run'),
      entry('web.get'),
      entry('files.a'),
    ];
    expect(serversToAsk(entries, new Set(['mail', 'web']))).toEqual(['mail', 'web']);
    expect(serversToAsk([entry('mail.send', [], true)], new Set(['mail']))).toEqual([]);
  });
});
