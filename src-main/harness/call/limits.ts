import { failure, type CallResult, type Failure, type ProgressEntry } from '../protocol';
import type { Tool } from '../tools';

/** Bounds of one call of a native tool or callback (S0-73..S0-77); 1 KB is 1,024 bytes of UTF-8 JSON text (C5). */
export const nativeLimits = {
  call_ms: 75_000,
  progress_events: 64,
  progress_message_bytes: 4 * 1024,
  progress_data_bytes: 16 * 1024,
  result_bytes: 256 * 1024,
} as const;

/** Progress reports that are kept of a remote call; a server may send more, which are dropped. */
export const maxRemoteProgress = 64;

/** Remote calls carry limits of their own, which progress resets (C9). */
export function hasNativeLimits(tool: Pick<Tool, 'origin'>): boolean {
  return tool.origin.kind !== 'mcp';
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '', 'utf8');
}

function broken(name: string, what: string): Failure {
  return failure(
    'limit_reached',
    `${name} ${what}, so it was ended. What it had done by then is unknown: check, then settle the call.`,
  );
}

/** The limit that a progress report breaks, or null (S0-74..S0-76). */
export function brokenByProgress(name: string, entry: ProgressEntry): Failure | null {
  const { progress_events, progress_message_bytes, progress_data_bytes } = nativeLimits;
  if (entry.index >= progress_events)
    return broken(name, `reported progress more than ${progress_events} times`);
  if (Buffer.byteLength(entry.message, 'utf8') > progress_message_bytes) {
    return broken(name, `sent a progress message of more than ${progress_message_bytes} bytes`);
  }
  if (entry.data !== undefined && bytesOf(entry.data) > progress_data_bytes) {
    return broken(name, `sent progress data of more than ${progress_data_bytes} bytes`);
  }
  return null;
}

/** The limit that a result breaks, or null (S0-77). */
export function brokenByResult(name: string, result: CallResult): Failure | null {
  if (bytesOf(result) <= nativeLimits.result_bytes) return null;
  return failure(
    'result_too_large',
    `${name} answered with more than ${nativeLimits.result_bytes} bytes, which is not passed on. It did run: check what it did.`,
  );
}

export function timedOut(name: string): Failure {
  return failure(
    'tool_timed_out',
    `${name} was not done after ${nativeLimits.call_ms / 1000} seconds and was left behind. What it did is unknown: check, then settle the call.`,
  );
}
