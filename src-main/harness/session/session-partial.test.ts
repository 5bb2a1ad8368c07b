import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { attemptText } from '../protocol';
import { saveTextEveryMs } from '../turn/attempt';
import { fails, says, scriptedModel } from '../testing/scripted-model';
import { benches, only, say, start, types } from '../testing/session-acts';
import type { SessionBench } from '../testing/session-bench';
import type { Session } from './session-port';

const bench = benches();

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }),
);
afterEach(() => void vi.useRealTimers());

/** Lets what is due happen, and the promises behind it. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

async function streaming(made: SessionBench): Promise<Session> {
  const session = made.create();
  await start(session);
  await pass(20);
  expect(types(made.events(session.session_id))).toContain('attempt_started');
  return session;
}

const hello = [
  { type: 'reasoning', text: 'Well.' },
  { type: 'text', text: 'Hel' },
  { type: 'text', text: 'lo' },
  'hang',
] as const;

describe('text that streams', () => {
  it('is kept at intervals, each piece once, also where nothing more comes', async () => {
    const made = bench({ model: scriptedModel(hello), tools: [] });
    const session = await streaming(made);
    await pass(saveTextEveryMs + 20);
    const saved = only(made.events(session.session_id), 'text_saved').map(({ data }) => data);
    expect(saved).toEqual([
      { attempt: 1, channel: 'text', offset: 0, text: 'Hello' },
      { attempt: 1, channel: 'reasoning', offset: 0, text: 'Well.' },
    ]);
    await pass(saveTextEveryMs * 3);
    expect(only(made.events(session.session_id), 'text_saved')).toHaveLength(2);
  });

  it('is there after a crash, marked as a part, and never becomes context', async () => {
    const made = bench({ model: scriptedModel(hello), tools: [] });
    const session = await streaming(made);
    await pass(saveTextEveryMs + 20);
    const model = scriptedModel(says('Anew.'));
    const again = made.reopen(session.session_id, { model });
    const [failed] = only(made.events(session.session_id), 'attempt_failed');
    expect(failed?.data).toMatchObject({
      attempt: 1,
      partial_text: 'Hello',
      retry_in_ms: null,
      error: { code: 'interrupted' },
    });
    expect(made.events(session.session_id).at(-1)?.data).toMatchObject({ outcome: 'interrupted' });
    const [turn] = made.view(session.session_id).turns.values();
    expect(turn?.attempts.map((attempt) => attemptText(attempt, 'text'))).toEqual(['Hello']);
    const done = say(again, 'Again');
    await pass(20);
    await done;
    expect(model.requests[0]?.messages.map((message) => message.text)).toEqual(['Go', 'Again']);
  });

  it('of a failed attempt is kept with it, and the next attempt begins without it', async () => {
    const model = scriptedModel(fails('model_overloaded', true, 'Half'), says('Whole.'));
    const made = bench({ model, tools: [] });
    const session = made.create();
    const done = say(session);
    await pass(20);
    await done;
    expect(only(made.events(session.session_id), 'attempt_failed')[0]?.data.partial_text).toBe('Half');
    expect(model.requests[1]?.messages).toHaveLength(1);
    const [turn] = made.view(session.session_id).turns.values();
    expect(turn?.attempts.map((attempt) => attempt.live)).toEqual([
      { text: '', reasoning: '' },
      { text: '', reasoning: '' },
    ]);
  });

  it('of a turn whose end the disk did not take is told to who comes late', async () => {
    const made = bench({ model: scriptedModel(says('ok')), tools: [] });
    const session = made.create();
    made.disk.fullAfter = 1;
    const done = say(session);
    await pass(20);
    expect(await done).toMatchObject({ outcome: 'failed', error: { code: 'journal_full' } });
    const late: string[] = [];
    session.subscribe(0, ({ signals }) => late.push(...signals.map((signal) => signal.type)))();
    expect(late).toEqual(['turn_unrecorded']);
    made.disk.fullAfter = null;
  });
});
