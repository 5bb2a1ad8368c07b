import {
  grantsOnRecord,
  ok,
  openJournalReader,
  type ArgumentCondition,
  type GrantEntry,
  type Result,
} from '../harness';
import { findOne } from './find-one';
import { openPlain } from './open-run';
import { document, table } from './table';
import { beside } from './turn-command';

function conditionWords(condition: ArgumentCondition): string {
  switch (condition.type) {
    case 'exact':
      return `${condition.at === '' ? 'arguments' : condition.at} = ${JSON.stringify(condition.value)}`;
    case 'folder':
      return `${condition.at} in ${condition.folder}`;
    case 'host':
      return `${condition.at} at ${condition.host}`;
    case 'command':
      return `command ${condition.words.join(' ')}`;
  }
}

/** What a permission covers, in one line. */
function coverage({ grant }: GrantEntry): string {
  const conditions = grant.pattern ?? [];
  return conditions.length === 0 ? 'any arguments' : conditions.map(conditionWords).join('; ');
}

function stateOf({ ended, grant }: GrantEntry): string {
  if (ended) return ended.how;
  return grant.expires_at ? `until ${grant.expires_at}` : 'holds';
}

function readGrants(folder: string): Result<readonly GrantEntry[]> {
  const reader = openJournalReader(folder);
  if (!reader.ok) return reader.error.code === 'not_found' ? ok([]) : reader;
  const entries = grantsOnRecord(reader.value, Date.now());
  reader.value.close();
  return entries;
}

/** `openworker grants list`: the newest first, ended ones too. Answers the text to print. */
export function listGrants(folder: string, json: boolean): Result<string> {
  const entries = readGrants(folder);
  if (!entries.ok) return entries;
  if (json) return ok(document({ grants: entries.value }));
  if (entries.value.length === 0) return ok('No permission was given.\n');
  const rows = entries.value.map((entry) => [
    entry.grant.grant_id,
    entry.made_at,
    entry.grant.scope === 'session' ? `session ${entry.grant.session_id ?? ''}` : 'coworker',
    entry.grant.coworker_id,
    entry.grant.qualified_name,
    stateOf(entry),
    String(entry.uses),
    coverage(entry),
  ]);
  return ok(table(['ID', 'GIVEN', 'FOR', 'COWORKER', 'TOOL', 'STATE', 'USES', 'COVERS'], rows));
}

/** `openworker grants revoke`: the permission covers nothing from the next call on. Answers the text to print. */
export async function revokeGrant(
  folder: string,
  id: string,
  json: boolean,
  env: NodeJS.ProcessEnv,
  err: NodeJS.WritableStream,
): Promise<Result<string>> {
  // Looked for first, so that nothing is made where there is no journal.
  const entries = readGrants(folder);
  if (!entries.ok) return entries;
  const found = findOne(entries.value, id, {
    idOf: ({ grant }) => grant.grant_id,
    what: 'permission',
    list: 'grants list',
  });
  if (!found.ok) return found;
  const { grant_id, qualified_name } = found.value.grant;
  const harness = await openPlain(folder, env, err);
  if (!harness.ok) return { ok: false, error: beside(harness.error) };
  const revoked = harness.value.grants.revoke(grant_id);
  await harness.value.close();
  if (!revoked.ok) return revoked;
  const ended = found.value.ended?.how ?? 'revoked';
  if (json) return ok(document({ grant_id, ended }));
  const before = found.value.ended ? ` It had ended already (${ended}).` : '';
  return ok(`The permission ${grant_id} for ${qualified_name} covers nothing any more.${before}\n`);
}
