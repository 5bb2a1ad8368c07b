import type { Journal } from '../../journal';
import {
  eventVersion,
  foldSummary,
  ok,
  type Json,
  type SessionEvent,
  type SessionSummary,
} from '../../protocol';

/**
 * The parts of a journal that a fresh session needs, without a disk: for runs that are about order and not about
 * durability. Numbers, summaries and definitions are as the real one has them.
 */
export function memoryJournal(): Pick<
  Journal,
  'append' | 'read' | 'readBefore' | 'readKeyEvents' | 'putDefinitions' | 'definition' | 'summary'
> {
  const streams = new Map<string, SessionEvent[]>();
  const summaries = new Map<string, SessionSummary>();
  const definitions = new Map<string, Json>();
  const of = (sessionId: string): SessionEvent[] => streams.get(sessionId) ?? [];
  return {
    append(session_id, fresh) {
      const stream = of(session_id);
      streams.set(session_id, stream);
      const at = new Date(0).toISOString();
      const committed = fresh.map((event, index) => {
        const seq = stream.length + 1 + index;
        return { at, ...event, seq, session_id, version: eventVersion } as SessionEvent;
      });
      stream.push(...committed);
      let summary = summaries.get(session_id) ?? null;
      for (const event of committed) summary = foldSummary(summary, event);
      if (summary) summaries.set(session_id, summary);
      return ok(committed);
    },
    read: (sessionId, afterSeq, limit) => ok(of(sessionId).slice(afterSeq).slice(0, limit)),
    readBefore: (sessionId, beforeSeq, limit) =>
      ok(
        of(sessionId)
          .slice(0, beforeSeq - 1)
          .slice(-limit),
      ),
    readKeyEvents: (sessionId, afterSeq = 0) => ok(of(sessionId).slice(afterSeq)),
    putDefinitions(given) {
      for (const { pin, definition } of given) if (!definitions.has(pin)) definitions.set(pin, definition);
      return ok(null);
    },
    definition: (pin) => definitions.get(pin) ?? null,
    summary: (sessionId) => summaries.get(sessionId) ?? null,
  };
}
