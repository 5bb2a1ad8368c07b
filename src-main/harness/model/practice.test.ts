import { describe, expect, it } from 'vitest';
import { collect, modelRequest } from '../testing/model-server-wire-table';
import { createPracticeModel } from './practice';

const never = new AbortController().signal;

describe('practice model', () => {
  it('waits for the person and gives one whole call', async () => {
    const practice = createPracticeModel();
    const reading = collect(practice.provider.stream(modelRequest(), never));
    await Promise.resolve();
    expect(
      practice.act('s-1', 't-1', { type: 'call', name: 'files__list', arguments: { path: '.' } }).ok,
    ).toBe(true);
    expect(await reading).toMatchObject([
      { type: 'call', call: { name: 'files__list', arguments_text: '{"path":"."}' } },
      { type: 'finished', reason: 'tool-calls' },
    ]);
  });

  it('gives a reply as text', async () => {
    const practice = createPracticeModel();
    const reading = collect(practice.provider.stream(modelRequest(), never));
    practice.act('s-1', 't-1', { type: 'reply', text: 'Hello.' });
    expect(await reading).toMatchObject([
      { type: 'text', text: 'Hello.' },
      { type: 'finished', reason: 'stop' },
    ]);
  });

  it('repeats no call id, also after a restart (S1-55)', async () => {
    const ids = new Set<string>();
    for (let round = 0; round < 50; round += 1) {
      const practice = createPracticeModel();
      const reading = collect(practice.provider.stream(modelRequest(), never));
      practice.act('s-1', 't-1', { type: 'call', name: 'x', arguments: {} });
      const [part] = await reading;
      if (part?.type === 'call') ids.add(part.call.call_id);
    }
    expect(ids.size).toBe(50);
  });

  it('keeps sessions apart', async () => {
    const practice = createPracticeModel();
    const one = collect(practice.provider.stream(modelRequest({ session_id: 'a' }), never));
    const two = collect(practice.provider.stream(modelRequest({ session_id: 'b' }), never));
    practice.act('b', 't-1', { type: 'reply', text: 'for b' });
    practice.act('a', 't-1', { type: 'reply', text: 'for a' });
    expect((await one)[0]).toEqual({ type: 'text', text: 'for a' });
    expect((await two)[0]).toEqual({ type: 'text', text: 'for b' });
  });

  it('says that nobody waits, before, after and on a second act', async () => {
    const practice = createPracticeModel();
    const act = () => practice.act('s-1', 't-1', { type: 'reply', text: 'x' });
    expect(act()).toMatchObject({ ok: false, error: { code: 'not_found' } });
    const reading = collect(practice.provider.stream(modelRequest(), never));
    expect(act().ok).toBe(true);
    expect(act().ok).toBe(false);
    await reading;
    expect(act().ok).toBe(false);
  });

  it('ends as cancelled on Stop and waits no longer', async () => {
    const practice = createPracticeModel();
    const stop = new AbortController();
    const reading = collect(practice.provider.stream(modelRequest(), stop.signal));
    stop.abort();
    expect(await reading).toMatchObject([{ type: 'failed', error: { code: 'cancelled' } }]);
    expect(practice.act('s-1', 't-1', { type: 'reply', text: 'x' }).ok).toBe(false);
  });

  it('does not pose as an AI', async () => {
    const models = await createPracticeModel().provider.listModels(never);
    expect(models.ok && models.value[0]).toMatchObject({
      name: 'practice',
      label: expect.stringContaining('no AI') as string,
    });
  });
});
