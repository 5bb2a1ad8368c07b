import type { Session, SessionEvent } from '../harness';
import { visible, visibleLine, type Terminal } from './terminal';

const places = {
  in_app: 'in this program',
  application: 'in the application',
  host_process: 'on this computer, as a program of its own',
  sandboxed: 'on this computer, sandboxed',
  remote: 'on a remote server',
} as const;

const powers = {
  read: 'can read',
  write: 'can change files',
  exec: 'can run programs',
  external: 'can do anything its maker built in, also outside this computer',
} as const;

const reasons = {
  not_read_only: 'Asked because it may do more than read.',
  definition_changed: 'Asked because its definition has changed since you allowed it.',
  run_again: 'Asked because it is run again and its outcome the first time is unknown.',
} as const;

type Requested = Extract<SessionEvent, { type: 'approval_requested' }>['data'];

/** Arguments that a guardrail keeps out of every record are named as such, never shown as something else (S1-60). */
function withheld({ guardrails = [], arguments_digest }: Requested): string {
  const names = guardrails.filter(({ action }) => action === 'withheld').map(({ guardrail }) => guardrail);
  const who = names.length === 0 ? 'a guardrail' : `guardrail ${names.map(visibleLine).join(', ')}`;
  return `withheld by ${who}, sha256 ${arguments_digest}`;
}

function describe(request: Requested): string {
  const name = visibleLine(request.qualified_name ?? request.name);
  const server = request.origin.server === undefined ? '' : `, server ${request.origin.server}`;
  const args = request.arguments === null ? withheld(request) : JSON.stringify(request.arguments, null, 2);
  return visible(
    [
      '',
      `The coworker asks to call ${name}${server}.`,
      `It runs ${places[request.placement]} and ${powers[request.classification]}.`,
      `Arguments: ${args}`,
      reasons[request.reason],
      '',
    ].join('\n'),
  );
}

/**
 * Puts each request to the person at the terminal. Only a whole `y` (once) or `s` (this session) allows; at the end
 * of the input the host denies, since nobody can be asked. Question and request are written together, so that several requests never mix.
 */
export async function answerOnTerminal(
  terminal: Terminal,
  session: Session,
  request: Requested,
  signal: AbortSignal,
): Promise<void> {
  let hint = '';
  for (;;) {
    const line = await terminal.ask(
      `${hint}${describe(request)}Allow? y = once, s = this session, n = deny (words behind n reach the model): `,
      signal,
    );
    if (signal.aborted) return;
    if (line === null) {
      const note = 'Nobody could be asked: the input of this run has ended.';
      session.answer(request.approval_id, request.arguments_digest, { type: 'deny', note, by: 'host' });
      return;
    }
    const answer = line.trim();
    const word = answer.split(/\s+/)[0]?.toLowerCase() ?? '';
    if (word === 'y' || word === 's') {
      session.answer(request.approval_id, request.arguments_digest, {
        type: 'allow',
        scope: word === 'y' ? 'once' : 'session',
        by: 'person',
      });
      return;
    }
    if (word === 'n') {
      session.answer(request.approval_id, request.arguments_digest, {
        type: 'deny',
        note: answer.slice(1).trim(),
        by: 'person',
      });
      return;
    }
    hint = 'Please answer y, s or n.\n';
  }
}
