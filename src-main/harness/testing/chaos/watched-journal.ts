import { openJournal as open, type Journal } from '../../journal';
import { fail, type Result } from '../../protocol';
import { reach, say } from './crash-points';

export * from '../../journal';

/** What the process that holds the journal was told to break. */
export interface JournalFaults {
  readonly max_bytes?: number;
  /** Appends of one session, counted from 1; the session by its place among those that this process wrote to. */
  readonly refuse?: { readonly session: number; readonly from: number; readonly to: number };
}

function faultsOfThisProcess(): JournalFaults {
  return JSON.parse(process.env['JOURNAL_FAULTS'] ?? '{}') as JournalFaults;
}

const afterRequestMs = 8;

function watch(journal: Journal, { refuse }: JournalFaults): Journal {
  const places: string[] = [];
  const appends: number[] = [];
  const placeOf = (sessionId: string): number => {
    if (!places.includes(sessionId)) places.push(sessionId);
    return places.indexOf(sessionId);
  };
  // Sessions run side by side, so a point is also counted for each of them: that count comes out the same again.
  const pass = (point: string, place: number | null): void => {
    reach(point);
    if (place !== null) reach(`${point}@${place}`);
  };
  const points = <T>(place: number | null, work: () => Result<T>): Result<T> => {
    pass('write:before', place);
    const done = work();
    pass('write:after', place);
    return done;
  };
  return {
    ...journal,
    append(...given) {
      const place = placeOf(given[0]);
      const nth = (appends[place] = (appends[place] ?? 0) + 1);
      const types = given[1].map((event) => event.type);
      if (refuse && place === refuse.session && nth >= refuse.from && nth <= refuse.to) {
        say({ type: 'not_recorded', code: 'journal_full', types });
        return fail('journal_full', 'The disk is full: nothing more can be recorded. Free some space.');
      }
      const done = points(place, () => journal.append(...given));
      if (!done.ok) {
        say({ type: 'not_recorded', code: done.error.code, types });
        return done;
      }
      say({ type: 'ack', events: done.value });
      pass('write:acknowledged', place);
      if (types.includes('approval_requested')) setTimeout(() => reach('waiting'), afterRequestMs);
      return done;
    },
    appendApp: (...given) => points(null, () => journal.appendApp(...given)),
    deleteSession: (...given) => points(null, () => journal.deleteSession(...given)),
  };
}

/** Stands in the place of the journal's own door in the core of the crash runs: the same, with points around it. */
export function openJournal(deps: Parameters<typeof open>[0]): Result<Journal> {
  const faults = faultsOfThisProcess();
  const opened = open(faults.max_bytes === undefined ? deps : { ...deps, maxBytes: faults.max_bytes });
  return opened.ok ? { ok: true, value: watch(opened.value, faults) } : opened;
}
