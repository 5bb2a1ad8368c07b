import type { Page } from '@playwright/test';
import { openJournal } from '../../src-main/harness/journal';
import type { ArgumentPattern, GrantMade, SessionEvent } from '../../src-preload/contract';
import { act, command, eventsNow, must, query } from './bridge';

/** Playwright's own time to wait is shorter than a slow machine needs for a call. */
const patience = 15_000;

async function waitForEvent<T extends SessionEvent['type']>(
  page: Page,
  session_id: string,
  type: T,
  count: number,
): Promise<Extract<SessionEvent, { type: T }>> {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    const found = (await eventsNow(page, session_id)).filter((event) => event.type === type);
    const last = found[count - 1];
    if (last) return last as Extract<SessionEvent, { type: T }>;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Session ${session_id} has not recorded ${count} × ${type}.`);
}

/** What became of a call of the practice model: the rule by which it ran, or the request that waits for the person. */
export type Became =
  | { readonly type: 'ran'; readonly rule: string; readonly by: string | undefined }
  | { readonly type: 'asked'; readonly reason: string };

/** Lets the practice model call a tool, and waits until that runs or asks. */
export async function practiceCall(
  page: Page,
  at: { readonly session_id: string; readonly turn_id: string },
  name: string,
  args: Record<string, string | number | boolean>,
): Promise<Became> {
  const events = await eventsNow(page, at.session_id);
  const before = new Set(events.map(({ seq }) => seq));
  await act(page, at.session_id, at.turn_id, { type: 'call', name, arguments: args });
  const end = Date.now() + patience;
  while (Date.now() < end) {
    const fresh = (await eventsNow(page, at.session_id)).filter(({ seq }) => !before.has(seq));
    const asked = fresh.find((event) => event.type === 'approval_requested');
    if (asked?.type === 'approval_requested') return { type: 'asked', reason: asked.data.reason };
    const started = fresh.find((event) => event.type === 'tool_started');
    if (started?.type === 'tool_started' && fresh.some((event) => event.type === 'tool_finished')) {
      const { rule, by } = started.data.rule;
      return { type: 'ran', rule, by };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`A call of ${name} neither ran nor asked.`);
}

/** Answers the request that came last: once, or for longer. */
export async function allowLatest(
  page: Page,
  session_id: string,
  terms: { readonly scope: 'once' | 'session' | 'coworker'; readonly pattern?: ArgumentPattern },
): Promise<void> {
  const events = await eventsNow(page, session_id);
  const asked = events.filter((event) => event.type === 'approval_requested');
  const request = asked.at(-1);
  if (request?.type !== 'approval_requested') throw new Error('Nothing was asked.');
  const { approval_id, arguments_digest, pin } = request.data;
  const finished = events.filter((event) => event.type === 'tool_finished').length;
  must(
    await command(page, 'approval.answer', {
      session_id,
      approval_id,
      shown: { arguments_digest, pin },
      answer: { type: 'allow', ...terms } as never,
    }),
  );
  await waitForEvent(page, session_id, 'tool_finished', finished + 1);
}

export async function grantsNow(page: Page) {
  return must(await query(page, 'grants.list', {}));
}

const day = 24 * 60 * 60 * 1000;

const patterns: readonly ArgumentPattern[] = [
  [],
  [{ type: 'folder', at: '/path', folder: 'Invoices/2026' }],
  [{ type: 'host', at: '/url', host: 'api.example.org' }],
  [
    { type: 'exact', at: '/to', value: 'anna.maria.von.hohenstein@example.org' },
    { type: 'folder', at: '/attachments/0', folder: 'Outgoing' },
  ],
  [{ type: 'command', words: ['npm', 'run', 'build'] }],
];
const tools = ['everything.echo', 'files.move_file', 'web.get', 'mail.send', 'shell.run'] as const;

function seededGrant(at: number): GrantMade {
  return {
    grant_id: `g_${at}`,
    scope: 'coworker',
    coworker_id: ['file-organizer', 'everything-guide', 'letter-writer'][at % 3] ?? 'file-organizer',
    qualified_name: tools[at % 5] ?? 'mail.send',
    pin: `${at}`.padStart(64, '0'),
    classification: at % 5 === 1 ? 'write' : at % 5 === 4 ? 'exec' : 'external',
    approval_id: `a_${at}`,
    pattern: patterns[at % 5] ?? [],
    expires_at: at % 4 === 0 ? new Date(Date.now() + (at + 3) * day).toISOString() : null,
    session_id: at % 2 === 0 ? 's_0' : 's_gone',
    turn_id: 't_0',
    call_id: 'c3',
  };
}

/** Writes permissions into a profile, one a tenth of a day apart, every sixth of them taken back. */
export function seedPermissions(profile: string, count: number): void {
  for (let at = count - 1; at >= 0; at -= 1) {
    const journal = openJournal({ folder: profile, now: () => Date.now() - Math.floor((at * day) / 10) });
    if (!journal.ok) throw new Error(journal.error.message);
    const made = journal.value.appendApp('grant_made', seededGrant(at));
    if (!made.ok) throw new Error(made.error.message);
    if (at % 6 === 5) {
      const ended = journal.value.appendApp('grant_ended', { grant_id: `g_${at}`, how: 'revoked' });
      if (!ended.ok) throw new Error(ended.error.message);
    }
    journal.value.close();
  }
}
