import { coversArguments, type Ledger, type PatternSubject } from './approvals';
import type { Harness } from './harness-port';
import type { Journal } from './journal';
import type { McpServers } from './mcp';
import {
  fail,
  ok,
  type Problem,
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
  type ServerTool,
} from './protocol';
import { classifiedAs, realPath, type PermissionDeps, type Session } from './session';

interface Parts {
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly servers: McpServers;
  readonly command: PermissionDeps['command'];
  readonly session: (sessionId: string) => Result<Session>;
}

/** The grants that end with their session, from the streams of all sessions. */
function sessionEntries({ journal, ledger }: Parts): Result<GrantEntry[]> {
  const events = journal.readGrantEvents();
  if (!events.ok) return events;
  const found = new Map<string, GrantEntry>();
  for (const event of events.value) {
    const { at, session_id, turn_id } = event;
    if (event.type === 'grant_ended') {
      const entry = found.get(event.data.grant_id);
      if (entry) found.set(event.data.grant_id, { ...entry, ended: { how: event.data.how, at } });
      continue;
    }
    const { data } = event;
    const use = ledger.usesOf(data.grant_id);
    found.set(data.grant_id, {
      grant: { ...data, session_id, ...(turn_id === null ? {} : { turn_id }) },
      made_at: at,
      uses: use?.uses ?? 0,
      last_used_at: use?.last_used_at ?? null,
      ended: null,
    });
  }
  return ok(
    [...found.values()].map((entry) => {
      const lapse = entry.ended ? null : ledger.lapse(entry.grant, entry.made_at);
      return lapse ? { ...entry, ended: { how: lapse, at: entry.last_used_at ?? entry.made_at } } : entry;
    }),
  );
}

function list(parts: Parts): Result<readonly GrantEntry[]> {
  const ofSessions = sessionEntries(parts);
  if (!ofSessions.ok) return ofSessions;
  const all = [...parts.ledger.entries(), ...ofSessions.value];
  return ok(all.sort((a, b) => (a.made_at < b.made_at ? 1 : -1)));
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

/** Everything that a server offers, with what the person says of it; asks the server. */
async function serverTools(
  { servers, ledger }: Pick<Parts, 'servers' | 'ledger'>,
  name: string,
  signal: AbortSignal,
): Promise<Result<readonly ServerTool[]>> {
  const source = servers.sources().find(({ namespace }) => namespace === name);
  if (!source) return fail('not_found', `There is no server "${name}" in servers.json.`);
  const scope = { session_id: '', coworker_id: '', workspace: null };
  const catalog = await source.discover(scope, signal);
  if (!catalog.ok) return catalog;
  const usable = [...catalog.value.tools.values()].map((tool): ServerTool => {
    const { qualified_name, title, description, annotations, input_schema } = tool.descriptor;
    const { classification, by, at } = classifiedAs(ledger, tool);
    return {
      qualified_name,
      ...(title === undefined ? {} : { title }),
      description,
      input_schema,
      pin: tool.pin,
      classification,
      classified_by: by,
      classified_at: at,
      hints: annotations ?? {},
      problem: null,
    };
  });
  const unusable = [...catalog.value.unusable].map(([local, problem]): ServerTool => ({
    qualified_name: `${name}.${local}`,
    description: '',
    input_schema: {},
    pin: null,
    classification: 'external',
    classified_by: 'host',
    classified_at: null,
    hints: {},
    problem,
  }));
  return ok([...usable, ...unusable]);
}

function classifyTools(ledger: Ledger): Harness['servers']['classify'] {
  return (tools) => {
    for (const { qualified_name, pin, classification } of tools) {
      const taken = ledger.classify(qualified_name, pin, classification);
      if (!taken.ok) return taken;
    }
    return ok(null);
  };
}

/** The servers of this run, with what the person says of their tools. */
export function serversFor(
  servers: McpServers,
  ledger: Ledger,
  problems: readonly Problem[],
  file: string | null,
): Harness['servers'] {
  return {
    statuses: () => servers.statuses(),
    problems,
    file,
    tools: (name, signal) => serverTools({ servers, ledger }, name, signal),
    classify: classifyTools(ledger),
  };
}
