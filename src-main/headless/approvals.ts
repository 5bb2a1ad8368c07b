import { createHash } from 'node:crypto';
import {
  commandDesk,
  emptySessionView,
  foldSessionEvents,
  ok,
  openCommandReader,
  openJournalReader,
  pendingApprovals,
  readRequest,
  type JournalReader,
  type PendingApproval,
  type RequestReading,
  type Result,
  type SessionView,
} from '../harness';
import { describeRequest, type Requested } from './describe-request';
import { findOne } from './find-one';
import { document, table } from './table';
import { visibleLine } from './terminal';

/** A request that waits for a person, with the session that it waits in. */
export interface WaitingRequest {
  readonly view: SessionView;
  readonly pending: PendingApproval;
  readonly request: Requested;
}

/** The digest of what `approvals show` prints: which request, which arguments, which definition. */
export function shownDigest({ approval_id, arguments_digest, pin }: Requested): string {
  return createHash('sha256')
    .update(JSON.stringify([approval_id, arguments_digest, pin]))
    .digest('hex');
}

/** All requests that wait, over all sessions, oldest first. */
function waitingRequests(reader: JournalReader): Result<readonly WaitingRequest[]> {
  const summaries = reader.summaries();
  if (!summaries.ok) return summaries;
  const found: WaitingRequest[] = [];
  for (const { session_id, waiting } of summaries.value) {
    if (waiting.length === 0) continue;
    const events = reader.events(session_id);
    if (!events.ok) return events;
    const view = foldSessionEvents(emptySessionView(session_id), events.value);
    for (const pending of pendingApprovals(view)) {
      found.push({ view, pending, request: pending.request.data });
    }
  }
  return ok(found.sort((a, b) => (a.pending.request.at < b.pending.request.at ? -1 : 1)));
}

/** Reads the folder with `work`; a folder without a journal has nothing that waits. */
function reading<T>(folder: string, empty: T, work: (reader: JournalReader) => Result<T>): Result<T> {
  const reader = openJournalReader(folder);
  if (!reader.ok) return reader.error.code === 'not_found' ? ok(empty) : reader;
  try {
    return work(reader.value);
  } finally {
    reader.value.close();
  }
}

/** The request that an id, or the beginning of one, stands for. */
export function findRequest(folder: string, id: string): Result<WaitingRequest> {
  const all = reading(folder, [], waitingRequests);
  if (!all.ok) return all;
  return findOne(all.value, id, {
    idOf: ({ request }) => request.approval_id,
    what: 'waiting request',
    list: 'approvals list',
  });
}

/** What a program gets of a request; the keys are kept. */
function facts({ view, pending, request }: WaitingRequest): Readonly<Record<string, unknown>> {
  return {
    approval_id: request.approval_id,
    session_id: view.session_id,
    session_title: view.title?.data ?? '',
    turn_id: pending.turn_id,
    call_id: request.call_id,
    coworker_id: view.coworker?.id ?? '',
    coworker_name: view.coworker?.name ?? '',
    qualified_name: request.qualified_name ?? request.name,
    classification: request.classification,
    placement: request.placement,
    presentation: request.presentation,
    origin: request.origin,
    reason: request.reason,
    requested_at: pending.request.at,
    arguments: request.arguments,
    arguments_digest: request.arguments_digest,
    pin: request.pin,
    shown: shownDigest(request),
  };
}

/** `openworker approvals list`: what waits, oldest first. Answers the text to print. */
export function listApprovals(folder: string, json: boolean): Result<string> {
  const all = reading(folder, [], waitingRequests);
  if (!all.ok) return all;
  if (json) return ok(document({ approvals: all.value.map(facts) }));
  if (all.value.length === 0) return ok('No request waits for you.\n');
  const rows = all.value.map(({ view, pending, request }) => [
    request.approval_id,
    pending.request.at,
    view.coworker?.name ?? '',
    request.qualified_name ?? request.name,
    view.title?.data ?? '',
  ]);
  return ok(table(['ID', 'SINCE', 'COWORKER', 'TOOL', 'SESSION'], rows));
}

/** What the arguments come to now; null where that cannot be told. */
async function readingOf(folder: string, { view, request }: WaitingRequest): Promise<RequestReading | null> {
  const definition = reading(folder, null, (reader) => reader.definition(request.pin));
  const commands = commandDesk(await openCommandReader());
  const read = await readRequest(commands, {
    request,
    workspace: view.workspace,
    definition: definition.ok ? definition.value : null,
  });
  return read.ok ? read.value : null;
}

/** `openworker approvals show`: one request as it waits. Answers the text to print. */
export async function showApproval(folder: string, id: string, json: boolean): Promise<Result<string>> {
  const found = findRequest(folder, id);
  if (!found.ok) return found;
  const read = await readingOf(folder, found.value);
  if (json) return ok(document({ approval: facts(found.value), reading: read }));
  const { view, pending, request } = found.value;
  const head = [
    `Request ${request.approval_id}, since ${pending.request.at}`,
    `Session ${view.session_id}: ${visibleLine(view.title?.data ?? '')}`,
    `Folder ${view.workspace === null ? 'none' : visibleLine(view.workspace)}`,
    '',
  ];
  return ok(
    `${head.join('\n')}\n${describeRequest(request, read)}\nShown: ${shownDigest(request)}\nAnswer with: openworker approvals answer ${request.approval_id} --shown ${shownDigest(request)} --bundle DIR --allow once | --deny\n`,
  );
}
