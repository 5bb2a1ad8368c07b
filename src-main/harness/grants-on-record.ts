import { lapseOf } from './approvals';
import type { JournalReader } from './journal';
import { ok, type GrantEnded, type GrantEntry, type GrantMade, type Result } from './protocol';

interface Found {
  readonly grant: GrantMade;
  readonly made_at: string;
  ended: GrantEntry['ended'];
}

/** Grants with how they ended, out of one stream after the other. */
function collect(found: Map<string, Found>) {
  return {
    made(grant: GrantMade, made_at: string): void {
      found.set(grant.grant_id, { grant, made_at, ended: null });
    },
    ended({ grant_id, how }: GrantEnded, at: string): void {
      const entry = found.get(grant_id);
      if (entry) entry.ended ??= { how, at };
    },
  };
}

/**
 * The permissions of a data folder, the newest first, read beside whoever writes it. One that has lapsed by `now` is
 * shown as ended although nobody has recorded that yet.
 */
export function grantsOnRecord(reader: JournalReader, now: number): Result<readonly GrantEntry[]> {
  const app = reader.appEvents();
  if (!app.ok) return app;
  const sessions = reader.grantEvents();
  if (!sessions.ok) return sessions;
  const uses = reader.grantUses();
  if (!uses.ok) return uses;
  const found = new Map<string, Found>();
  const { made, ended } = collect(found);
  for (const event of app.value) {
    if (event.type === 'grant_made') made(event.data, event.at);
    if (event.type === 'grant_ended') ended(event.data, event.at);
  }
  for (const event of sessions.value) {
    const { at, session_id, turn_id } = event;
    if (event.type === 'grant_ended') ended(event.data, at);
    else made({ ...event.data, session_id, ...(turn_id === null ? {} : { turn_id }) }, at);
  }
  const used = new Map(uses.value.map((use) => [use.grant_id, use]));
  const entries = [...found.values()].map((entry): GrantEntry => {
    const use = used.get(entry.grant.grant_id);
    const last = use?.last_used_at ?? entry.made_at;
    const lapse = entry.ended ? null : lapseOf(entry.grant, last, now);
    return {
      ...entry,
      uses: use?.uses ?? 0,
      last_used_at: use?.last_used_at ?? null,
      ended: lapse ? { how: lapse, at: last } : entry.ended,
    };
  });
  return ok(entries.sort((a, b) => (a.made_at < b.made_at ? 1 : -1)));
}
