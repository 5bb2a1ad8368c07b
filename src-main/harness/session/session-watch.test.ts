import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../testing/scripted-model';
import { benches, start, types } from '../testing/session-acts';
import { until } from '../testing/session-bench';

const bench = benches();

describe('watching a session', () => {
  it('gives a late watcher the recorded events and what streams right now', async () => {
    const made = bench({
      model: scriptedModel([{ type: 'text', text: 'Hel' }, { type: 'text', text: 'lo' }, 'hang']),
      tools: [],
    });
    const session = made.create();
    const { done } = await start(session);
    await until(() => types(made.events(session.session_id)).includes('attempt_started'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const seen: string[] = [];
    const stop = session.subscribe(0, (push) => {
      seen.push(
        ...types(push.events),
        ...push.signals.map((signal) => (signal.type === 'text_delta' ? signal.text : signal.type)),
      );
    });
    expect(seen.slice(-2)).toEqual(['attempt_started', 'Hello']);
    stop();
    await session.stop();
    await done;
  });
});
