import { createApprovalDesk, type ApprovalDesk } from '../approvals';
import type { Attachment } from '../journal';
import {
  emptySessionView,
  fail,
  foldSessionEvents,
  ok,
  type NewSessionEvent,
  type Result,
  type SessionEvent,
  type SessionView,
  type Signal,
} from '../protocol';
import { createHistory, type History } from '../turn';
import { createLiveFacts, type LiveFacts } from './live';
import type { SessionDeps, SessionPush } from './session-port';

const readPage = 2_000;

/** The stream of one session: its only writer, and the facts that are folded from it as it grows. */
export interface Stream {
  record(
    events: readonly NewSessionEvent[],
    attachments?: readonly Attachment[],
  ): Result<readonly SessionEvent[]>;
  emit(signal: Signal): void;
  /** Title, coworker, workspace, model, mode, grants; no timeline. */
  facts(): SessionView;
  readonly history: History;
  readonly live: LiveFacts;
  readonly desk: ApprovalDesk;
  /** Reads the whole timeline from the journal. */
  view(): Result<SessionView>;
  subscribe(afterSeq: number, listener: (push: SessionPush) => void): () => void;
  /** Refuses records from now on and forgets the listeners. */
  end(): void;
}

/** Facts that outlive turns; the timeline itself is not held in memory. */
function isSessionFact(event: SessionEvent): boolean {
  return event.turn_id === null || event.type === 'grant_made';
}

function readAll(deps: SessionDeps, sessionId: string): Result<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  for (;;) {
    const page = deps.journal.read(sessionId, events.at(-1)?.seq ?? 0, readPage);
    if (!page.ok) return page;
    for (const event of page.value) events.push(event);
    if (page.value.length < readPage) return ok(events);
  }
}

/** A grant frees the requests beside it that it covers, each with its own recorded answer. */
function releaseCovered(desk: ApprovalDesk, events: readonly SessionEvent[]): void {
  for (const event of events) {
    if (event.type !== 'grant_made') continue;
    for (const waiting of desk.waiting()) {
      if (waiting.qualified_name === event.data.qualified_name && waiting.pin === event.data.pin) {
        desk.answer(waiting.approval_id, waiting.arguments_digest, {
          type: 'allow',
          scope: 'session',
          by: 'grant',
        });
      }
    }
  }
}

function replay(
  deps: SessionDeps,
  sessionId: string,
  afterSeq: number,
  live: LiveFacts,
  listener: (push: SessionPush) => void,
): void {
  let after = afterSeq;
  for (;;) {
    const page = deps.journal.read(sessionId, after, readPage);
    const events = page.ok ? page.value : [];
    const last = events.length < readPage;
    listener({ events, signals: last ? live.replay() : [], caught_up: last });
    if (last) return;
    after = events.at(-1)?.seq ?? after;
  }
}

/** What watchers get, in order; a listener that goes away hears nothing more. */
function createListeners() {
  const listeners = new Set<(push: SessionPush) => void>();
  return {
    publish(events: readonly SessionEvent[], signals: readonly Signal[]): void {
      for (const listener of listeners) listener({ events, signals, caught_up: true });
    },
    add(listener: (push: SessionPush) => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    clear: () => listeners.clear(),
  };
}

function historyOf(deps: SessionDeps, sessionId: string, events: readonly SessionEvent[]): History {
  const history = createHistory((digest) => {
    const file = deps.journal.readAttachment(sessionId, digest);
    return file.ok ? file.value.bytes : null;
  });
  for (const event of events) history.apply(event);
  return history;
}

function createStream(deps: SessionDeps, sessionId: string, recorded: readonly SessionEvent[]): Stream {
  const history = historyOf(deps, sessionId, recorded);
  let facts = foldSessionEvents(emptySessionView(sessionId), recorded.filter(isSessionFact));
  let ended = false;
  const desk = createApprovalDesk();
  const live = createLiveFacts();
  const listeners = createListeners();
  return {
    record(events, attachments = []) {
      if (ended) return fail('interrupted', 'The app is closing; nothing more is recorded.');
      const committed = deps.journal.append(sessionId, events, attachments);
      if (!committed.ok) return committed;
      for (const event of committed.value) history.apply(event);
      facts = foldSessionEvents(facts, committed.value.filter(isSessionFact));
      live.settle(committed.value);
      listeners.publish(committed.value, []);
      releaseCovered(desk, committed.value);
      const summary = deps.journal.summary(sessionId);
      if (summary) deps.onSummary(summary);
      return committed;
    },
    emit(signal) {
      live.progress(signal);
      listeners.publish([], [signal]);
    },
    facts: () => facts,
    history,
    live,
    desk,
    view() {
      const events = readAll(deps, sessionId);
      return events.ok ? ok(foldSessionEvents(emptySessionView(sessionId), events.value)) : events;
    },
    subscribe(afterSeq, listener) {
      replay(deps, sessionId, afterSeq, live, listener);
      return listeners.add(listener);
    },
    end() {
      ended = true;
      listeners.clear();
    },
  };
}

/** Opens the stream of a recorded session; `view` in the answer is its whole timeline as recorded. */
export function openStream(
  deps: SessionDeps,
  sessionId: string,
): Result<{ readonly stream: Stream; readonly view: SessionView }> {
  const recorded = readAll(deps, sessionId);
  if (!recorded.ok) return recorded;
  if (recorded.value.length === 0) {
    return fail('not_found', `There is no session ${sessionId}. It may have been deleted.`);
  }
  const view = foldSessionEvents(emptySessionView(sessionId), recorded.value);
  return ok({ stream: createStream(deps, sessionId, recorded.value), view });
}
