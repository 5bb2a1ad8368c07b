import type { Harness, Session, SessionEvent } from '../harness';
import { answerOnTerminal } from './answer-approvals';
import { answerPauseOnTerminal } from './answer-pause';
import type { Requested } from './describe-request';
import { playModel } from './practice-terminal';
import { visibleLine, type Terminal } from './terminal';

export interface Streams {
  readonly in: NodeJS.ReadableStream;
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
}

export interface Watch {
  readonly harness: Harness;
  readonly session: Session;
  readonly terminal: Terminal;
  readonly streams: Streams;
  readonly signal: AbortSignal;
  /** Whether requests and pauses are put to the person at the terminal. */
  readonly asks: boolean;
  /** `events`: each event as a line of JSON on stdout; `words`: the ends of calls on stderr. */
  readonly prints: 'events' | 'words' | 'nothing';
  /** Events up to this one are known. */
  readonly afterSeq: number;
  /** Tools of the turn that goes on, by their names on the model's side. */
  readonly aliases: readonly string[];
}

export interface Watched {
  /** Text of the newest answer of the model. */
  text(): string;
  /** Puts a request of before to the person. */
  ask(request: Requested): void;
  askPause(pause: Parameters<typeof answerPauseOnTerminal>[2]): void;
}

/** Follows the session: prints what commits, plays the practice model, and puts questions to the person. */
export function watchSession(watch: Watch): Watched {
  const { harness, session, terminal, streams, signal, asks, prints } = watch;
  const { session_id } = session;
  let { aliases } = watch;
  let text = '';
  const asked = new Map<string, AbortController>();
  const ask = (request: Requested): void => {
    const settled = new AbortController();
    asked.set(request.approval_id, settled);
    const reading = async () => {
      const read = await harness.approvals.reading(session_id, request.approval_id);
      return read.ok ? read.value : null;
    };
    const until = AbortSignal.any([signal, settled.signal]);
    void answerOnTerminal({ terminal, session, request, reading, signal: until });
  };
  const askPause: Watched['askPause'] = (pause) =>
    void answerPauseOnTerminal(terminal, session, pause, signal);
  const play = (turn_id: string): void => {
    setImmediate(() => void playModel({ terminal, harness, session_id, turn_id, aliases, signal }));
  };
  const follow = (event: SessionEvent): void => {
    if (prints === 'events') streams.out.write(`${JSON.stringify(event)}\n`);
    switch (event.type) {
      case 'turn_started':
        aliases = event.data.tools.map((tool) => tool.model_alias);
        return;
      case 'attempt_started':
        if (event.data.model.provider === 'practice') play(event.turn_id ?? '');
        return;
      case 'assistant_message':
        text = event.data.text;
        return;
      case 'approval_requested':
        if (asks) ask(event.data);
        return;
      case 'approval_resolved':
        // A grant or the end of the turn may settle a request before the person does: then nobody is asked any more.
        asked.get(event.data.approval_id)?.abort();
        return;
      case 'pause_started':
        if (asks) askPause(event.data);
        return;
      case 'tool_finished':
        if (prints === 'words')
          streams.err.write(
            `[${visibleLine(event.data.qualified_name ?? event.data.name)}: ${event.data.outcome}]\n`,
          );
        return;
      default:
        return;
    }
  };
  session.subscribe(watch.afterSeq, (push) => push.events.forEach(follow));
  return { text: () => text, ask, askPause };
}
