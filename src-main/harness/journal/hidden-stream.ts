import { fail, ok, type Result, type SessionSummary } from '../protocol';
import type { Checkpoints } from './checkpoints';
import type { Guards } from './journal-guards';
import type { HiddenStream } from './journal-port';
import type { JournalWriter } from './journal-writer';

export interface HiddenStreamDeps {
  readonly writer: Pick<JournalWriter, 'appendHidden' | 'show'>;
  readonly write: Guards['write'];
  readonly log: Pick<Checkpoints, 'wrote'>;
  /** Streams of which nothing is to be seen. */
  readonly concealed: Set<string>;
  readonly remove: (sessionId: string) => Result<null>;
}

export function createHiddenStream(deps: HiddenStreamDeps, sessionId: string): HiddenStream {
  const { writer, write, log, concealed, remove } = deps;
  let summary: SessionSummary | null = null;
  concealed.add(sessionId);
  return {
    append(events, attachments = []) {
      const done = write(
        sessionId,
        () => writer.appendHidden(sessionId, summary, events, attachments),
        ({ bytes }) => log.wrote(bytes),
      );
      if (!done.ok) return done;
      ({ summary } = done.value);
      return ok(null);
    },
    show() {
      const whole = summary;
      if (whole === null) return fail('internal', `Nothing was written to session ${sessionId}.`);
      const shown = write(
        sessionId,
        () => writer.show(whole),
        () => log.wrote(0),
      );
      if (shown.ok) concealed.delete(sessionId);
      return shown;
    },
    discard: () => remove(sessionId),
  };
}
