import type { Library } from './bundles';
import type { Harness, HarnessNotice, HarnessOptions, NewSession } from './harness-port';
import type { Journal } from './journal';
import { carryOver } from './continue-session';
import { fail, ok, type NewSessionEvent, type Result } from './protocol';
import { continuedTitle, currentIdentity, openSession, type Session, type SessionDeps } from './session';
import { listFilesForMention, openWorkspace } from './workspace';

export interface Parts {
  readonly options: HarnessOptions;
  readonly journal: Journal;
  readonly library: Library;
  readonly sessionDeps: SessionDeps;
  readonly open: Map<string, Session>;
  readonly notify: (notice: HarnessNotice) => void;
}

async function createSession(
  { options, journal, library, sessionDeps, notify }: Parts,
  fresh: NewSession,
): Promise<Result<{ readonly session_id: string }>> {
  const bundle = await library.get(fresh.coworker_id);
  if (!bundle.ok) return bundle;
  const { id, name, tagline, icon, version, digest } = bundle.value;
  let workspace: string | null = null;
  if (fresh.workspace !== null) {
    const opened = await openWorkspace(fresh.workspace);
    if (!opened.ok) return opened;
    workspace = opened.value.root;
  }
  const session_id = sessionDeps.newId('session');
  const identity = currentIdentity(sessionDeps, bundle.value);
  const event: NewSessionEvent = {
    turn_id: null,
    type: 'session_created',
    data: {
      title: name,
      coworker: { id, name, tagline, icon, version, bundle_digest: digest },
      workspace,
      model: fresh.model,
      mode: fresh.mode,
      app_version: options.appVersion,
      ...(identity ? { identity } : {}),
    },
  };
  const { effort = null } = fresh;
  const chosen: NewSessionEvent = { turn_id: null, type: 'session_effort_changed', data: { effort } };
  const created = journal.append(session_id, effort === null ? [event] : [event, chosen]);
  if (!created.ok) return created;
  const summary = journal.summary(session_id);
  if (summary) notify({ type: 'session_changed', summary });
  return ok({ session_id });
}

async function continueAsNew(parts: Parts, from: string): Promise<Result<{ readonly session_id: string }>> {
  const { options, journal, library, sessionDeps, notify } = parts;
  const gone = fail('not_found', `There is no session ${from}. It may have been deleted.`);
  const former = journal.summary(from);
  if (!former) return gone;
  const bundle = await library.get(former.coworker_id);
  if (!bundle.ok) return bundle;
  const summary = journal.summary(from);
  if (!summary) return gone;
  if (summary.open_turn !== null) {
    return fail('session_busy', 'This session still works or waits for you. Stop it, then continue as new.');
  }
  const { id, name, tagline, icon, version, digest } = bundle.value;
  const session_id = sessionDeps.newId('session');
  const identity = currentIdentity(sessionDeps, bundle.value);
  const carried = await carryOver(journal, from, session_id, (view) => {
    if (!view.model || !view.mode) return fail('internal', `Session ${from} has no model on record.`);
    return ok({
      title: continuedTitle(view.title?.data ?? name),
      coworker: { id, name, tagline, icon, version, bundle_digest: digest },
      workspace: view.workspace,
      model: view.model.data,
      mode: view.mode.data === 'bypass' ? 'ask' : view.mode.data,
      app_version: options.appVersion,
      ...(identity ? { identity } : {}),
      continues: { session_id: from, last_seq: summary.last_seq },
    });
  });
  if (!carried.ok) return carried;
  const fresh = journal.summary(session_id);
  if (fresh) notify({ type: 'session_changed', summary: fresh });
  return ok({ session_id });
}

const mentionLimit = 30;

export async function filesOf(
  folder: string,
  query: string,
  signal: AbortSignal,
): Promise<Result<readonly string[]>> {
  const workspace = await openWorkspace(folder);
  if (!workspace.ok) return workspace;
  const found = await listFilesForMention(workspace.value, query, mentionLimit, signal);
  return ok(found.paths);
}

export function sessionsOf(parts: Parts): Harness['sessions'] {
  const { journal, open, sessionDeps, notify } = parts;
  const get = (sessionId: string): Result<Session> => {
    const known = open.get(sessionId);
    if (known) return ok(known);
    const opened = openSession(sessionDeps, sessionId);
    if (opened.ok) open.set(sessionId, opened.value);
    return opened;
  };
  return {
    list() {
      const summaries = journal.summaries();
      return summaries.ok ? [...summaries.value].sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1)) : [];
    },
    create: (fresh) => createSession(parts, fresh),
    get,
    async delete(sessionId) {
      // A session whose record is damaged cannot be opened, and can be deleted all the same.
      const session = get(sessionId);
      if (!session.ok && session.error.code === 'not_found') return session;
      if (session.ok) {
        await session.value.stop();
        await session.value.close();
      }
      open.delete(sessionId);
      const deleted = journal.deleteSession(sessionId);
      if (!deleted.ok) return deleted;
      notify({ type: 'session_removed', session_id: sessionId });
      return journal.swept();
    },
    continueAsNew: (sessionId) => continueAsNew(parts, sessionId),
    attachment: (sessionId, digest) => journal.readAttachment(sessionId, digest),
    async mentionable(sessionId, query, signal) {
      const session = get(sessionId);
      if (!session.ok) return session;
      if (session.value.workspace === null) return ok([]);
      return filesOf(session.value.workspace, query, signal);
    },
  };
}

/** Sessions that the last run left in the middle of something are settled truthfully before anything else happens. */
export function settleInterrupted(sessions: Harness['sessions'], log: (line: string) => void): void {
  for (const summary of sessions.list()) {
    if (summary.open_turn === null) continue;
    const session = sessions.get(summary.session_id);
    if (!session.ok) log(`Session ${summary.session_id} could not be recovered: ${session.error.message}`);
  }
}
