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

/** An amount of what a limit counts, with its unit: `20,000 tokens`, `$5.00`, `3 turns`. */
export function limitWords(kind: LimitKind, amount: number, t: Text, language: string): string {
  if (kind === 'cost_usd') return formatDollars(amount, language);
  const value = kind === 'minutes' ? Math.round(amount * 10) / 10 : amount;
  return t(`limit.amount.${kind}`, { count: value, amount: formatNumber(value, language) });
}
