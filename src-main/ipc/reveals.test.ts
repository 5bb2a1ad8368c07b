import { expect, it } from 'vitest';
import type { Push, RevealTarget } from '../../src-preload/contract';
import { ok } from '../harness';
import { createReveals } from './reveals';

const session = (approval_id: string): RevealTarget => ({ type: 'session', session_id: 's1', approval_id });

function begin() {
  const sent: Push[] = [];
  const reveals = createReveals((push) => sent.push(push));
  const ask = reveals.behind((name) => Promise.resolve(ok(name)));
  return { sent, reveals, ask };
}

it('keeps the newest wish until the page asks something, and says it once', async () => {
  const { sent, reveals, ask } = begin();
  reveals.reveal(session('a1'));
  reveals.reveal(session('a2'));
  expect(sent).toEqual([]);
  expect(await ask('app.info', {})).toEqual(ok('app.info'));
  await ask('sessions.list', {});
  expect(sent).toEqual([{ topic: 'reveal', target: session('a2') }]);
});

it('speaks at once to a page that listens, and waits again for one that is loaded anew', async () => {
  const { sent, reveals, ask } = begin();
  await ask('app.info', {});
  reveals.reveal({ type: 'settings' });
  expect(sent).toEqual([{ topic: 'reveal', target: { type: 'settings' } }]);
  reveals.reset();
  reveals.reveal(session('a3'));
  expect(sent).toHaveLength(1);
  await ask('app.info', {});
  expect(sent.at(-1)).toEqual({ topic: 'reveal', target: session('a3') });
});
