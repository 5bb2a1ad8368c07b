import { createInterface } from 'node:readline';
import type { Harness } from '../../harness-port';
import { openHarness } from '../../open-harness';
import { ok, type JsonObject, type Result, type SessionEvent } from '../../protocol';
import type { Session } from '../../session';
import type { NativeTool, RegistryBuilder } from '../../tools';
import { harnessOptions } from '../harness-options';
import { doAct, isAct, type SessionAct } from './core-acts';
import { reach, reached, say } from './crash-points';

/** First argument of the process, as JSON. */
export interface CoreOptions {
  readonly data_folder: string;
  readonly bundle_folder: string;
  readonly servers_file: string;
  readonly model_url: string;
  /** Takes the effects of native tools. */
  readonly effect_url: string;
}

/** Lines that the process takes, each with an `id` that its reply carries. */
export type CoreRequest =
  | { readonly op: 'create' }
  | { readonly op: 'sessions' }
  | { readonly op: 'events'; readonly session_id: string }
  | { readonly op: 'submit'; readonly session_id: string; readonly text: string }
  | {
      readonly op: 'answer';
      readonly session_id: string;
      readonly approval_id: string;
      readonly shown: { readonly arguments_digest: string; readonly pin: string };
      readonly answer: 'once' | 'session' | 'deny';
    }
  | { readonly op: 'stop'; readonly session_id: string }
  | ({ readonly session_id: string } & SessionAct)
  | { readonly op: 'clock'; readonly jump_ms: number }
  | { readonly op: 'close' };

const longestLifeMs = 120_000;
const options = JSON.parse(process.argv[2] ?? '{}') as CoreOptions;

function notesTool(name: string): NativeTool {
  return {
    descriptor: () => ({
      qualified_name: name,
      description: `Test tool ${name}`,
      input_schema: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
      version: '1',
    }),
    async call(context, args: JsonObject) {
      reach('tool:before');
      const body = JSON.stringify({ ...args, call_id: context.call_id, core: process.pid });
      await fetch(options.effect_url, { method: 'POST', body });
      reach('tool:after');
      return { text: `${name} is done.` };
    },
  };
}

function registerNative(registry: RegistryBuilder): Result<null> {
  const read = registry.registerNative(notesTool('notes.read'), { classification: 'read' });
  return read.ok ? registry.registerNative(notesTool('notes.write'), { classification: 'write' }) : read;
}

const watched = new Set<string>();

function watchSession(session: Session): void {
  if (watched.has(session.session_id)) return;
  watched.add(session.session_id);
  session.subscribe(0, ({ signals }) => {
    for (const signal of signals) {
      if (signal.type === 'text_delta') reach('delta');
      if (signal.type !== 'turn_unrecorded') continue;
      say({ type: 'unrecorded_end', session_id: session.session_id, turn_id: signal.turn_id });
    }
  });
}

function eventsOf(session: Session): { events: SessionEvent[]; busy: boolean } {
  const events: SessionEvent[] = [];
  session.subscribe(0, (push) => void events.push(...push.events))();
  return { events, busy: session.busy() };
}

const wallClock = Date.now;
let clockOffset = 0;
Date.now = () => wallClock() + clockOffset;

async function actOnSession(session: Session, request: CoreRequest): Promise<unknown> {
  watchSession(session);
  switch (request.op) {
    case 'events':
      return eventsOf(session);
    case 'submit': {
      const sent = session.submit({ text: request.text, files: [], mentions: [] });
      return sent.ok ? ok({ turn_id: sent.value.turn_id }) : sent;
    }
    case 'answer': {
      const { approval_id, shown, answer } = request;
      return session.answer(
        approval_id,
        shown,
        answer === 'deny'
          ? { type: 'deny', note: 'Not now.', by: 'person' }
          : { type: 'allow', scope: answer, by: 'person' },
      );
    }
    case 'stop':
      await session.stop();
      return ok(null);
    default:
      if (isAct(request)) return doAct(session, request);
      throw new Error(`${request.op} is not about a session.`);
  }
}

async function act(harness: Harness, request: CoreRequest): Promise<unknown> {
  switch (request.op) {
    case 'create':
      return harness.sessions.create({
        coworker_id: 'tester',
        model: { provider: 'openai-compatible', name: 'scripted' },
        mode: 'ask',
        workspace: null,
      });
    case 'sessions':
      return harness.sessions.list().map(({ session_id, state }) => ({ session_id, state }));
    case 'clock':
      clockOffset += request.jump_ms;
      return ok(null);
    case 'close':
      await harness.close();
      return ok(null);
    default: {
      const session = harness.sessions.get(request.session_id);
      return session.ok ? actOnSession(session.value, request) : session;
    }
  }
}

async function serve(): Promise<void> {
  setTimeout(() => process.exit(3), longestLifeMs).unref();
  const opened = await openHarness(
    harnessOptions(options.data_folder, {
      bundleFolders: [options.bundle_folder],
      serversFile: options.servers_file,
      serversTrust: 'owner',
      registerNative,
      ownerProvider: { kind: 'openai-compatible', base_url: options.model_url, key: null },
    }),
  );
  if (!opened.ok) {
    say({ type: 'not_opened', code: opened.error.code, message: opened.error.message });
    process.exit(2);
  }
  say({ type: 'ready', pid: process.pid });
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, ...request } = JSON.parse(line) as { id: number } & CoreRequest;
    void act(opened.value, request).then((value) => {
      if (request.op === 'close') say({ type: 'counts', counts: reached() });
      say({ type: 'reply', id, value });
      if (request.op === 'close') process.exit(0);
    });
  });
  // Whoever started it is gone: nobody is left to say what to do.
  lines.on('close', () => process.exit(4));
}

// Warming fills the code cache and needs no core.
if (process.env['CHAOS_WARM'] === undefined) void serve();
