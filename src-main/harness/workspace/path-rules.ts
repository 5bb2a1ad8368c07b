import path from 'node:path';
import { failure, type Failure, type Result } from '../protocol';

/** Only `win32` has rules of its own; injected so that its rules are tested everywhere. */
export type Platform = NodeJS.Platform;

/** More parts than any real folder tree has. */
const maxSegments = 128;
const maxTextLength = 4096;

const windowsReserved = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
// eslint-disable-next-line no-control-regex -- Windows refuses exactly these in names
const windowsForbidden = /[\u0000-\u001f<>"|?*]/;

/** A path as it may stand in a message: control and invisible characters are spelled out, long ones are cut. */
export function showPath(text: string): string {
  const cut = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return cut.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** A refusal that names the path and the remedy; `data.path` carries the path as it was given. */
export function pathRefused(text: string, reason: string, remedy: string): Failure {
  return failure('path_refused', `"${showPath(text)}" ${reason}. ${remedy}`, { path: showPath(text) });
}

const relativeRemedy = 'Give a path relative to the session\'s folder, such as "documents/report.txt".';

function absoluteKind(text: string, platform: Platform): string | null {
  if (text.startsWith('\\\\') || text.startsWith('//')) return 'is a network or device path';
  if (text.startsWith('/') || /^[A-Za-z]:[\\/]/.test(text)) return 'is an absolute path';
  if (platform === 'win32' && (text.startsWith('\\') || /^[A-Za-z]:/.test(text))) {
    return 'is an absolute path';
  }
  return null;
}

function windowsProblem(segment: string): readonly [string, string] | null {
  if (segment.includes(':')) {
    return [
      'has a ":" in a name, which addresses a drive or a hidden stream on Windows',
      'Leave out the ":".',
    ];
  }
  if (windowsForbidden.test(segment)) {
    return [
      'has a character that Windows allows in no name',
      'Leave out < > " | ? * and control characters.',
    ];
  }
  if (/[. ]$/.test(segment)) {
    return ['has a name that ends in a dot or a space, which Windows drops', 'Remove the dot or space.'];
  }
  if (windowsReserved.test(segment)) {
    return ['has a name that is a device on Windows', 'Choose another name.'];
  }
  return null;
}

/**
 * Splits a relative path into its parts; an empty list is the folder itself. Parts are taken exactly: nothing is
 * decoded, expanded or normalised. Refuses traversal, absolute paths of every system, NUL, text that is not
 * Unicode, and on Windows every name that would reach another file than the one it spells (S1-38).
 */
export function parseRelativePath(text: string, platform: Platform): Result<string[]> {
  const refuse = (reason: string, remedy: string): Result<string[]> => ({
    ok: false,
    error: pathRefused(text, reason, remedy),
  });
  if (text === '') return refuse('is empty', 'Give "." for the folder itself, or the path of a file in it.');
  if (text.length > maxTextLength) {
    return refuse(`has more than ${maxTextLength} characters`, 'Give a shorter path.');
  }
  if (text.includes('\0')) return refuse('holds a NUL character', 'Remove it.');
  if (/\p{Surrogate}/u.test(text)) return refuse('is not valid Unicode text', 'Give the exact name.');
  const absolute = absoluteKind(text, platform);
  if (absolute !== null) return refuse(absolute, relativeRemedy);
  const parts = text.split(platform === 'win32' ? /[\\/]/ : '/');
  if (parts.includes('..')) return refuse('has a ".." part', relativeRemedy);
  const segments = parts.filter((part) => part !== '' && part !== '.');
  if (segments.length > maxSegments) {
    return refuse(`has more than ${maxSegments} folders`, 'Give a shorter path.');
  }
  if (platform === 'win32') {
    for (const segment of segments) {
      const problem = windowsProblem(segment);
      if (problem !== null) return refuse(...problem);
    }
  }
  return { ok: true, value: segments };
}

/**
 * The parts of `candidate` below `root`, or null when it lies elsewhere. Both are absolute. Compares part by part, so
 * that `/w/app-evil` is not inside `/w/app`.
 */
export function segmentsInside(root: string, candidate: string, platform: Platform): string[] | null {
  const rules = platform === 'win32' ? path.win32 : path.posix;
  const relative = rules.relative(root, candidate);
  if (relative === '') return [];
  if (rules.isAbsolute(relative)) return null;
  const segments = relative.split(rules.sep);
  return segments.includes('..') ? null : segments;
}
