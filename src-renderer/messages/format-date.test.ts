import { describe, expect, it } from 'vitest';
import { formatDistance } from './format-date';

const day = 24 * 60 * 60 * 1000;

describe('a distance in time', () => {
  it('is said in whole days, hours or minutes', () => {
    expect(formatDistance(34 * day + 1, 'en')).toBe('in 34 days');
    expect(formatDistance(3 * day - 1, 'en')).toBe('in 3 days');
    expect(formatDistance(day, 'en')).toBe('in 1 day');
    expect(formatDistance(day - 1, 'en')).toBe('in 24 hours');
    expect(formatDistance(59_000, 'en')).toBe('now');
    expect(formatDistance(-3 * day, 'de')).toBe('vor 3 Tagen');
    expect(formatDistance(-80 * 60_000, 'en')).toBe('1 hour ago');
  });
});
