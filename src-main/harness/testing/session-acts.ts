import { afterEach } from 'vitest';
import { pendingApprovals, type PendingApproval, type SessionEvent, type Signal } from '../protocol';
import type { BegunTurn, Session, Submission } from '../session';
import type { TurnEnd } from '../turn';
import { sessionBench, until, type BenchOptions, type SessionBench } from './session-bench';

/** What tests of sessions do again and again. */

/** Makes benches that are closed after each test of the file. */
export function benches(): (options: BenchOptions) => SessionBench {
  const open: SessionBench[] = [];
  afterEach(() => {
    for (const made of open.splice(0)) made.close();
  });
  return (options) => {
    const made = sessionBench(options);
    open.push(made);
    return made;
  };
}

export function words(text: string, files: Submission['files'] = []): Submission {
  return { text, files, mentions: [] };
}

/** Submits; the answer is the turn that has begun. */
export async function start(session: Session, text = 'Go'): Promise<BegunTurn> {
  const turn = began(session.submit(words(text)));
  await Promise.resolve();
  return turn;
}

/** Submits and waits for the end of the turn. */
export async function say(session: Session, text = 'Go'): Promise<TurnEnd> {
  return began(session.submit(words(text))).done;
}

/** The value of a result that must be ok. */
export function began<T>(
  result:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly error: { readonly message: string } },
): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

export function only<T extends SessionEvent['type']>(
  events: readonly SessionEvent[],
  type: T,
): Extract<SessionEvent, { type: T }>[] {
  return events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
}

export function types(events: readonly SessionEvent[]): string[] {
  return events.map((event) => event.type);
}

/** The request that waits for a person, once it is there. */
export function request(made: SessionBench, session: Session, callId?: string): Promise<PendingApproval> {
  return until(() =>
    pendingApprovals(made.view(session.session_id)).find(
      (pending) => callId === undefined || pending.row.call_id === callId,
    ),
  );
}

export function answer(
  session: Session,
  pending: PendingApproval,
  kind: 'once' | 'session' | 'deny',
): ReturnType<Session['answer']> {
  return session.answer(
    pending.approval_id,
    pending.request.data,
    kind === 'deny'
      ? { type: 'deny', note: 'not today', by: 'person' }
      : { type: 'allow', scope: kind, by: 'person' },
  );
}

/** Everything that passes by from now on, and the signals of one type. */
export function watchSignals(session: Session): {
  readonly of: <T extends Signal['type']>(type: T) => Extract<Signal, { type: T }>[];
} {
  const seen: Signal[] = [];
  session.subscribe(0, ({ signals }) => seen.push(...signals));
  return {
    of: <T extends Signal['type']>(type: T) =>
      seen.filter((signal): signal is Extract<Signal, { type: T }> => signal.type === type),
  };
}

/** Waits until nothing of the session runs. */
export function idle(session: Session): Promise<true> {
  return until(() => !session.busy());
}
