import type { LimitKind } from '../../src-preload/contract';
import { formatNumber } from '../messages/format';
import type { Text } from '../messages/use-text';

export function formatDollars(value: number, language: string): string {
  // Small sums are what a step costs; two digits would round them away.
  const digits = value !== 0 && Math.abs(value) < 1 ? 4 : 2;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  }).format(value);
}

const shown = (kind: LimitKind, amount: number): number =>
  kind === 'minutes' ? Math.round(amount * 10) / 10 : amount;

/** An amount of what a limit counts, with its unit: `20,000 tokens`, `$5.00`, `3 turns`. */
export function limitWords(kind: LimitKind, amount: number, t: Text, language: string): string {
  if (kind === 'cost_usd') return formatDollars(amount, language);
  const value = shown(kind, amount);
  return t(`limit.amount.${kind}`, { count: value, amount: formatNumber(value, language) });
}

/** The same without its unit, beside an amount that has it. */
function plainAmount(kind: LimitKind, amount: number, language: string): string {
  return kind === 'cost_usd' ? formatDollars(amount, language) : formatNumber(shown(kind, amount), language);
}

export interface LimitUse {
  readonly kind: LimitKind;
  readonly used: number;
  readonly limit: number;
  /** How far it reaches, where a person went on past it; else the limit itself. */
  readonly allowed: number;
}

/** What was used beside its limit: `2 turns, limit 1`. */
export function usedWords({ kind, used, limit, allowed }: LimitUse, t: Text, language: string): string {
  const values = {
    used: limitWords(kind, used, t, language),
    limit: plainAmount(kind, limit, language),
  };
  if (allowed === limit) return t('pause.used', values);
  return t('usage.limit_extended', { ...values, allowed: plainAmount(kind, allowed, language) });
}
