import type { ScopePreview } from '../../../src-preload/contract';
import type { Text } from '../../messages/use-text';

/** How many of the calls on record a permission would have covered, in one sentence. */
export function previewWords({ calls, covered, more }: ScopePreview, t: Text): string {
  if (calls === 0) return t('preview.none');
  const form =
    covered === calls ? 'preview.covered_all' : covered === 0 ? 'preview.covered_none' : 'preview.covered';
  const sentence = t(form, { count: calls, covered });
  return more ? `${sentence} ${t('preview.more')}` : sentence;
}
