import {
  emptyMeter,
  fail,
  foldMeter,
  ok,
  type Bridge,
  type CommandName,
  type Push,
  type QueryName,
  type Result,
  type SessionEvent,
  type SessionMeter,
  type Settings,
  type Signal,
} from '../../src-preload/contract';
import {
  changedSummaries,
  coworkers,
  identity,
  providers,
  recorder,
  servers,
  summaries,
  tools,
  type Recorder,
} from './fixture-data';
import { createFixtureApprovals, type FixtureAnswer } from './fixture-answers';
import { lossProblem } from './fixture-journal';
import { fixturePicture } from './fixture-picture';
import {
  beginTurn,
  created,
  failedSession,
  longSession,
  practiceSession,
  response,
  waitingSession,
} from './fixture-sessions';
import {
  branchedSession,
  formerSession,
  liveFacts,
  manyTurns,
  pausedSession,
  pictureSession,
  screenshot,
  uncertainSession,
} from './fixture-turns';
import { versionsSession } from './fixture-versions';

export interface FixtureOptions {
  readonly onboarded: boolean;
  readonly theme: Settings['theme'];
  readonly language: string;
  readonly empty: boolean;
  readonly defaultProvider: string | null;
  readonly keychain: 'system' | 'none';
  /** Older pages of a long session do not come. */
  readonly slow: boolean;
  /** The latest picture is alive. */
  readonly picture: boolean;
  /** Entries of the journal are missing, or the file is in order. */
  readonly journal: 'whole' | 'loss';
}

function meterOf(record: Recorder | undefined): SessionMeter {
  return (record?.events ?? []).reduce(foldMeter, emptyMeter);
}

type Payload = Readonly<Record<string, unknown>>;

/** A bridge with made-up data, for looking at the window without main. Never part of the app. */
export function createFixtureBridge(options: FixtureOptions): Bridge & { readonly log: unknown[] } {
  const listeners = new Set<(push: Push) => void>();
  const approvals = createFixtureApprovals();
  const log: unknown[] = [];
  const sessions = new Map<string, Recorder>(
    options.empty
      ? []
      : [
          waitingSession(),
          pausedSession(),
          longSession(),
          practiceSession(),
          failedSession(),
          branchedSession(),
          uncertainSession(),
          pictureSession(),
          formerSession(),
          manyTurns(),
          versionsSession(),
          ...approvals.records,
        ].map((r) => [r.events[0]?.session_id ?? '', r]),
  );
  let settings: Settings = {
    theme: options.theme,
    language: options.language,
    default_model:
      options.defaultProvider === null ? null : { provider: options.defaultProvider, name: 'gemini-3-pro' },
    layout: null,
    onboarded: options.onboarded,
    last_session: null,
    approval_expiry_minutes: null,
    notify_requests: true,
    notify_turn_end: true,
    notify_repeat_minutes: 0,
  };
  let made = 0;
  const emit = (push: Push): void => listeners.forEach((listener) => listener(push));
  const send = (
    id: string,
    events: readonly SessionEvent[],
    signals: readonly Signal[] = [],
    fromSeq = 1,
  ): void => emit({ topic: 'session', session_id: id, events, signals, caught_up: true, from_seq: fromSeq });
  /** The newest page at once, older ones after it, as main does. */
  const sendPages = (id: string, events: readonly SessionEvent[]): void => {
    const from = Math.max(0, events.length - 300);
    send(id, events.slice(from), signalsOf(id), from + 1);
    if (from > 0) setTimeout(() => sendPages(id, events.slice(0, from)), options.slow ? 60_000 : 60);
  };
  const signalsOf = (id: string): readonly Signal[] => {
    if (id === 's8') return [liveFacts];
    if (id !== 's0') return [];
    const entry = { index: 0, message: 'Looking up photo dates, 21 of 38', fraction: 0.55 };
    return [{ type: 'call_progress', turn_id: 't1', call_id: 'c3', entry }];
  };
  const record = (id: string, write: (record: Recorder) => void): void => {
    const known = sessionOf(id);
    const before = known.events.length;
    write(known);
    send(id, known.events.slice(before));
  };
  const sessionOf = (id: string): Recorder => {
    let record = sessions.get(id);
    if (!record) {
      record = recorder(id, new Date());
      created(record, `Session ${id}`, 0);
      sessions.set(id, record);
    }
    return record;
  };

  const streamAnswer = (id: string, turn: string): void => {
    const record = sessionOf(id);
    const words = 'Here is **what I found**: a list of things, one after the other, as they come. '.repeat(6);
    send(id, [
      record.add(turn, 'attempt_started', { attempt: 1, model: { provider: 'anthropic', name: 'x' } }),
    ]);
    let at = 0;
    const timer = setInterval(() => {
      send(
        id,
        [],
        [
          {
            type: 'text_delta',
            turn_id: turn,
            attempt: 1,
            channel: 'text',
            offset: at,
            text: words.slice(at, at + 9),
          },
        ],
      );
      at += 9;
      if (at < words.length) return;
      clearInterval(timer);
      const before = record.events.length;
      response(record, turn, 1, words, []);
      record.add(turn, 'turn_finished', { outcome: 'completed', error: null });
      send(id, record.events.slice(before + 1));
    }, 30);
  };

  const commands: Partial<Record<CommandName, (payload: Payload) => Result<unknown>>> = {
    'session.subscribe': ({ session_id, after_seq }) => {
      const id = String(session_id);
      if (id === 's9') return fail('not_found', 'Session "s9" is no longer in the journal. Choose another.');
      const record = sessionOf(id);
      const events = record.events.filter((event) => event.seq > Number(after_seq));
      setTimeout(() => sendPages(id, events), 20);
      return ok(null);
    },
    'session.create': () => {
      made += 1;
      sessionOf(`new${made}`);
      return ok({ session_id: `new${made}` });
    },
    'session.submit': ({ session_id, text }) => {
      const id = String(session_id);
      const record = sessionOf(id);
      const before = record.events.length;
      const turn = `turn${before}`;
      beginTurn(record, turn, String(text));
      send(id, record.events.slice(before));
      setTimeout(() => streamAnswer(id, turn), 300);
      return ok({ turn_id: turn });
    },
    'session.queue': ({ session_id, text, delivery }) => {
      made += 1;
      const queued_id = `queued${made}`;
      record(String(session_id), (known) =>
        known.add(null, 'message_queued', {
          queued_id,
          text: String(text),
          attachments: [],
          mentions: [],
          delivery: delivery as 'next_turn',
        }),
      );
      return ok({ queued_id });
    },
    'session.unqueue': ({ session_id, queued_id }) => {
      record(String(session_id), (known) =>
        known.add(null, 'message_unqueued', { queued_id: String(queued_id) }),
      );
      return ok(null);
    },
    'session.select_branch': ({ session_id, turn_id }) => {
      record(String(session_id), (known) => known.add(null, 'branch_selected', { turn_id: String(turn_id) }));
      return ok(null);
    },
    'session.settle': ({ session_id, turn_id, call_id, settlement, note }) => {
      if (settlement === 'run_again')
        return fail('session_busy', 'A turn waits for you. Answer it first, then run this again.');
      record(String(session_id), (known) =>
        known.add(String(turn_id), 'call_settled', {
          call_id: String(call_id),
          settlement: settlement as 'happened',
          note: String(note),
        }),
      );
      return ok({ turn_id: null });
    },
    'session.answer_pause': ({ session_id, pause_id, go_on }) => {
      record(String(session_id), (known) =>
        known.add('t1', 'pause_ended', {
          pause_id: String(pause_id),
          outcome: go_on === true ? 'continued' : 'stopped',
          by: 'person',
        }),
      );
      return ok(null);
    },
    'session.continue_as_new': ({ session_id }) => {
      made += 1;
      const next = recorder(`new${made}`, new Date());
      created(next, 'Weekly cleanup number 10', 0, undefined, 'ask', {
        identity,
        continues: { session_id: String(session_id), last_seq: 6 },
      });
      beginTurn(next, 't1', 'Clean up.');
      response(next, 't1', 1, 'Everything is where it belongs.', []);
      next.add('t1', 'turn_finished', { outcome: 'completed', error: null });
      sessions.set(`new${made}`, next);
      return ok({ session_id: `new${made}` });
    },
    'attachment.restore': ({ name }) =>
      ok({ attachment_id: `r${(made += 1)}`, name: String(name), media_type: 'text/plain', bytes: 900 }),
    'approval.answer': ({ session_id, approval_id, answer }) => {
      const known = sessionOf(String(session_id));
      const before = known.events.length;
      const result = approvals.answer(known, String(approval_id), answer as FixtureAnswer);
      send(String(session_id), known.events.slice(before));
      return result;
    },
    'grant.revoke': ({ grant_id }) => {
      approvals.revoke(String(grant_id));
      setTimeout(() => emit({ topic: 'grants' }));
      return ok(null);
    },
    'session.rename': ({ session_id, title }) => {
      const known = summaries(new Date()).find((summary) => summary.session_id === session_id);
      if (known)
        emit({ topic: 'sessions', changed: [{ ...known, title: String(title), last_seq: 2 }], removed: [] });
      return ok(null);
    },
    'session.delete': ({ session_id }) => {
      emit({ topic: 'sessions', changed: [], removed: [String(session_id)] });
      return ok(null);
    },
    'setting.set': ({ key, value }) => {
      settings = { ...settings, [String(key)]: value };
      return ok(null);
    },
    'workspace.pick': () => ok({ path: '/home/mara/Pictures' }),
    'attachment.pick': () =>
      ok({
        attachments: [
          {
            attachment_id: `p${(made += 1)}`,
            name: 'offer.pdf',
            media_type: 'application/pdf',
            bytes: 120_400,
          },
        ],
        refused: ['setup.exe', 'archive.zip'].map((name) => ({
          code: 'attachment_refused',
          message: `“${name}” was not added: it is neither text nor a picture.`,
        })),
      }),
    'attachment.add': ({ name, media_type }) =>
      ok({
        attachment_id: `u${(made += 1)}`,
        name: String(name),
        media_type: String(media_type),
        bytes: 2048,
      }),
    'provider.configure': () =>
      fail('model_unauthorized', 'OpenAI refused the key (401). Copy it again from the provider’s page.'),
  };

  const queries: Readonly<Record<QueryName, (payload: Payload) => Result<unknown>>> = {
    'app.info': () =>
      ok({
        version: '0.1.0',
        electron: '33.2.1',
        platform: 'linux',
        data_folder: '/home/mara/.config/OpenWorker',
        keychain: options.keychain,
        keychain_backend: 'gnome_libsecret',
      }),
    'coworkers.list': () => ok(coworkers),
    'providers.list': () => ok(providers),
    'servers.list': () => ok(options.empty ? [] : servers),
    'servers.problems': () =>
      ok([
        {
          code: 'servers_invalid',
          message: 'Server "old" has no command and no url. Add one of them, or remove the entry.',
          file: 'servers.json',
          line: 12,
          severity: 'error',
        },
      ]),
    'journal.problems': () => ok(options.journal === 'loss' ? [lossProblem] : []),
    'sessions.list': () =>
      ok(
        options.empty
          ? []
          : summaries(new Date()).map((summary) => ({
              ...summary,
              ...changedSummaries[summary.session_id],
              ...approvals.summaries[summary.session_id],
              meter: meterOf(sessions.get(summary.session_id)),
            })),
      ),
    'session.standing': ({ session_id }) =>
      ok(
        session_id === 's10'
          ? { type: 'changed', parts: ['bundle', 'registry', 'app'], reason: 'Parts changed.' }
          : { type: 'current' },
      ),
    'session.image': ({ session_id }) =>
      ok(
        session_id === 's8' && options.picture
          ? {
              reference: screenshot,
              qualified_name: 'screen.capture',
              turn_id: 't1',
              call_id: 'c1',
              remaining_ms: 249_000,
              base64: fixturePicture(),
            }
          : null,
      ),
    'settings.get': () => ok(settings),
    'session.tools': () => ok(tools),
    'workspace.files': ({ query }) =>
      ok(
        ['notes.txt', 'photos/2024/beach.jpg', 'Documents/offer-march.pdf'].filter((path) =>
          path.includes(String(query)),
        ),
      ),
    ...approvals.queries,
    'server.tools': () => ok([]),
    'attachment.read': () => fail('not_found', 'The attachment is gone.'),
  };

  return {
    log,
    command: (name, payload) => {
      log.push([name, payload]);
      return Promise.resolve((commands[name]?.(payload as Payload) ?? ok(null)) as never);
    },
    query: (name, payload) => Promise.resolve(queries[name](payload as Payload) as never),
    onPush(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
