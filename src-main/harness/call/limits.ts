import { failure, type Failure, type ProgressEntry } from '../protocol';
import { maxCallbackCharacters, type Tool } from '../tools';
import type { NormalisedOutput } from './normalise';

/** Bounds of one call of a native tool or callback (S0-73..S0-77, C9); 1 KB is 1,024 bytes of UTF-8 JSON text (C5). */
export const nativeLimits = {
  call_ms: 75_000,
  progress_events: 64,
  progress_message_bytes: 4 * 1024,
  progress_data_bytes: 16 * 1024,
  /** Of a native tool. */
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

/** The limit that a progress report breaks, or null (S0-74..S0-76). Its data is plain JSON. */
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

function tooLarge(name: string, most: string): Failure {
  return failure(
    'result_too_large',
    `${name} answered with more than ${most}, which is not passed on. It did run: check what it did.`,
  );
}

/**
 * The limit that a result breaks, or null. Each kind of tool has its own (C9): 256 KB of a native result (S0-77),
 * 128,000 characters of a callback's JSON text (S1-70). A server's results are cut where they are read.
 */
export function brokenByResult(tool: Tool, output: NormalisedOutput): Failure | null {
  const name = tool.descriptor.qualified_name;
  switch (tool.origin.kind) {
    case 'mcp':
      return null;
    case 'native':
      return bytesOf(output) <= nativeLimits.result_bytes
        ? null
        : tooLarge(name, `${nativeLimits.result_bytes} bytes`);
    case 'callback':
      return JSON.stringify(output.structured ?? null).length <= maxCallbackCharacters
        ? null
        : tooLarge(name, `${maxCallbackCharacters} characters of JSON`);
  }
}

export function timedOut(name: string): Failure {
  return failure(
    'tool_timed_out',
    `${name} was not done after ${nativeLimits.call_ms / 1000} seconds and was left behind. What it did is unknown: check, then settle the call.`,
  );
}
