const known = (values) => values.filter((value) => value !== null && Number.isFinite(value));

export function median(values) {
  const sorted = known(values).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function mean(values) {
  const kept = known(values);
  return kept.length === 0 ? NaN : kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

/** The first step holds what happens once, so figures of steps begin with the second. */
export const stepOf = ({ step_ms }) => median(step_ms.slice(1));

/** Median of the last tenth of the steps over that of the first. */
export function growthOf({ step_ms }) {
  const steps = step_ms.slice(1);
  const tenth = Math.max(5, Math.floor(steps.length / 10));
  return median(steps.slice(-tenth)) / median(steps.slice(0, tenth));
}

/** The mean of the floor's figure in the runs just before and just after a run of the same shape. */
export function floorAround(rows, row, figure) {
  const at = rows.indexOf(row);
  const fits = (other) =>
    other.name === 'floor' &&
    other.ok &&
    other.workload === row.workload &&
    other.rounds === row.rounds &&
    other.repeat === row.repeat;
  const before = rows.slice(0, at).findLast(fits);
  const after = rows.slice(at + 1).find(fits);
  return mean([before, after].filter(Boolean).map(figure));
}
