import type { SessionEvent } from './events';

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
  /** Ids of the requests that wait for a person. */
  readonly waiting: readonly string[];
  readonly archived: boolean;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_seq: number;
}

function stateAfter(summary: SessionSummary, event: SessionEvent, waiting: readonly string[]): SessionState {
  switch (event.type) {
    case 'message_submitted':
    case 'turn_started':
    case 'attempt_started':
      return waiting.length > 0 ? 'needs_you' : 'working';
    case 'approval_requested':
      return 'needs_you';
    case 'approval_resolved':
      return waiting.length > 0 ? 'needs_you' : 'working';
    case 'tool_finished':
      return event.data.outcome === 'outcome_unknown' ? 'unknown' : summary.state;
    case 'turn_finished': {
      if (summary.state === 'unknown') return 'unknown';
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
      archived: false,
      created_at: event.at,
      updated_at: event.at,
      last_seq: event.seq,
    };
  }
  if (!summary || event.seq <= summary.last_seq) return summary;
  const waiting = waitingAfter(summary.waiting, event);
  const touches = event.turn_id !== null;
  return {
    ...summary,
    title: event.type === 'session_renamed' ? event.data.title : summary.title,
    archived: event.type === 'session_archived' ? event.data.archived : summary.archived,
    waiting,
    state: stateAfter(summary, event, waiting),
    updated_at: touches ? event.at : summary.updated_at,
    last_seq: event.seq,
  };
}
