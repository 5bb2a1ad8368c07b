import type { SessionEvent } from './events';
import { emptyMeter, foldMeter, type SessionMeter } from './session-meter';

export type SessionState = 'idle' | 'working' | 'needs_you' | 'done' | 'interrupted' | 'failed' | 'unknown';

/** What a list of sessions shows of one. Folded event by event, in order, beside the journal. */
export interface SessionSummary {
  readonly session_id: string;
  readonly title: string;
  readonly coworker_id: string;
  readonly coworker_name: string;
  readonly coworker_icon: string;
  readonly workspace: string | null;
  readonly state: SessionState;
  /** Ids of the requests and pauses that wait for a person. */
  readonly waiting: readonly string[];
  /** The turn that has begun and not ended, if there is one. */
  readonly open_turn: string | null;
  /** Calls whose outcome is unknown and that no person has settled, as `turn/call`. */
  readonly unsettled: readonly string[];
  readonly meter: SessionMeter;
  readonly archived: boolean;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_seq: number;
}

function openTurnAfter(open: string | null, event: SessionEvent): string | null {
  switch (event.type) {
    case 'message_submitted':
    case 'turn_retried':
    case 'call_rerun':
      return event.turn_id;
    case 'turn_finished':
      return event.turn_id === open ? null : open;
    default:
      return open;
  }
}

function unsettledAfter(unsettled: readonly string[], event: SessionEvent): readonly string[] {
  if (event.type === 'tool_finished' && event.data.outcome === 'outcome_unknown') {
    return [...unsettled, `${event.turn_id ?? ''}/${event.data.call_id}`];
  }
  if (event.type === 'call_settled') {
    return unsettled.filter((call) => call !== `${event.turn_id ?? ''}/${event.data.call_id}`);
  }
  return unsettled;
}

function stateAfter(
  summary: SessionSummary,
  event: SessionEvent,
  waiting: readonly string[],
  unsettled: readonly string[],
): SessionState {
  switch (event.type) {
    case 'message_submitted':
    case 'turn_retried':
    case 'call_rerun':
    case 'turn_started':
    case 'attempt_started':
      return waiting.length > 0 ? 'needs_you' : 'working';
    case 'approval_requested':
    case 'pause_started':
      return 'needs_you';
    case 'approval_resolved':
    case 'pause_ended':
      return waiting.length > 0 ? 'needs_you' : 'working';
    case 'tool_finished':
      return event.data.outcome === 'outcome_unknown' ? 'unknown' : summary.state;
    case 'call_settled':
      return summary.state === 'unknown' && unsettled.length === 0 ? 'done' : summary.state;
    case 'turn_finished': {
      if (unsettled.length > 0) return 'unknown';
      const { outcome } = event.data;
      if (outcome === 'completed') return 'done';
      return outcome === 'failed' ? 'failed' : 'interrupted';
    }
    default:
      return summary.state;
  }
}

function waitingAfter(waiting: readonly string[], event: SessionEvent): readonly string[] {
  switch (event.type) {
    case 'approval_requested':
      return [...waiting, event.data.approval_id];
    case 'pause_started':
      return [...waiting, event.data.pause_id];
    case 'pause_ended':
      return waiting.filter((id) => id !== event.data.pause_id);
    case 'approval_resolved':
      return waiting.filter((id) => id !== event.data.approval_id);
    case 'turn_finished':
      return [];
    default:
      return waiting;
  }
}

/** Folds one committed event, in sequence order, into the summary; `null` before `session_created`. */
export function foldSummary(summary: SessionSummary | null, event: SessionEvent): SessionSummary | null {
  if (event.type === 'session_created') {
    const { data } = event;
    return {
      session_id: event.session_id,
      title: data.title,
      coworker_id: data.coworker.id,
      coworker_name: data.coworker.name,
      coworker_icon: data.coworker.icon,
      workspace: data.workspace,
      state: 'idle',
      waiting: [],
      open_turn: null,
      unsettled: [],
      meter: emptyMeter,
      archived: false,
      created_at: event.at,
      updated_at: event.at,
      last_seq: event.seq,
    };
  }
  if (!summary || event.seq <= summary.last_seq) return summary;
  const waiting = waitingAfter(summary.waiting, event);
  const unsettled = unsettledAfter(summary.unsettled, event);
  const touches = event.turn_id !== null;
  return {
    ...summary,
    title: event.type === 'session_renamed' ? event.data.title : summary.title,
    archived: event.type === 'session_archived' ? event.data.archived : summary.archived,
    waiting,
    open_turn: openTurnAfter(summary.open_turn, event),
    unsettled,
    meter: foldMeter(summary.meter, event),
    state: stateAfter(summary, event, waiting, unsettled),
    updated_at: touches && event.at > summary.created_at ? event.at : summary.updated_at,
    last_seq: event.seq,
  };
}
