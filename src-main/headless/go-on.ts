import {
  emptySessionView,
  fail,
  failure,
  foldSessionEvents,
  identityChanges,
  ok,
  openJournalReader,
  type Failure,
  type Harness,
  type IdentityPart,
  type Result,
  type Session,
  type SessionView,
  type StandingAnswer,
} from '../harness';
import { providerKind, type RunParts } from './arguments';
import { configuredBy, coworkerOf, identityOfRun, openRun, type RunSource } from './open-run';

/** A session that waits, opened so that its turn can go on; `view` is all that is on record of it. */
export interface WaitingSession {
  readonly harness: Harness;
  readonly session: Session;
  readonly view: SessionView;
}

export interface GoOn {
  readonly parts: RunParts;
  readonly standing: StandingAnswer;
  readonly folder: string;
  readonly session_id: string;
  readonly env: NodeJS.ProcessEnv;
  readonly err: NodeJS.WritableStream;
}

/** The session as far as it is recorded, read beside whoever writes it. */
export function readView(folder: string, sessionId: string): Result<SessionView> {
  const reader = openJournalReader(folder);
  if (!reader.ok) return reader;
  const events = reader.value.events(sessionId);
  reader.value.close();
  if (!events.ok) return events;
  return ok(foldSessionEvents(emptySessionView(sessionId), events.value));
}

const partWords: Readonly<Record<IdentityPart, string>> = {
  bundle: 'the coworker (--bundle)',
  policies: 'the rules of approval or the guardrails (--guardrails)',
  registry: 'the selected tools or their servers (--servers)',
  native: 'the built-in tools',
  app: 'the program',
};

/** Why the session cannot go on with these options; it is left as it waits. */
function changedFailure(parts: readonly IdentityPart[]): Failure {
  const what = parts.map((part) => partWords[part]).join(', ');
  const own = parts.includes('app') || parts.includes('native');
  const remedy = own
    ? 'Answer it with the version that it began in.'
    : 'Name the same files as when it began.';
  const words = `This session began with another form of: ${what}. Nothing was answered and it still waits. ${remedy}`;
  return failure('identity_changed', words, { parts: [...parts] });
}

async function identityProblem(source: RunSource, view: SessionView): Promise<Failure | null> {
  if (!view.identity) return null;
  const now = await identityOfRun(source);
  if (!now.ok) return now.error;
  const parts = now.value ? identityChanges(view.identity, now.value) : [];
  return parts.length > 0 ? changedFailure(parts) : null;
}

/** Checks what a session would notice only by ending what waits in it. */
async function problemOf(
  harness: Harness,
  source: RunSource,
  bundle: string,
  view: SessionView,
): Promise<Failure | null> {
  const card = await coworkerOf(harness, bundle);
  if (!card.ok) return card.error;
  if (view.coworker && card.value.id !== view.coworker.id) {
    const words = `${bundle} holds the coworker "${card.value.id}"; the session is of "${view.coworker.id}". Name its folder with --bundle.`;
    return failure('invalid_input', words);
  }
  return identityProblem(source, view);
}

/** Opens the session so that what waits in it can be answered. Whoever gets it closes the harness. */
export async function openToGoOn(wanted: GoOn): Promise<Result<WaitingSession>> {
  const { standing, folder, session_id, env, err } = wanted;
  const parts = configuredBy(folder, wanted.parts);
  const before = readView(folder, session_id);
  if (!before.ok) return before;
  const name = before.value.model?.data.provider ?? '';
  const provider = providerKind(name);
  if (!provider) {
    const words = `The session uses the provider "${name}", which is set up in the app. Answer it there.`;
    return fail('identity_changed', words);
  }
  const source: RunSource = { parts, provider, standing, env, err };
  const harness = await openRun(source, folder);
  if (!harness.ok) return harness;
  const problem = await problemOf(harness.value, source, parts.bundle, before.value);
  const session = problem ? { ok: false as const, error: problem } : harness.value.sessions.get(session_id);
  const view = session.ok ? readView(folder, session_id) : session;
  if (!session.ok || !view.ok) {
    await harness.value.close();
    return session.ok ? (view as { ok: false; error: Failure }) : session;
  }
  return ok({ harness: harness.value, session: session.value, view: view.value });
}
