import type { Session, SessionEvent } from '../harness';
import { visibleLine, type Terminal } from './terminal';

type Started = Extract<SessionEvent, { type: 'pause_started' }>['data'];

/**
 * Asks whether the run goes on past a limit. Only a whole `y` goes on. At the end of the input nobody can be asked, so
 * the turn is stopped, and no record says that a person answered.
 */
export async function answerPauseOnTerminal(
  terminal: Terminal,
  session: Session,
  pause: Started,
  signal: AbortSignal,
): Promise<void> {
  const what = `${pause.kind.replaceAll('_', ' ')}: ${pause.used} of ${pause.limit}`;
  const question = `\nThe run has reached a limit (${visibleLine(what)}). Go on for as much again? y = go on, n = stop: `;
  const line = await terminal.ask(question, signal);
  if (signal.aborted) return;
  if (line === null) {
    terminal.say(
      '\nNobody could be asked: the input of this run has ended. The turn was stopped at its limit.\n',
    );
    await session.stop();
    return;
  }
  session.answerPause(pause.pause_id, line.trim().toLowerCase() === 'y');
}
