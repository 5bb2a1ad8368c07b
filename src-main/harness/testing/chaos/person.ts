import { openPause, queuedMessages, type PendingApproval, type SessionEvent } from '../../protocol';
import {
  createDoing,
  createIdle,
  createPauses,
  sendMessage,
  type Doing,
  type Pauses,
  type Reply,
} from './acting';
import type { CoreClient } from './core-client';
import type { CoreRequest } from './core-process';
import type { Click, History } from './history';
import { lastMarker, type Decision, type Plan, type PlannedTurn } from './plan';
import { createSessionWatch, decisionOf, onlyLeft, type SessionWatch } from './session-watch';

/** What outlives one core: which session plays which part, and how far each has come. */
export interface Parts {
  readonly sessions: (string | null)[];
  readonly next: number[];
}

/** Acts on one core as the plan says. */
export interface Person {
  readonly watch: SessionWatch;
  /** Looks at what the folder holds, answers what waits, and sends the next messages. */
  begin(): Promise<void>;
  onEvents(events: readonly SessionEvent[]): void;
  onUnrecorded(turnId: string): void;
  /** Called when nothing happened for a moment: goes on, or answers that there is nothing left to do. */
  onQuiet(): 'acted' | 'waits' | 'done';
}

export interface PersonDeps {
  readonly plan: Plan;
  readonly parts: Parts;
  readonly history: History;
  readonly core: CoreClient;
  readonly run: number;
  /** The last core: nothing is left lying, and every session is asked once more. */
  readonly last: boolean;
  /** Requests to the model that the session at this place has made so far. */
  readonly requestsOf: (session: number) => number;
}

const opposite = (answer: Decision['answer']): Decision['answer'] => (answer === 'deny' ? 'once' : 'deny');

function turnsOf({ plan, last }: PersonDeps, index: number): readonly PlannedTurn[] {
  const planned = plan.sessions[index]?.turns ?? [];
  return last ? [...planned, { marker: lastMarker(index), steps: [], stop_at: null }] : planned;
}

/** How often a person presses again when the disk does not take their denial, and after how long. */
const again = { times: 30, after_ms: 100 };

/** Presses the button for a request, twice where the plan says so. */
function press(
  deps: PersonDeps,
  sessionId: string,
  pending: PendingApproval,
  decision: Decision,
  times = again.times,
): void {
  const { core, history, run } = deps;
  const { approval_id, request, turn_id, row } = pending;
  const answers = decision.twice ? [decision.answer, opposite(decision.answer)] : [decision.answer];
  for (const answer of answers) {
    const click: Click = {
      run,
      session_id: sessionId,
      turn_id,
      call_id: row.call_id,
      approval_id,
      answer,
      taken: null,
    };
    history.clicks.push(click);
    const { arguments_digest, pin } = request.data;
    const shown = { arguments_digest, pin };
    void core.ask({ op: 'answer', session_id: sessionId, approval_id, shown, answer }).then((reply) => {
      const { ok = null, error } = (reply as Reply | null) ?? {};
      click.taken = ok;
      const full = error !== undefined && error.code !== 'stale_answer';
      if (full && times > 0) {
        setTimeout(
          () => press(deps, sessionId, pending, { ...decision, answer, twice: false }, times - 1),
          again.after_ms,
        );
      }
    });
  }
}

function createAnswering(deps: PersonDeps, watch: SessionWatch) {
  const seen = new Set<string>();
  const later: { sessionId: string; pending: PendingApproval; decision: Decision }[] = [];
  return {
    /** Looks at every request of the session once. */
    look(sessionId: string): void {
      for (const pending of watch.pending(sessionId)) {
        if (seen.has(pending.approval_id)) continue;
        const decision = decisionOf(deps.plan, pending.row.call_id);
        if (decision.leave && !deps.last) continue;
        seen.add(pending.approval_id);
        if (decision.when === 'quiet') later.push({ sessionId, pending, decision });
        else press(deps, sessionId, pending, decision);
      }
    },
    /** Answers one request that waited for a quiet moment. */
    next(): boolean {
      for (;;) {
        const one = later.shift();
        if (!one) return false;
        const open = watch.pending(one.sessionId).some((p) => p.approval_id === one.pending.approval_id);
        if (!open) continue;
        press(deps, one.sessionId, one.pending, one.decision);
        return true;
      }
    },
  };
}

async function findSessions(deps: PersonDeps, watch: SessionWatch): Promise<boolean> {
  const { core, parts, history, run } = deps;
  const ask = (request: CoreRequest): Promise<unknown> => core.ask(request);
  const listed = (await ask({ op: 'sessions' })) as { session_id: string }[] | null;
  for (const { session_id } of listed ?? []) {
    const found = (await ask({ op: 'events', session_id })) as {
      events: SessionEvent[];
      busy: boolean;
    } | null;
    if (!found) return false;
    watch.learn(found.events);
    const open = watch.open(session_id);
    if (!open) continue;
    if (watch.pending(session_id).length === 0 && !openPause(open))
      history.seen.push(`run ${run}: turn ${open.turn_id} was left running`);
    if (!found.busy) history.seen.push(`run ${run}: turn ${open.turn_id} waits and nobody can go on with it`);
  }
  for (const [index, known] of parts.sessions.entries()) {
    if (known !== null) continue;
    const made = (await ask({ op: 'create' })) as { ok: boolean; value?: { session_id: string } } | null;
    if (!made?.ok || !made.value) continue;
    const { session_id } = made.value;
    parts.sessions[index] = session_id;
    await ask({ op: 'events', session_id });
    const { limits } = deps.plan.sessions[index] ?? {};
    if (limits) await ask({ op: 'limits', session_id, limits });
  }
  return true;
}

/** Sends messages of sessions, one at a time in each. */
function createSending(deps: PersonDeps, watch: SessionWatch, doing: Doing) {
  const { parts, history, run, last } = deps;
  const blocked = new Set<number>();
  const acting = new Set<number>();
  const markers = new Map<string, PlannedTurn>();
  const idle = createIdle(deps, doing);
  const nextOf = (index: number): PlannedTurn | undefined => turnsOf(deps, index)[parts.next[index] ?? 0];
  /** Nothing else is begun in the session until the core has answered. */
  const during = (index: number, done: Promise<Reply | null>): boolean => {
    acting.add(index);
    void done.then(() => acting.delete(index));
    return true;
  };
  const takeBack = (sessionId: string, turn: PlannedTurn, reply: Reply | null): void => {
    const queued_id = reply?.value?.queued_id;
    if (turn.way?.type !== 'queue' || !turn.way.take_back || typeof queued_id !== 'string') return;
    void doing('unqueue', { op: 'unqueue', session_id: sessionId, queued_id }, queued_id);
  };
  const message = (sessionId: string, index: number, turn: PlannedTurn): boolean => {
    const at = parts.next[index] ?? 0;
    parts.next[index] = at + 1;
    history.messages.push({ run, session_id: sessionId, marker: turn.marker });
    if (!watch.open(sessionId)) markers.set(sessionId, turn);
    const { done } = sendMessage(doing, watch.view(sessionId), turn);
    const after = done.then((reply) => {
      if (reply?.ok === true) takeBack(sessionId, turn, reply);
      // A queued message was faster.
      else if (reply?.error?.code === 'session_busy') parts.next[index] = at;
      else {
        blocked.add(index);
        if (reply !== null && last) history.seen.push(`run ${run}: message ${turn.marker} was refused`);
      }
      return reply;
    });
    return during(index, after);
  };
  const queueIfDue = (sessionId: string, index: number, events: number): boolean => {
    const turn = nextOf(index);
    if (turn?.way?.type !== 'queue' || events < turn.way.at || blocked.has(index)) return false;
    return message(sessionId, index, turn);
  };
  return {
    markers,
    /** Whether something was begun. `quiet`: nothing else happens, so what is held back in the queue goes first. */
    go(sessionId: string, quiet: boolean): boolean {
      const index = parts.sessions.indexOf(sessionId);
      if (index < 0 || acting.has(index) || blocked.has(index)) return false;
      const open = watch.open(sessionId);
      if (open) return queueIfDue(sessionId, index, watch.eventsOf(open.turn_id));
      const view = watch.view(sessionId);
      const first = idle.before(view, index, nextOf(index)) ?? (quiet ? idle.release(view) : null);
      if (first) return during(index, first);
      const turn = nextOf(index);
      return turn && queuedMessages(view).length === 0 ? message(sessionId, index, turn) : false;
    },
    settled(index: number): boolean {
      const sessionId = parts.sessions[index] ?? null;
      if (sessionId === null) return true;
      if (acting.has(index)) return false;
      return blocked.has(index) || (!nextOf(index) && queuedMessages(watch.view(sessionId)).length === 0);
    },
    acts: (index: number) => acting.has(index),
  };
}

export function createPerson(deps: PersonDeps): Person {
  const { parts, core, history, run, plan } = deps;
  const watch = createSessionWatch();
  const doing = createDoing(deps);
  const answering = createAnswering(deps, watch);
  const pauses: Pauses = createPauses(deps, doing, watch);
  const sending = createSending(deps, watch, doing);
  const stopped = new Set<string>();
  const stopIfDue = (sessionId: string, turnId: string): void => {
    const turn = sending.markers.get(sessionId);
    if (turn?.stop_at == null || stopped.has(turnId) || watch.eventsOf(turnId) < turn.stop_at) return;
    stopped.add(turnId);
    history.stops.push({ run, session_id: sessionId, turn_id: turnId });
    void core.ask({ op: 'stop', session_id: sessionId });
  };
  const goOn = (sessionId: string, quiet: boolean): boolean => {
    const open = watch.open(sessionId);
    answering.look(sessionId);
    pauses.look(sessionId);
    if (open) stopIfDue(sessionId, open.turn_id);
    return sending.go(sessionId, quiet) || (quiet && pauses.answer(sessionId));
  };
  const settled = (index: number): boolean => {
    const sessionId = parts.sessions[index] ?? null;
    const open = sessionId === null ? null : watch.open(sessionId);
    if (sessionId === null || !open) return sending.settled(index);
    if (sending.acts(index) || deps.last) return false;
    return pauses.leaves(sessionId) || onlyLeft(plan, open, watch.pending(sessionId));
  };
  const all = (): string[] => parts.sessions.flatMap((id) => id ?? []);
  return {
    watch,
    async begin() {
      if (!(await findSessions(deps, watch))) return;
      for (const sessionId of all()) goOn(sessionId, false);
    },
    onEvents(events) {
      watch.learn(events);
      for (const sessionId of new Set(events.map((event) => event.session_id))) {
        if (parts.sessions.includes(sessionId)) goOn(sessionId, false);
      }
    },
    onUnrecorded(turnId) {
      watch.endUnrecorded(turnId);
    },
    onQuiet() {
      if (answering.next()) return 'acted';
      const acted = all().map((sessionId) => goOn(sessionId, true));
      if (acted.includes(true)) return 'acted';
      return parts.sessions.every((_, index) => settled(index)) ? 'done' : 'waits';
    },
  };
}
