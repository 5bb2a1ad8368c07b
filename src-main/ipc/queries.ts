import type { AppInfo, SessionImage, Settings } from '../../src-preload/contract';
import { fail, isJsonObject, ok, type Harness, type Json } from '../harness';
import type { QueryHandlers } from './dispatch';
import { folderNotChosen } from './chosen-folders';
import { plainPattern } from './persons-answer';

const positive = (stored: Json | undefined): number | null =>
  typeof stored === 'number' && stored > 0 ? stored : null;

/** The window's settings from the stored keys; anything else that stands there counts as unset. */
export function windowSettings(stored: Readonly<Record<string, Json>>): Settings {
  const { theme, language, default_model: model, layout, onboarded, last_session: last } = stored;
  const choice =
    isJsonObject(model) && typeof model['provider'] === 'string' && typeof model['name'] === 'string'
      ? { provider: model['provider'], name: model['name'] }
      : null;
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    language: typeof language === 'string' ? language : '',
    default_model: choice,
    layout: layout ?? null,
    onboarded: onboarded === true,
    last_session: typeof last === 'string' ? last : null,
    approval_expiry_minutes: positive(stored['approval_expiry_minutes']),
    notify_requests: stored['notify_requests'] !== false,
    notify_turn_end: stored['notify_turn_end'] !== false,
    notify_repeat_minutes: positive(stored['notify_repeat_minutes']) ?? 0,
  };
}

export interface QueryDeps {
  readonly harness: Harness;
  readonly info: () => AppInfo;
  readonly mayUse: (folder: string) => boolean;
  readonly signal: AbortSignal;
}

function latestImage(harness: Harness, sessionId: string): SessionImage | null {
  const latest = harness.images.latest(sessionId);
  const bytes = latest && harness.images.bytes(sessionId, latest.reference.image_id);
  return latest && bytes ? { ...latest, base64: Buffer.from(bytes).toString('base64') } : null;
}

export function queries({ harness, info, mayUse, signal }: QueryDeps): QueryHandlers {
  return {
    'app.info': () => ok(info()),
    'coworkers.list': async () => ok(await harness.coworkers.list()),
    'providers.list': () => ok(harness.providers.statuses()),
    'servers.list': () => ok(harness.servers.statuses()),
    'servers.problems': () => ok(harness.servers.problems),
    'journal.problems': () => ok([...harness.journal.problems]),
    'sessions.list': () => ok(harness.sessions.list()),
    'settings.get': () => ok(windowSettings(harness.settings.get())),
    'session.tools'({ session_id }) {
      const session = harness.sessions.get(session_id);
      return session.ok ? session.value.tools(signal) : session;
    },
    'session.standing'({ session_id }) {
      const session = harness.sessions.get(session_id);
      return session.ok ? session.value.standing(signal) : session;
    },
    'grants.list': () => harness.grants.list(),
    'approval.preview': ({ session_id, approval_id, scope, pattern }) =>
      harness.grants.preview(session_id, approval_id, scope, plainPattern(pattern)),
    'approval.reading': ({ session_id, approval_id }) => harness.approvals.reading(session_id, approval_id),
    'server.tools': ({ name }) => harness.servers.tools(name, signal),
    'session.image': ({ session_id }) => ok(latestImage(harness, session_id)),
    async 'workspace.files'({ session_id, workspace, query }) {
      if (session_id !== null) return harness.sessions.mentionable(session_id, query, signal);
      if (workspace === null) return ok([]);
      return mayUse(workspace) ? harness.filesOf(workspace, query, signal) : folderNotChosen(workspace);
    },
    'attachment.read'({ session_id, digest }) {
      const file = harness.sessions.attachment(session_id, digest);
      if (!file.ok) return file;
      if (!file.value.media_type.startsWith('image/'))
        return fail('invalid_input', 'Only images are shown here.');
      return ok({
        media_type: file.value.media_type,
        base64: Buffer.from(file.value.bytes).toString('base64'),
      });
    },
  };
}
