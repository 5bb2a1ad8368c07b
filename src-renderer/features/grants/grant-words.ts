import { grantUnusedDays, type GrantEntry } from '../../../src-preload/contract';
import { formatDay, formatDistance } from '../../messages/format-date';
import type { Text } from '../../messages/use-text';

const dayMs = 24 * 60 * 60 * 1000;

/** When it lapses by not being used, milliseconds since 1970. */
function unusedAt(entry: GrantEntry): number {
  return Date.parse(entry.last_used_at ?? entry.made_at) + grantUnusedDays * dayMs;
}

/** When a permission ends if nothing more happens, in words. `now` in milliseconds since 1970. */
export function lapseWords(entry: GrantEntry, now: number, t: Text, language: string): string {
  const own = entry.grant.expires_at ?? null;
  const unused = unusedAt(entry);
  const ownAt = own === null ? null : Date.parse(own);
  if (Math.min(unused, ownAt ?? unused) <= now) return t('ledger.lapses.now');
  const rest = (): string => {
    if (own === null || ownAt === null) {
      return t('ledger.lapses.unused', { when: formatDistance(unused - now, language) });
    }
    const date = formatDay(own, language);
    return ownAt <= unused
      ? t('ledger.lapses.date', { when: formatDistance(ownAt - now, language), date })
      : t('ledger.lapses.unused_or_date', { when: formatDistance(unused - now, language), date });
  };
  return entry.grant.scope === 'session' ? t('ledger.lapses.with_session', { rest: rest() }) : rest();
}

export function usedWords(entry: GrantEntry, now: number, t: Text, language: string): string {
  if (entry.uses === 0 || entry.last_used_at === null) return t('ledger.used.never');
  const since = Math.min(0, Date.parse(entry.last_used_at) - now);
  return t('ledger.used.times', { count: entry.uses, when: formatDistance(since, language) });
}

/** How and when a permission ended, in words. */
export function endedWords(ended: NonNullable<GrantEntry['ended']>, t: Text, language: string): string {
  return t(`ledger.ended.${ended.how}`, { date: formatDay(ended.at, language), days: grantUnusedDays });
}
