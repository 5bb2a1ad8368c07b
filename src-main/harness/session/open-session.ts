import { createHash } from 'node:crypto';
import type { Answer } from '../approvals';
import { fail, ok, type NewSessionEvent, type Result } from '../protocol';
import { createConductor, type Conductor } from './conductor';
import { toolFacts } from './prepare';
import { recover } from './recover';
import type { Session, SessionDeps, Submission } from './session-port';
import { openStream, type Stream } from './stream';
import { automaticTitle } from './title';

function asNull(result: Result<unknown>): Result<null> {
  return result.ok ? ok(null) : result;
}

/** The message, and the title where it is the first one and nobody gave another. */
function submissionEvents(
  deps: SessionDeps,
  stream: Stream,
  turnId: string,
  submission: Submission,
  digests: readonly string[],
): NewSessionEvent[] {
  const untitled = stream.facts().title?.seq === 1;
  const attachments = submission.files.map(({ name, media_type, bytes }, index) => ({
    digest: digests[index] ?? '',
    name,
    media_type,
    bytes: bytes.byteLength,
  }));
  const { text, mentions } = submission;
  const message: NewSessionEvent = {
    turn_id: turnId,
    type: 'message_submitted',
    data: { message_id: deps.newId('message'), text, attachments, mentions },
  };
  if (!untitled) return [message];
  const title = automaticTitle(submission);
  return [message, { turn_id: null, type: 'session_renamed', data: { title, by: 'automatic' } }];
}

function submit(
  deps: SessionDeps,
  stream: Stream,
  conductor: Conductor,
  submission: Submission,
): ReturnType<Session['submit']> {
  if (conductor.activity().type !== 'idle') {
    return fail(
      'session_busy',
      'This session is still working. Wait for it, or press Stop, then send again.',
    );
  }
  const settled = conductor.settle();
  if (!settled.ok) return settled;
  const turnId = deps.newId('turn');
  const digests = submission.files.map((file) => createHash('sha256').update(file.bytes).digest('hex'));
  const attachments = submission.files.map(({ media_type, bytes }, index) => ({
    digest: digests[index] ?? '',
    media_type,
    bytes,
  }));
  const recorded = stream.record(submissionEvents(deps, stream, turnId, submission, digests), attachments);
  if (!recorded.ok) return recorded;
  return ok({ turn_id: turnId, done: conductor.begin(turnId) });
}

function answer(
  stream: Stream,
  conductor: Conductor,
  approvalId: string,
  digest: string,
  given: Answer,
): Result<null> {
  const taken = stream.desk.answer(approvalId, digest, given);
  const activity = conductor.activity();
  if (taken.ok && activity.type === 'suspended') conductor.resume(activity.turn);
  return taken;
}

/**
 * Opens a recorded session: folds its events, ends what a crash left open, and keeps a turn that waits for a person
 * answerable. It is the one writer of the session's stream from here on.
 */
export function openSession(deps: SessionDeps, sessionId: string): Result<Session> {
  const opened = openStream(deps, sessionId);
  if (!opened.ok) return opened;
  const { stream, view } = opened.value;
  const recovery = recover(view);
  if (recovery.events.length > 0) {
    const closed = stream.record(recovery.events);
    if (!closed.ok) return closed;
  }
  const conductor = createConductor(deps, stream, recovery.suspended);
  const note = (event: NewSessionEvent): Result<null> => asNull(stream.record([event]));
  return ok({
    session_id: sessionId,
    workspace: view.workspace,
    coworker_id: view.coworker?.id ?? '',
    submit: (submission) => submit(deps, stream, conductor, submission),
    busy: () => conductor.activity().type !== 'idle',
    stop: () => conductor.stop('stopped'),
    answer: (approvalId, digest, given) => answer(stream, conductor, approvalId, digest, given),
    rename: (title) => note({ turn_id: null, type: 'session_renamed', data: { title, by: 'person' } }),
    archive: (archived) => note({ turn_id: null, type: 'session_archived', data: { archived } }),
    setModel: (model) => note({ turn_id: null, type: 'session_model_changed', data: { model } }),
    setMode: (mode) => note({ turn_id: null, type: 'session_mode_changed', data: { mode } }),
    async tools(signal) {
      const prepared = await conductor.prepare(signal);
      if (!prepared.ok) return prepared;
      return ok(
        prepared.value.tools.map((tool) => ({
          ...toolFacts(tool),
          input_schema: tool.descriptor.input_schema,
        })),
      );
    },
    subscribe: (afterSeq, listener) => stream.subscribe(afterSeq, listener),
    async close() {
      const onlyWaits = !stream.live.busy() && stream.desk.waiting().length > 0;
      if (!onlyWaits) await conductor.stop('closing');
      stream.end();
    },
  });
}
