const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A day in words, in the person's own time zone: `1 Dec 2026`. */
export function formatDay(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(iso));
}

/** How far from now, in words, rounded: `in 34 days`, `3 hours ago`. */
export function formatDistance(milliseconds: number, language: string): string {
  const size = Math.abs(milliseconds);
  if (size < minute) return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second');
  const [unit, length] =
    size >= day
      ? (['day', day] as const)
      : size >= hour
        ? (['hour', hour] as const)
        : (['minute', minute] as const);
  const whole = Math.round(size / length);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  return format.format(milliseconds < 0 ? -whole : whole, unit);
}
