import { maxLimits } from '../../../src-preload/contract';
import type { LimitName } from '../../state/limit-use';

export type ParsedLimit =
  | { readonly ok: true; readonly value: number | null }
  | { readonly ok: false; readonly problem: 'not_a_number' | 'not_whole' | 'not_positive' | 'too_large' };

/** Blanks and the marks between thousands, where groups of three follow. */
function withoutGroups(text: string): string {
  return text.replace(/[\s'’](?=\d{3}(\D|$))/g, '').replace(/([.,])(?=\d{3}([.,]|$))/g, '');
}

/**
 * A limit as a person writes it: empty is none; counts may hold marks between thousands, amounts a decimal comma or
 * point.
 */
export function parseLimit(name: LimitName, written: string): ParsedLimit {
  const text = written.trim();
  if (text === '') return { ok: true, value: null };
  const whole = name === 'tokens' || name === 'turns';
  const plain = whole ? withoutGroups(text) : text.replace(/\s/g, '').replace(',', '.');
  if (!/^-?\d+(\.\d+)?$/.test(plain)) {
    return { ok: false, problem: whole && /^\d+[.,]\d+$/.test(text) ? 'not_whole' : 'not_a_number' };
  }
  const value = Number(plain);
  if (whole && !Number.isInteger(value)) return { ok: false, problem: 'not_whole' };
  if (value <= 0) return { ok: false, problem: 'not_positive' };
  return value > maxLimits[name] ? { ok: false, problem: 'too_large' } : { ok: true, value };
}
