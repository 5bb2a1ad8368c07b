import type { Page } from '@playwright/test';
import type {
  Bridge,
  CommandName,
  CommandPayload,
  CommandResult,
  QueryName,
  QueryPayload,
  QueryResult,
  SessionEvent,
  SessionSummary,
} from '../../src-preload/contract';
import { until } from './openworker';

/** The bridge as the page has it; only for functions that run in the page. */
export type PageWindow = typeof globalThis & { openworker: Bridge };

export async function command<N extends CommandName>(
  page: Page,
  name: N,
  payload: CommandPayload<N>,
): Promise<CommandResult<N>> {
  const asked: readonly [string, unknown] = [name, payload];
  const answer = await page.evaluate(
    ([command, value]) =>
      (window as unknown as PageWindow).openworker.command(command as 'session.stop', value as never),
    asked,
  );
  return answer as CommandResult<N>;
}

export async function query<N extends QueryName>(
  page: Page,
  name: N,
  payload: QueryPayload<N>,
): Promise<QueryResult<N>> {
  const asked: readonly [string, unknown] = [name, payload];
  const answer = await page.evaluate(
    ([question, value]) =>
      (window as unknown as PageWindow).openworker.query(question as 'app.info', value as never),
    asked,
  );
  return answer as unknown as QueryResult<N>;
}

/** The value of an answer that must be ok. */
export function must<T>(
  result:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly error: { readonly message: string } },
): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

export interface NewSession {
  readonly coworker_id?: string;
  readonly model?: { readonly provider: string; readonly name: string };
  readonly workspace?: string | null;
}

/** A session over the bridge, with the practice model unless another is given. */
export async function createSession(page: Page, fresh: NewSession = {}): Promise<string> {
  const created = await command(page, 'session.create', {
    coworker_id: fresh.coworker_id ?? 'file-organizer',
    model: fresh.model ?? { provider: 'practice', name: 'practice' },
    mode: 'ask',
    workspace: fresh.workspace ?? null,
  });
  return must(created).session_id;
}

export async function submit(page: Page, session_id: string, text: string): Promise<string> {
  return must(await command(page, 'session.submit', { session_id, text, attachments: [], mentions: [] }))
    .turn_id;
}

/** All events that the session has now. */
export async function eventsNow(page: Page, session_id: string): Promise<readonly SessionEvent[]> {
  return page.evaluate(
    (id) =>
      new Promise<SessionEvent[]>((resolve, reject) => {
        const { openworker } = window as unknown as PageWindow;
        const events: SessionEvent[] = [];
        const stop = openworker.onPush((push) => {
          if (push.topic !== 'session' || push.session_id !== id) return;
          events.push(...push.events);
          if (!push.caught_up) return;
          stop();
          resolve(events);
        });
        void openworker.command('session.subscribe', { session_id: id, after_seq: 0 }).then((taken) => {
          if (!taken.ok) reject(new Error(taken.error.message));
        });
      }),
    session_id,
  );
}

export async function summaryOf(page: Page, session_id: string): Promise<SessionSummary | null> {
  const all = must(await query(page, 'sessions.list', {}));
  return all.find((summary) => summary.session_id === session_id) ?? null;
}

/** Waits until the session is in one of the states. */
export async function waitForState(
  page: Page,
  session_id: string,
  ...states: SessionSummary['state'][]
): Promise<void> {
  let last: SessionSummary | null = null;
  const end = Date.now() + 15_000;
  while (Date.now() < end) {
    last = await summaryOf(page, session_id);
    if (last && states.includes(last.state)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Session ${session_id} is ${last?.state ?? 'not there'}, not ${states.join(' or ')}.`);
}

/** Lets the practice model act once it waits for the person. */
export async function act(
  page: Page,
  session_id: string,
  turn_id: string,
  what: CommandPayload<'practice.act'>['act'],
): Promise<void> {
  let taken = false;
  const end = Date.now() + 15_000;
  while (!taken && Date.now() < end) {
    taken = (await command(page, 'practice.act', { session_id, turn_id, act: what })).ok;
    if (!taken) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await until(() => taken, 'the practice model takes the act', 10);
}

/** Past the welcome, in English and light. */
export async function settleIn(page: Page): Promise<void> {
  must(await command(page, 'setting.set', { key: 'onboarded', value: true }));
}
