import {
  ok,
  heldMessages,
  queuedMessages,
  reachedLimit,
  type NewSessionEvent,
  type ReachedLimit,
  type Result,
} from '../protocol';
import { requestsPerTurn, type History, type TurnDeps } from '../turn';
import type { PauseDesk } from './pause-desk';
import { permissionsOf } from './permissions';
import type { SessionDeps } from './session-port';
import type { Stream } from './stream';

function limitOf(deps: SessionDeps, sessionId: string, runningMs: number): ReachedLimit | null {
  const summary = deps.journal.summary(sessionId);
  return summary && reachedLimit(summary.meter, runningMs, requestsPerTurn);
}

/** Records the queued messages that are meant for the running turn; they go with this attempt. */
function takeSteered(deps: SessionDeps, stream: Stream, turnId: string, attempt: number): Result<number> {
  const facts = stream.facts();
  const held = new Set(heldMessages(facts));
  const waiting = queuedMessages(facts).filter(
    (message) => message.data.delivery === 'this_turn' && !held.has(message),
  );
  if (waiting.length === 0) return ok(0);
  const events = waiting.map(({ data }): NewSessionEvent => {
    const { queued_id, text, attachments, mentions } = data;
    const message_id = deps.newId('message');
    return {
      turn_id: turnId,
      type: 'message_steered',
      data: { message_id, queued_id, text, attachments, mentions, attempt },
    };
  });
  const recorded = stream.record(events);
  return recorded.ok ? ok(events.length) : recorded;
}

/** What a turn of this session works through. */
export function turnDepsOf(
  deps: SessionDeps,
  stream: Stream,
  pauses: PauseDesk,
  history: History,
  turnId: string,
): TurnDeps {
  const sessionId = stream.facts().session_id;
  return {
    record: (events) => stream.record(events),
    defer: (events) => stream.defer(events),
    gather: (events, within) => stream.gather(events, within),
    emit: (signal) => stream.emit(signal),
    desk: stream.desk,
    standing: deps.standing,
    schemas: deps.schemas,
    ...permissionsOf(deps, stream),
    clock: deps.clock,
    newId: deps.newId,
    guardrails: deps.guardrails,
    images: deps.images,
    forwardsImages: deps.forwardsImages,
    log: deps.log,
    sleep: deps.sleep,
    history,
    onLiveText: (attempt, text, reasoning) => stream.live.text(turnId, attempt, text, reasoning),
    reachedLimit: () => limitOf(deps, sessionId, stream.work.worked()),
    waitAtPause: (pauseId, signal) => pauses.wait(pauseId, signal),
    takeSteered: (attempt) => takeSteered(deps, stream, turnId, attempt),
  };
}
