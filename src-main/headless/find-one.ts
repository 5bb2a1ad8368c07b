import { fail, ok, type Result } from '../harness';

/** So many of the ids that a shortened one may mean are named. */
const named = 5;

export interface Kind<T> {
  readonly idOf: (item: T) => string;
  /** What a message calls one of them. */
  readonly what: string;
  /** The command that lists them. */
  readonly list: string;
}

/** The one item whose id is given whole, or shortened to a beginning that no other has. */
export function findOne<T>(items: readonly T[], given: string, { idOf, what, list }: Kind<T>): Result<T> {
  const exact = items.find((item) => idOf(item) === given);
  if (exact !== undefined) return ok(exact);
  const found = items.filter((item) => idOf(item).startsWith(given));
  const [only] = found;
  if (only === undefined) {
    return fail('not_found', `There is no ${what} ${given}. "openworker ${list}" names them.`);
  }
  if (found.length === 1) return ok(only);
  const more = found.length > named ? ` and ${found.length - named} more` : '';
  const choice = `${found.slice(0, named).map(idOf).join(', ')}${more}`;
  return fail('invalid_input', `${given} is ambiguous: it may mean ${what} ${choice}. Give more of it.`);
}
