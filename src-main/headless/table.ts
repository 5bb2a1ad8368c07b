import { visibleLine } from './terminal';

/** Columns under their names, for a terminal; the last one is not padded. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const shown = [head, ...rows.map((row) => row.map(visibleLine))];
  const widths = head.map((_, column) => Math.max(...shown.map((row) => (row[column] ?? '').length)));
  return shown
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  '),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** One JSON document, as every command but `run` prints with `--json`. */
export function document(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
