import { describe, expect, it } from 'vitest';
import { emptySessionView, foldSessionEvents, type ImageReference } from '../../../src-preload/contract';
import { recorder } from '../../testing/fixture-data';
import { beginTurn, call, finish, start } from '../../testing/fixture-sessions';
import { countdown, latestImageOnRecord, modelReceived } from './latest-image';

const image = (id: string): ImageReference => ({
  image_id: id,
  media_type: 'image/png',
  bytes: 1,
  digest: id,
  width: 1,
  height: 1,
});

describe('the latest image of a session', () => {
  const record = recorder('s', new Date(0));
  beginTurn(record, 't', 'look');
  for (const id of ['one', 'two']) {
    const one = call(id, 'screen.capture', {});
    start(record, 't', one);
    finish(record, 't', one, { outcome: 'completed', result: { text: '', image: image(id) } });
  }
  record.add('t', 'attempt_started', { attempt: 1, model: { provider: 'p', name: 'm' }, image_id: 'one' });
  const view = foldSessionEvents(emptySessionView('s'), record.events);

  it('is the one that was recorded last, with the tool that it came from', () => {
    expect(latestImageOnRecord(view)).toEqual({ image: image('two'), qualified_name: 'screen.capture' });
    expect(latestImageOnRecord(emptySessionView('s'))).toBeNull();
  });

  it('says whether its pixels went to the model (S1-75)', () => {
    expect([modelReceived(view, 'one'), modelReceived(view, 'two')]).toEqual([true, false]);
  });

  it('counts down to nothing, never below', () => {
    expect([300_000, 249_001, 1, 0, -5].map(countdown)).toEqual(['5:00', '4:10', '0:01', '0:00', '0:00']);
  });
});
