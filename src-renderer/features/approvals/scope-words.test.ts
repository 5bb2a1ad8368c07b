import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApprovalRequested, ArgumentPattern, GrantEntry } from '../../../src-preload/contract';
import { startMessages, type Text } from '../../messages/use-text';
import { previewWords } from './preview-words';
import type { RequestTerms } from './request-terms';
import { allowWords, coversWords } from './scope-words';

const t: Text = (key, values) => i18next.t(key, { ...values });

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: {} } });
  await startMessages('en');
});

const folder: ArgumentPattern = [{ type: 'folder', at: '/path', folder: 'src' }];
const terms = (given: Partial<RequestTerms>): RequestTerms => ({
  scope: 'once',
  pattern: [],
  options: [],
  former: null,
  only_once: null,
  warning: null,
  missing: null,
  ...given,
});

describe('field report 5: the button says what it allows and for how long', () => {
  it.each([
    [terms({}), 'Allow once'],
    [terms({ scope: 'session' }), 'Allow this session'],
    [terms({ scope: 'coworker' }), 'Always allow for this coworker'],
    [terms({ scope: 'coworker', pattern: folder }), 'Always allow for this coworker, in this folder'],
    [terms({ only_once: 'edited' }), 'Allow once, as edited'],
    [terms({ only_once: 'uninspectable' }), 'Allow once'],
    [
      terms({ scope: 'session', former: {} as GrantEntry, pattern: folder }),
      'Allow the new definition this session, in this folder',
    ],
  ])('%#', (given, words) => {
    expect(allowWords(given, t)).toBe(words);
  });
});

describe('the line beside it', () => {
  const request = { qualified_name: 'files.write', arguments: {} } as unknown as ApprovalRequested;

  it('says what is covered and when that lapses', () => {
    expect(coversWords(request, terms({}), null, t)).toMatch(
      /this one call of files\.write.*never remembered/,
    );
    expect(coversWords(request, terms({ scope: 'session' }), null, t)).toMatch(
      /whatever its arguments\. It lapses with the session\. A change of the tool’s definition asks anew\./,
    );
    expect(coversWords(request, terms({ scope: 'coworker', pattern: folder }), 'May 1', t)).toMatch(
      /in every session, where what is chosen above holds.*90 days\. It ends on May 1 at the latest\./,
    );
  });

  it('says of withheld arguments that they are not shown, and of edited ones whose they are', () => {
    expect(coversWords({ ...request, arguments: null }, terms({}), null, t)).toContain('not shown');
    expect(coversWords(request, terms({ only_once: 'edited' }), null, t)).toContain('as you edited');
  });
});

describe('what it would have covered', () => {
  const preview = (calls: number, covered: number, more = false) =>
    previewWords({ calls, covered, more, examples: [], warning: null }, t);

  it('is one sentence for each case', () => {
    expect(preview(14, 12)).toBe('It would have covered 12 of the 14 calls on record.');
    expect(preview(14, 14)).toBe('It would have covered all 14 calls on record.');
    expect(preview(14, 0)).toBe('It would have covered none of the 14 calls on record.');
    expect(preview(1, 1)).toBe('It would have covered the one call on record.');
    expect(preview(0, 0)).toBe('No earlier call of this tool is on record.');
    expect(preview(3, 1, true)).toMatch(/Older ones were not looked at\.$/);
  });
});
