import { floorAround, growthOf, median, stepOf } from './statistics.mjs';
import { targets } from './targets.mjs';

function short(value) {
  if (value === undefined || !Number.isFinite(value)) return '-';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function markdown(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Median over the repeats of a figure's ratio to the floor around each run. */
function ratio(all, runs, figure) {
  return median(runs.map((run) => (run.name === 'floor' ? 1 : figure(run) / floorAround(all, run, figure))));
}

const firstOf = ({ step_ms }) => step_ms[0];

/** Columns of one number of steps. */
function sizeColumns(rounds) {
  const plain = (figure) => (_all, runs) => median(runs.map(figure));
  const over = (figure) => (all, runs) => ratio(all, runs, figure);
  const is = (run) => run.workload === 'w1' && run.rounds === rounds;
  const columns = [
    { head: `${rounds}: step ms`, is, value: plain(stepOf) },
    { head: '× floor', is, value: over(stepOf), target: targets.step[rounds] },
    { head: 'cpu ×', is, value: over((run) => run.cpu_ms) },
  ];
  if (rounds < 200) return columns;
  return [
    ...columns,
    { head: 'last/first', is, value: plain(growthOf), target: targets.growth[rounds] },
    { head: 'peak ×', is, value: over((run) => run.peak_bytes), target: targets.peak[rounds] },
    { head: 'written ×', is, value: over((run) => run.written_bytes), target: targets.written[rounds] },
  ];
}

function parallelColumns(parallel) {
  const is = (run) => run.workload === 'w2';
  return [
    { head: `${parallel} at once: first ×`, is, value: (all, runs) => ratio(all, runs, firstOf) },
    { head: 'warm ms', is, value: (_all, runs) => median(runs.map(stepOf)) },
    { head: 'warm ×', is, value: (all, runs) => ratio(all, runs, stepOf), target: targets.warm },
  ];
}

function cell({ is, value }, rows, name) {
  const runs = rows.filter((row) => row.name === name && is(row));
  if (runs.length === 0) return '-';
  const good = runs.filter((run) => run.ok);
  if (good.length > 0) return short(value(rows, good));
  return runs.some((run) => run.timed_out) ? 'no end' : 'failed';
}

function stepTable(rows) {
  const sizes = [...new Set(rows.filter((row) => row.workload === 'w1').map((row) => row.rounds))];
  const parallel = rows.find((row) => row.workload === 'w2')?.parallel;
  const columns = [
    ...sizes.sort((a, b) => a - b).flatMap(sizeColumns),
    ...(parallel ? parallelColumns(parallel) : []),
  ];
  const names = [...new Set(rows.map((row) => row.name))];
  const lines = names.map((name) => [name, ...columns.map((column) => cell(column, rows, name))]);
  const aims = ['target of ours', ...columns.map(({ target }) => (target ? `≤ ${target}` : ''))];
  return markdown(
    ['contender', ...columns.map((column) => column.head)],
    names.some((name) => name.startsWith('ours')) ? [...lines, aims] : lines,
  );
}

function openTable(rows) {
  const good = rows.filter((row) => row.ok);
  const lines = good.map((row) => [
    String(row.count),
    ...['harness_ms', 'get_ms', 'first_push_ms', 'screen_ms', 'whole_ms'].map((name) => short(row[name])),
    String(row.pushes),
    short(row.peak_bytes / 1e6),
  ]);
  if (good.length > 1) {
    const [small, large] = [good[0], good.at(-1)];
    const over = (name) => `× ${short(large[name] / small[name])}`;
    const figures = ['harness_ms', 'get_ms', 'first_push_ms', 'screen_ms', 'whole_ms'].map(over);
    lines.push(['largest / smallest', ...figures, '', over('peak_bytes')]);
    lines.push(['target', '', '', '', `≤ ${targets.open}`, '', '', '']);
  }
  const failed = rows.filter((row) => !row.ok).map((row) => `${row.size} events: ${row.errors[0]}`);
  const head = [
    'events',
    'harness ms',
    'get ms',
    'first push ms',
    'last screen ms',
    'whole ms',
    'pushes',
    'peak MB',
  ];
  return ['Opening a session (times from the call of sessions.get)', markdown(head, lines), ...failed].join(
    '\n\n',
  );
}

function memoryTable(rows) {
  const lines = rows.map((row) => [
    row.name,
    row.ok ? String(row.events) : '-',
    row.ok ? short(row.bytes_per_event) : 'failed',
    `≤ ${targets.memory}`,
  ]);
  const head = ['events were', 'events', 'bytes held per event', 'target'];
  return ['Memory of the core', markdown(head, lines)].join('\n\n');
}

/** Everything that was measured, as Markdown. */
export function tables(rows) {
  const of = (...names) => rows.filter((row) => names.includes(row.workload));
  const parts = [];
  if (of('w1', 'w2').length > 0) parts.push(stepTable(of('w1', 'w2')));
  if (of('open').length > 0) parts.push(openTable(of('open')));
  if (of('memory').length > 0) parts.push(memoryTable(of('memory')));
  const failures = rows.filter((row) => !row.ok && row.step_ms);
  const words = failures.map(
    ({ workload, name, rounds, errors }) =>
      `- ${workload}, ${name}, ${rounds}: ${errors.join('; ').slice(0, 300)}`,
  );
  if (words.length > 0) parts.push(['Runs that do not count:', ...words].join('\n'));
  return parts.join('\n\n');
}
