import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import {
  builtInGuardrails,
  createGuardrails,
  parseGuardrailSettings,
  parseGuardrailsText,
} from './guardrails';
import type { HarnessOptions } from './harness-port';
import { fail, ok, type Result } from './protocol';
import type { SessionDeps } from './session';

/** Version of the rules of approval; it goes up when the same call would be decided otherwise (S0-57). */
const policyVersion = 1;

/** Nobody writes as much about guardrails. */
const maxBytes = 1024 * 1024;

function refused(file: string, words: string): Result<never> {
  return fail('invalid_input', `${file} ${words}`);
}

function readBounded(descriptor: number): Buffer {
  const bytes = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (let more = 1; more > 0 && length < bytes.length; length += more) {
    more = readSync(descriptor, bytes, length, bytes.length - length, null);
  }
  return bytes.subarray(0, length);
}

function readOpened(descriptor: number, file: string): Result<string> {
  if (!fstatSync(descriptor).isFile()) {
    return refused(
      file,
      'is no regular file, so no guardrails are read from it. Put a file there, or remove it.',
    );
  }
  const bytes = readBounded(descriptor);
  if (bytes.length > maxBytes) {
    return refused(file, `has more than ${maxBytes} bytes, the most that is read. Shorten it.`);
  }
  if (!isUtf8(bytes)) return refused(file, 'is not UTF-8 text. Save it as UTF-8.');
  return ok(bytes.toString('utf8'));
}

/** A link that leads nowhere is no missing file: somebody put it there. */
function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** The text of the file; null where there is none. Only regular files are read: a pipe would never end. */
function readText(file: string): Result<string | null> {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return readOpened(descriptor, file);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      return refused(file, `cannot be read (${code}). Correct its permissions, or remove it.`);
    if (!isLink(file)) return ok(null);
    return refused(file, 'is a link to a file that does not exist. Correct the link, or remove it.');
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/**
 * The guardrails of the run as guardrails.json says, and what an execution identity covers of policies. A file that
 * cannot be used fails the start: a guardrail that somebody asked for is not left out in silence.
 */
export function openGuardrails(
  options: Pick<HarnessOptions, 'guardrails' | 'guardrailsFile'>,
): Result<Pick<SessionDeps, 'guardrails' | 'policies'>> {
  const guardrails = [...builtInGuardrails, ...(options.guardrails ?? [])];
  const { guardrailsFile: file } = options;
  const text = file === null ? ok(null) : readText(file);
  if (!text.ok) return text;
  const selections =
    file === null || text.value === null
      ? parseGuardrailSettings(undefined, guardrails)
      : parseGuardrailsText(text.value, file, guardrails);
  if (!selections.ok) return selections;
  const policies = {
    policy_version: policyVersion,
    guardrails: selections.value.map((selection) => ({ ...selection })),
  };
  return ok({ guardrails: createGuardrails({ guardrails, selections: selections.value }), policies });
}
