import { fail, ok, type Result } from '../../../../src-preload/contract';

const numberText = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Digits without blanks at their ends, and the power of ten of the last one. `null` when it is no number. */
function canonical(text: string): string | null {
  const match = numberText.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return '0';
  return `${sign}${short}e${Number(power) - fraction.length + (digits.length - short.length)}`;
}

/** Whether a number in decimal writing survives being read: long whole numbers and long fractions do not. */
export function isExact(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && canonical(text) === canonical(String(value));
}

/** Reads what a person wrote as a number. Failures `not_a_number` and `inexact_number`. */
export function readNumber(text: string): Result<number> {
  const trimmed = text.trim();
  if (!numberText.test(trimmed)) return fail('not_a_number', 'This is not a number.');
  if (!isExact(trimmed)) return fail('inexact_number', 'This number cannot be kept with all its digits.');
  return ok(Number(trimmed));
}
