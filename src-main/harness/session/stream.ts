import { createApprovalDesk, type ApprovalDesk } from '../approvals';
import {
  fail,
  ok,
  type Result,
  type SessionEvent,
  type SessionView,
  type Signal,
  type TurnView,
} from '../protocol';
import type { History } from '../turn';
import { createLiveFacts, type LiveFacts } from './live';
import { readTurn } from './read-turn';
import { createListeners, replay, watch } from './replay';
import { createSessionMemory } from './session-memory';
import type { SessionDeps, SessionPush } from './session-port';
import { createStreamWriter, type StreamWriter } from './stream-writer';
import { createWorkClock, type WorkClock } from './work-clock';

/** The stream of one session: its only writer, and the facts that are folded from it as it grows. */
export interface Stream extends Omit<StreamWriter, 'flush' | 'end'> {
  emit(signal: Signal): void;
  /** What the session is, folded from its key events: turns by their openings and ends, no timeline. */
  facts(): SessionView;
  /** The conversation of the branch that is looked at; read page by page when it is first asked for. */
  history(signal: AbortSignal): Promise<Result<History>>;
  readonly live: LiveFacts;
  readonly desk: ApprovalDesk;
  readonly work: WorkClock;
  /** One turn with everything in it, read from the journal; null when there is no such turn. */
  turn(turnId: string): Result<TurnView | null>;
  subscribe(afterSeq: number, listener: (push: SessionPush) => void): () => void;
  /** Commits what is deferred, refuses records from now on and forgets the listeners. */
  end(): void;
}

/** A grant frees the requests beside it that it covers, each with its own recorded answer, and its uses are counted. */
function followGrants({ ledger }: SessionDeps, desk: ApprovalDesk, events: readonly SessionEvent[]): void {
  for (const { type, data, at } of events) {
    if (type === 'tool_started' && data.rule.grant_id !== undefined) ledger.used(data.rule.grant_id, at);
  }
  if (events.some(({ type }) => type === 'grant_made')) desk.releaseCovered();
}

function createStream(deps: SessionDeps, sessionId: string, keyEvents: readonly SessionEvent[]): Stream {
  const { journal } = deps;
  const memory = createSessionMemory(journal, sessionId, keyEvents);
  const desk = createApprovalDesk();
  const live = createLiveFacts();
  const work = createWorkClock(deps.clock);
  const failed = (): void => deps.log(`A watcher of session ${sessionId} failed; it goes on without it.`);
  const listeners = createListeners(failed);
  const { flush, end, ...writer } = createStreamWriter(journal, sessionId, (events) => {
    memory.follow(events);
    live.settle(events);
    work.follow(events);
    listeners.publish(events, []);
    followGrants(deps, desk, events);
    const summary = journal.summary(sessionId);
    if (summary) deps.onSummary(summary);
  });
  const unlisten = deps.ledger.onChanged(() => desk.releaseCovered());
  return {
    ...writer,
    emit(signal) {
      live.follow(signal);
      listeners.publish([], [signal]);
    },
    facts: memory.facts,
    async history(signal) {
      const flushed = flush();
      return flushed.ok ? memory.history(signal) : flushed;
    },
    live,
    desk,
    work,
    turn(turnId) {
      const flushed = flush();
      return flushed.ok ? readTurn(journal, sessionId, memory.facts(), turnId) : flushed;
    },
    subscribe(afterSeq, listener) {
      flush();
      const last = journal.summary(sessionId)?.last_seq ?? memory.facts().last_seq;
      const replayed = (push: (what: SessionPush) => void) =>
        replay(journal, sessionId, afterSeq, last, live, push, failed);
      return watch(listeners, afterSeq, replayed, listener);
    },
    end() {
      end();
      unlisten();
      listeners.clear();
    },
  };
}

/** Opens the stream of a recorded session by its key events alone, however long it is. */
export function openStream(deps: SessionDeps, sessionId: string): Result<Stream> {
  const keyEvents = deps.journal.readKeyEvents(sessionId);
  if (!keyEvents.ok) return keyEvents;
  if (keyEvents.value.length === 0) {
    return fail('not_found', `There is no session ${sessionId}. It may have been deleted.`);
  }
  return ok(createStream(deps, sessionId, keyEvents.value));
}
