import { createGrantBook, entryOf, lapseOf, newestFirst } from './approvals';
import type { JournalReader } from './journal';
import { ok, type GrantEntry, type Result } from './protocol';

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
  const book = createGrantBook();
  for (const event of app.value) {
    if (event.type === 'grant_made') book.made(event.data, event.at);
    if (event.type === 'grant_ended') book.ended(event.data, event.at);
  }
  sessions.value.forEach(book.follow);
  const used = new Map(uses.value.map((use) => [use.grant_id, use]));
  const entries = book.all().map((held) => {
    const use = used.get(held.grant.grant_id) ?? null;
    return entryOf(held, use, lapseOf(held.grant, use?.last_used_at ?? held.made_at, now));
  });
  return ok(newestFirst(entries));
}
