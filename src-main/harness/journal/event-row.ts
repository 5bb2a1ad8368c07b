import type { SessionEvent } from '../protocol';

/** A row of the events table. */
export interface EventRow {
  readonly seq: number;
  readonly turn_id: string | null;
  readonly type: string;
  readonly version: number;
  readonly at: string;
  readonly data: string;
}

export function toSessionEvent(sessionId: string, row: EventRow): SessionEvent {
  return {
    seq: row.seq,
    session_id: sessionId,
    turn_id: row.turn_id,
    type: row.type,
    version: row.version,
    at: row.at,
    data: JSON.parse(row.data) as unknown,
  } as SessionEvent;
}
