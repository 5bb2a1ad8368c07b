import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { startMessages, type Text } from '../../messages/use-text';
import { ruleWords } from './row-rule';

const t: Text = (key, values) => i18next.t(key, { ...values });

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startMessages('en');
});

describe('the rule of a call', () => {
  it('says who made it, when, and how far it reaches (field report 34)', () => {
    const at = '2026-03-01T12:00:00Z';
    const words = ruleWords({ rule: 'grant_coworker', by: 'person', at, scope: 'coworker' }, t, 'en');
    expect(words).toMatch(/^Set by you on Mar 1, 2026, .*; reaches this coworker, in every session\.$/);
    expect(ruleWords({ rule: 'classification_read', by: 'host', scope: 'app' }, t, 'en')).toBe(
      'Set by the host of this app; reaches the whole app.',
    );
  });

  it('says nothing that an older record does not', () => {
    expect(ruleWords({ rule: 'asked_person' }, t, 'en')).toBe('');
  });
});
