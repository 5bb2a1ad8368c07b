import { writeSync } from 'node:fs';
import type { SessionEvent } from '../../protocol';

/** Lines from the core to whoever started it. */
export type CoreLine =
  | { readonly type: 'ready'; readonly pid: number }
  | { readonly type: 'not_opened'; readonly code: string; readonly message: string }
  /** Written when the commit is done, before anybody else hears of it. */
  | { readonly type: 'ack'; readonly events: readonly SessionEvent[] }
  | { readonly type: 'not_recorded'; readonly code: string; readonly types: readonly string[] }
  | { readonly type: 'unrecorded_end'; readonly session_id: string; readonly turn_id: string }
  | { readonly type: 'reply'; readonly id: number; readonly value: unknown }
  | { readonly type: 'counts'; readonly counts: Readonly<Record<string, number>> };

const [pointToDie = '', count = '1'] = (process.env['CRASH_AT'] ?? '').split('#');
const counts: Record<string, number> = {};

/** Writes the line before it returns: what was said stays said when the process dies. */
export function say(line: CoreLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  let written = 0;
  while (written < bytes.byteLength) written += writeSync(1, bytes, written);
}

/** Names a point that the process passes. It ends here, as by `kill -9`, where `CRASH_AT=point#n` says so. */
export function reach(point: string): void {
  counts[point] = (counts[point] ?? 0) + 1;
  if (point !== pointToDie || counts[point] !== Number(count)) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

/** How often each point was reached. */
export const reached = (): Readonly<Record<string, number>> => ({ ...counts });
