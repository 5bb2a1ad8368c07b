import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { ok, type Session } from '../harness';
import { answerPauseOnTerminal } from './answer-pause';
import { createTerminal } from './terminal';

const pause = { pause_id: 'p_1', kind: 'requests_in_turn', used: 250, limit: 250 } as const;

async function ask(lines: string, signal = new AbortController().signal) {
  const input = new PassThrough();
  const output = new PassThrough();
  const answerPause = vi.fn((_pause: string, _goOn: boolean) => ok(null));
  const stop = vi.fn(() => Promise.resolve());
  const terminal = createTerminal(input, output);
  input.end(lines);
  await answerPauseOnTerminal(terminal, { answerPause, stop } as unknown as Session, pause, signal);
  terminal.close();
  return { answerPause, stop, said: String(output.read() ?? '') };
}

describe('a pause on the terminal', () => {
  it('says which limit is reached and what going on means', async () => {
    const { said } = await ask('y\n');
    expect(said).toContain('requests in turn: 250 of 250');
    expect(said).toContain('for as much again');
  });

  it('goes on after a whole y and stops after anything else', async () => {
    for (const [line, goOn] of [
      ['y', true],
      [' Y ', true],
      ['yes', false],
      ['n', false],
      ['', false],
    ] as const) {
      const { answerPause, stop } = await ask(`${line}\n`);
      expect(answerPause.mock.calls).toEqual([['p_1', goOn]]);
      expect(stop).not.toHaveBeenCalled();
    }
  });

  it('stops the turn at the end of the input, and answers nothing in the name of a person', async () => {
    const { answerPause, stop, said } = await ask('');
    expect(answerPause).not.toHaveBeenCalled();
    expect(stop).toHaveBeenCalledTimes(1);
    expect(said).toContain('Nobody could be asked');
  });

  it('says nothing more once the run is over', async () => {
    const { answerPause, stop, said } = await ask('y\n', AbortSignal.abort());
    expect(answerPause).not.toHaveBeenCalled();
    expect(stop).not.toHaveBeenCalled();
    expect(said).toBe('');
  });
});
