import type { SessionSummary } from '../../src-preload/contract';

export type DayLabel =
  | { readonly type: 'today' }
  | { readonly type: 'yesterday' }
  /** Within the last seven days. */
  | { readonly type: 'weekday'; readonly date: Date }
  | { readonly type: 'month'; readonly date: Date };

export interface DayGroup {
  readonly id: string;
  readonly label: DayLabel;
  readonly sessions: readonly SessionSummary[];
}

/** Days by the person's calendar, not by 24 hours: a changed clock makes no day longer than one. */
function dayNumber(date: Date): number {
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
}

function labelOf(date: Date, now: Date): { readonly id: string; readonly label: DayLabel } {
  const age = dayNumber(now) - dayNumber(date);
  if (age <= 0) return { id: 'today', label: { type: 'today' } };
  if (age === 1) return { id: 'yesterday', label: { type: 'yesterday' } };
  if (age < 7) return { id: `day-${dayNumber(date)}`, label: { type: 'weekday', date } };
  return { id: `month-${date.getFullYear()}-${date.getMonth()}`, label: { type: 'month', date } };
}

/** Groups a list that is ordered by `updated_at`, the latest first. */
export function groupByDay(sessions: readonly SessionSummary[], now: Date): DayGroup[] {
  const groups: { id: string; label: DayLabel; sessions: SessionSummary[] }[] = [];
  for (const session of sessions) {
    const { id, label } = labelOf(new Date(session.updated_at), now);
    const last = groups.at(-1);
    if (last?.id === id) last.sessions.push(session);
    else groups.push({ id, label, sessions: [session] });
  }
  return groups;
}
