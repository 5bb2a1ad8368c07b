import type { Text } from './use-text';

/** A span of time in words: `0.1 s`, `12 s`, `3 min 5 s`. Takes milliseconds. */
export function formatDuration(milliseconds: number, t: Text, language: string): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 0.05) return t('time.instant');
  if (seconds < 10) {
    const value = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    return t('time.seconds', { value: value.format(seconds) });
  }
  const whole = Math.round(seconds);
  if (whole < 60) return t('time.seconds', { value: whole });
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return t('time.minutes', { minutes, seconds: whole % 60 });
  return t('time.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

export function formatBytes(bytes: number, language: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[unit] ?? 'byte',
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0,
  }).format(value);
}

export function formatNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

export function formatTime(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' }).format(new Date(iso));
}
