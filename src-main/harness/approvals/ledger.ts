import type { Journal } from '../journal';
import {
  fail,
  grantUnusedDays,
  ok,
  type AppEvent,
  type Classification,
  type GrantEnded,
  type GrantEntry,
  type GrantMade,
  type Result,
} from '../protocol';
import { createGrantBook, entryOf, type GrantBook, type GrantUses, type HeldGrant } from './grant-book';
import type { StandingGrant } from './policy';

/**
 * The remembered permissions that outlive a session, and what the person says of the tools of servers. All of it stands
 * in the app's own stream; a change holds at once for whoever asks next.
 */
export interface Ledger {
  /** Grants for this tool in every session of the coworker; a lapse is recorded when it is first seen. */
  standing(coworkerId: string, qualifiedName: string): readonly StandingGrant[];
  /**
   * Whether a grant has lapsed by now: by its date, or because nobody used it for long. By the wall clock, which never
   * goes back here: what has lapsed once is over.
   */
  lapse(grant: GrantMade, madeAt: string): 'expired' | 'unused' | null;
  /** Records a grant that outlives its session. Grants of the same scope and pattern for another definition end. */
  make(grant: GrantMade): Result<null>;
  end(grantId: string, how: GrantEnded['how']): Result<null>;
  /** A call ran by this grant. */
  used(grantId: string, at: string): void;
  usesOf(grantId: string): GrantUses | null;
  /** What the person says that the tool may do, for exactly this definition. */
  classified(
    qualifiedName: string,
    pin: string,
  ): { readonly classification: Classification; readonly at: string } | null;
  classify(qualifiedName: string, pin: string, classification: Classification | null): Result<null>;
  /** Grants that outlive their session, the newest first; those that have ended too. */
  entries(): readonly GrantEntry[];
  /** Told of each change, after it is recorded. */
  onChanged(listener: () => void): () => void;
}

export interface LedgerDeps {
  readonly journal: Journal;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** A wall clock that never goes back while the app runs. */
function forwardClock(now: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY;
  return () => (latest = Math.max(latest, now()));
}

/** Pure: whether a grant has lapsed at this time. */
export function lapseOf(grant: GrantMade, lastUse: string, now: number): 'expired' | 'unused' | null {
  if (grant.expires_at && Date.parse(grant.expires_at) <= now) return 'expired';
  return Date.parse(lastUse) + grantUnusedDays * dayMs <= now ? 'unused' : null;
}

/** Whether both say the same, leaving out for which definition of the tool. */
const sameTerms = (a: GrantMade, b: GrantMade): boolean =>
  a.coworker_id === b.coworker_id &&
  a.qualified_name === b.qualified_name &&
  a.scope === b.scope &&
  JSON.stringify(a.pattern ?? []) === JSON.stringify(b.pattern ?? []);

/** Whether one of the two grants makes the other needless. */
export function samePermission(a: GrantMade, b: GrantMade): boolean {
  return sameTerms(a, b) && a.pin === b.pin && (a.expires_at ?? null) === (b.expires_at ?? null);
}

interface LedgerState {
  readonly book: GrantBook;
  readonly classes: Map<string, { readonly classification: Classification; readonly at: string }>;
  readonly uses: Map<string, GrantUses>;
}

const classKey = (qualifiedName: string, pin: string): string => `${qualifiedName}\n${pin}`;

function follow({ book, classes }: LedgerState, event: AppEvent): void {
  switch (event.type) {
    case 'grant_made':
      return book.made(event.data, event.at);
    case 'grant_ended':
      return book.ended(event.data, event.at);
    case 'tool_classified': {
      const { qualified_name, pin, classification } = event.data;
      if (classification === null) classes.delete(classKey(qualified_name, pin));
      else classes.set(classKey(qualified_name, pin), { classification, at: event.at });
      return;
    }
    default:
      return;
  }
}

function readState(journal: Journal): Result<LedgerState> {
  const events = journal.readApp();
  if (!events.ok) return events;
  const uses = journal.grantUses();
  if (!uses.ok) return uses;
  const state: LedgerState = {
    book: createGrantBook(),
    classes: new Map(),
    uses: new Map(uses.value.map(({ grant_id, ...use }) => [grant_id, use])),
  };
  for (const event of events.value) follow(state, event);
  return ok(state);
}

/** Opens the ledger of a data folder. */
export function openLedger(deps: LedgerDeps): Result<Ledger> {
  const read = readState(deps.journal);
  return read.ok ? ok(ledgerOf(deps, read.value)) : read;
}

function standingOf({ grant, made_at, ended }: HeldGrant): StandingGrant {
  return { grant, made_at, ended: ended?.how ?? null };
}

function ledgerOf({ journal, now }: LedgerDeps, state: LedgerState): Ledger {
  const { book, classes, uses } = state;
  const clock = forwardClock(now);
  const listeners = new Set<() => void>();
  const record: (recorded: Result<AppEvent>) => Result<null> = (recorded) => {
    if (!recorded.ok) return recorded;
    follow(state, recorded.value);
    for (const listener of listeners) listener();
    return ok(null);
  };
  const lapse: Ledger['lapse'] = (grant, madeAt) =>
    lapseOf(grant, uses.get(grant.grant_id)?.last_used_at ?? madeAt, clock());
  const end: Ledger['end'] = (grantId, how) => {
    const entry = book.get(grantId);
    if (!entry) return fail('not_found', `There is no permission ${grantId}.`);
    if (entry.ended) return ok(null);
    return record(journal.appendApp('grant_ended', { grant_id: grantId, how }));
  };
  /** A lapse is recorded when it is first seen; where the disk does not take it, it holds all the same. */
  const seen = (entry: HeldGrant): HeldGrant => {
    const { grant, made_at, ended } = entry;
    const how = ended ? null : lapse(grant, made_at);
    if (!how) return entry;
    const { grant_id } = grant;
    if (!end(grant_id, how).ok) book.ended({ grant_id, how }, new Date(clock()).toISOString());
    return book.get(grant_id) ?? entry;
  };
  return {
    standing: (coworkerId, qualifiedName) =>
      book
        .all()
        .filter(({ grant }) => grant.coworker_id === coworkerId && grant.qualified_name === qualifiedName)
        .map((entry) => standingOf(seen(entry))),
    lapse,
    make(grant) {
      const former = book.all().filter((entry) => !entry.ended && sameTerms(entry.grant, grant));
      const made = record(journal.appendApp('grant_made', grant));
      if (!made.ok) return made;
      for (const { grant: old } of former) end(old.grant_id, 'replaced');
      return made;
    },
    end,
    used(grantId, at) {
      uses.set(grantId, { uses: (uses.get(grantId)?.uses ?? 0) + 1, last_used_at: at });
    },
    usesOf: (grantId) => uses.get(grantId) ?? null,
    classified: (qualifiedName, pin) => classes.get(classKey(qualifiedName, pin)) ?? null,
    classify: (qualified_name, pin, classification) =>
      record(journal.appendApp('tool_classified', { qualified_name, pin, classification })),
    entries: () =>
      book
        .all()
        .map((entry) => entryOf(seen(entry), uses.get(entry.grant.grant_id) ?? null, null))
        .reverse(),
    onChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
