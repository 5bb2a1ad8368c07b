import {
  coversArguments,
  createGrantBook,
  entryOf,
  newestFirst,
  type Ledger,
  type PatternSubject,
} from './approvals';
import type { Harness } from './harness-port';
import type { Journal } from './journal';
import {
  fail,
  ok,
  type ApprovalRequested,
  type ArgumentPattern,
  type Classification,
  type GrantEntry,
  type JsonObject,
  type LastingScope,
  type PastCall,
  type Presentation,
  type Result,
  type ScopePreview,
} from './protocol';
import { realPath, type PermissionDeps, type Session } from './session';

interface Parts {
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly command: PermissionDeps['command'];
  readonly session: (sessionId: string) => Result<Session>;
}

/** The grants that end with their session, from the streams of all sessions. */
function sessionEntries({ journal, ledger }: Parts): Result<GrantEntry[]> {
  const events = journal.readGrantEvents();
  if (!events.ok) return events;
  const book = createGrantBook();
  events.value.forEach(book.follow);
  return ok(
    book.all().map((held) => {
      const { grant, made_at } = held;
      return entryOf(held, ledger.usesOf(grant.grant_id), ledger.lapse(grant, made_at));
    }),
  );
}

function list(parts: Parts): Result<readonly GrantEntry[]> {
  const ofSessions = sessionEntries(parts);
  if (!ofSessions.ok) return ofSessions;
  return ok(newestFirst([...parts.ledger.entries(), ...ofSessions.value]));
}

function revoke(parts: Parts, grantId: string): Result<null> {
  if (parts.ledger.entries().some(({ grant }) => grant.grant_id === grantId)) {
    return parts.ledger.end(grantId, 'revoked');
  }
  const ofSessions = sessionEntries(parts);
  if (!ofSessions.ok) return ofSessions;
  const found = ofSessions.value.find(({ grant }) => grant.grant_id === grantId);
  if (!found) return fail('not_found', `There is no permission ${grantId}.`);
  const session = parts.session(found.grant.session_id ?? '');
  return session.ok ? session.value.revokeGrant(grantId) : session;
}

/** So many past calls are looked at, and so many of them shown. */
const previewLimits = { calls: 500, examples: 8 } as const;

function subjectOf(
  { command }: Parts,
  presentation: Presentation,
  workspace: string | null,
  args: JsonObject,
): PatternSubject {
  return { arguments: args, workspace, realPath, command: command({ presentation }, args) };
}

/** The calls of this tool on record that the scope reaches, the newest first. */
function pastCalls(
  parts: Parts,
  session: Session,
  request: ApprovalRequested,
  scope: LastingScope,
  pattern: ArgumentPattern,
): Result<{ readonly calls: readonly PastCall[]; readonly more: boolean }> {
  const { journal } = parts;
  const events = journal.readPastCalls(request.qualified_name ?? request.name, previewLimits.calls);
  if (!events.ok) return events;
  const calls = events.value.flatMap(({ session_id, turn_id, at, data }): PastCall[] => {
    const summary = journal.summary(session_id);
    const reached =
      scope === 'session' ? session_id === session.session_id : summary?.coworker_id === session.coworker_id;
    if (!summary || !reached || turn_id === null) return [];
    const { arguments: args, call_id, presentation } = data;
    // What was withheld is on no record, so only a permission for any arguments is known to cover it.
    const covered =
      args === null
        ? pattern.length === 0
        : coversArguments(pattern, subjectOf(parts, presentation, summary.workspace, args));
    return [{ session_id, session_title: summary.title, turn_id, call_id, at, arguments: args, covered }];
  });
  return ok({ calls, more: events.value.length === previewLimits.calls });
}

function warningFor(classification: Classification, pattern: ArgumentPattern): ScopePreview['warning'] {
  if (pattern.length > 0) return null;
  if (classification === 'exec') return 'exec_without_pattern';
  return classification === 'external' ? 'external_without_pattern' : null;
}

/** Covered and uncovered ones side by side, so that both can be seen. */
function examplesOf(calls: readonly PastCall[]): readonly PastCall[] {
  const some = (covered: boolean): readonly PastCall[] =>
    calls.filter((call) => call.covered === covered).slice(0, previewLimits.examples / 2);
  return [...some(true), ...some(false)];
}

function preview(
  parts: Parts,
  sessionId: string,
  approvalId: string,
  scope: LastingScope,
  pattern: ArgumentPattern,
): Result<ScopePreview> {
  const session = parts.session(sessionId);
  if (!session.ok) return session;
  const request = session.value.request(approvalId);
  if (!request.ok) return request;
  const past = pastCalls(parts, session.value, request.value, scope, pattern);
  if (!past.ok) return past;
  const { calls, more } = past.value;
  return ok({
    calls: calls.length,
    covered: calls.filter(({ covered }) => covered).length,
    more,
    examples: examplesOf(calls),
    warning: warningFor(request.value.classification, pattern),
  });
}

/** The remembered permissions of all sessions and coworkers. */
export function grantsFor(parts: Parts): Harness['grants'] {
  return {
    list: () => list(parts),
    revoke: (grantId) => revoke(parts, grantId),
    preview: (sessionId, approvalId, scope, pattern) => preview(parts, sessionId, approvalId, scope, pattern),
  };
}
