import { grantUnusedDays, type ApprovalRequested } from '../../../src-preload/contract';
import type { Text } from '../../messages/use-text';
import { narrowKind } from '../../ui/narrow-kind';
import type { RequestTerms } from './request-terms';

/** What the button that allows says: for how long, and how narrowly. */
export function allowWords(terms: RequestTerms, t: Text): string {
  if (terms.only_once === 'edited') return t('approval.allow.edited');
  if (terms.scope === 'once') return t('approval.allow.once');
  const allow = t(terms.former ? `approval.allow_new.${terms.scope}` : `approval.allow.${terms.scope}`);
  const kind = narrowKind(terms.pattern ?? []);
  return kind === 'any' ? allow : t('approval.allow.narrowed', { allow, narrowed: t(`narrowed.${kind}`) });
}

/** What allowing covers, and when that lapses. Of withheld arguments it says that they are not shown. */
export function coversWords(
  request: ApprovalRequested,
  terms: Pick<RequestTerms, 'scope' | 'pattern' | 'only_once'>,
  endsOn: string | null,
  t: Text,
): string {
  const tool = request.qualified_name ?? request.name;
  const { scope } = terms;
  if (scope === 'once') {
    const form = terms.only_once === 'edited' ? '_edited' : request.arguments === null ? '_withheld' : '';
    return t(`scope.once.covers${form}`, { tool });
  }
  const narrowed = (terms.pattern ?? []).length > 0 ? '_narrowed' : '';
  return [
    t(`scope.${scope}.covers${narrowed}`, { tool, days: grantUnusedDays }),
    ...(endsOn === null ? [] : [t('scope.ends', { date: endsOn })]),
    t('scope.definition'),
  ].join(' ');
}

/** What stands between the person and a lasting permission. */
export function missingWords(missing: NonNullable<RequestTerms['missing']>, t: Text): string {
  const keys = {
    choose: 'scope.choose_first',
    accept: 'scope.accept_first',
    end: 'scope.end_first',
  } as const;
  return t(keys[missing]);
}
