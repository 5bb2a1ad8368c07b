import { expect, it } from 'vitest';
import type { SessionSummary } from '../../src-preload/contract';
import { madeSummary } from '../testing/made-summary';
import { groupByDay } from './day-groups';

const now = new Date(2026, 10, 30, 9, 0);
const session = (at: Date): SessionSummary =>
  madeSummary({
    session_id: at.toISOString(),
    state: 'done',
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  });

it('groups by the calendar: a minute before midnight is yesterday', () => {
  const groups = groupByDay(
    [
      session(new Date(2026, 10, 30, 8, 0)),
      session(new Date(2026, 10, 30, 0, 0)),
      session(new Date(2026, 10, 29, 23, 59)),
      session(new Date(2026, 10, 24, 12, 0)),
      session(new Date(2026, 10, 23, 12, 0)),
      session(new Date(2025, 10, 23, 12, 0)),
    ],
    now,
  );
  expect(groups.map((group) => [group.label.type, group.sessions.length])).toEqual([
    ['today', 2],
    ['yesterday', 1],
    ['weekday', 1],
    ['month', 1],
    ['month', 1],
  ]);
});

it('counts a clock that runs ahead as today', () => {
  expect(groupByDay([session(new Date(2026, 11, 2))], now)[0]?.label.type).toBe('today');
});

it('makes no group of nothing', () => {
  expect(groupByDay([], now)).toEqual([]);
});
