import type { Failure, Problem } from '../protocol';

interface Place {
  readonly file: string;
  readonly line?: number | undefined;
  readonly severity?: Problem['severity'];
}

/** A problem whose message names the place first, then what is wrong, then the remedy. */
export function problemAt(place: Place, text: string, code: Failure['code'] = 'bundle_invalid'): Problem {
  const { file, line, severity = 'error' } = place;
  const where = line === undefined ? file : `${file}, line ${line}`;
  const base = { code, message: `${where}: ${text}`, file, severity };
  return line === undefined ? base : { ...base, line };
}

/** Turns a failure of a lower part into a problem of a file. */
export function problemFrom(place: Place, failure: Failure): Problem {
  return problemAt(place, failure.message, failure.code);
}

export function hasError(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === 'error');
}
