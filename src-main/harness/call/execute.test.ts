import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Signal } from '../protocol';
import { presentNativeTool } from '../tools/native-tool';
import { ToolError, type Tool, type ToolContext, type ToolOutput } from '../tools';
import { callbackTool } from '../testing/call-bench';
import { createSchemaCompiler } from '../validation';
import { createApprovalDesk } from '../approvals';
import { createGuardrails } from '../guardrails';
import { createImageStore } from '../images';
import type { CallDeps, CallPlan } from './call-port';
import { execute } from './execute';

const signals: Signal[] = [];
const logged: string[] = [];
const deps: CallDeps = {
  record: () => ({ ok: true, value: [] }),
  gather: () => Promise.resolve({ ok: true, value: [] }),
  emit: (signal) => void signals.push(signal),
  desk: createApprovalDesk(),
  standing: 'ask',
  schemas: createSchemaCompiler(),
  grants: () => [],
  ledger: { make: () => ({ ok: true, value: null }), used: () => undefined },
  classified: ({ classification }) => ({ classification, by: 'host', at: null }),
  mode: () => ({ mode: 'ask', at: null }),
  identity: null,
  command: () => null,
  realPath: (path) => path,
  expiryMs: () => null,
  wallClock: () => 0,
  clock: () => performance.now(),
  newId: () => 'id',
  guardrails: createGuardrails({ guardrails: [], selections: [] }),
  images: createImageStore({ clock: () => performance.now(), newId: () => 'image' }),
  log: (line) => void logged.push(line),
};
const plan: CallPlan = {
  session_id: 's',
  turn_id: 't',
  coworker_id: 'c',
  workspace: null,
  prepared: {
    proposed: { call_id: 'c1', name: 'test__tool', qualified_name: 'test.tool', arguments: {} },
    released: {},
    withheld: false,
    guardrails: [],
    problem: null,
  },
  tool: null,
  aliases: [],
  pending: null,
  rerun: null,
};

function native(call: (context: ToolContext) => Promise<ToolOutput>): Tool {
  const descriptor = { qualified_name: 'test.tool', description: '', input_schema: {}, version: '1' };
  return presentNativeTool({ descriptor: () => descriptor, call }, {});
}

function remote(tool: Tool): Tool {
  return { ...tool, origin: { kind: 'mcp', server: 'test' } };
}

const run = (tool: Tool, stop = new AbortController()) => execute(deps, plan, tool, {}, stop.signal);
const never = (): Promise<ToolOutput> => new Promise(() => undefined);

beforeEach(() => {
  signals.length = 0;
  logged.length = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the limits of a native call', () => {
  it('S0-73: it has 75 seconds; then it is left behind, its signal aborted, its outcome unknown', async () => {
    let seen: AbortSignal | null = null;
    const ended = run(
      native(({ signal }) => {
        seen = signal;
        return never();
      }),
    );
    await vi.advanceTimersByTimeAsync(74_999);
    expect(seen).toMatchObject({ aborted: false });
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toMatchObject({ outcome: 'outcome_unknown', error: { code: 'tool_timed_out' } });
    expect(seen).toMatchObject({ aborted: true });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each<[string, (context: ToolContext) => void]>([
    [
      'S0-74: more than 64 progress reports',
      ({ progress }) => Array.from({ length: 65 }, () => progress({ message: 'x' })),
    ],
    ['S0-75: a progress message over 4 KB', ({ progress }) => progress({ message: 'é'.repeat(2_049) })],
    [
      'S0-76: progress data over 16 KB',
      ({ progress }) => progress({ message: 'x', data: 'y'.repeat(16 * 1024) }),
    ],
  ])('%s end it with an unknown outcome', async (_what, misbehave) => {
    const tool = native((context) => {
      misbehave(context);
      return Promise.resolve({ text: 'as if nothing had been' });
    });
    const ended = await run(tool);
    expect(ended).toMatchObject({
      outcome: 'outcome_unknown',
      result: null,
      error: { code: 'limit_reached' },
    });
    expect(ended.progress.length).toBeLessThanOrEqual(64);
    expect(signals).toHaveLength(ended.progress.length);
  });

  it('S0-74 S0-75 S0-76: what just fits is kept', async () => {
    const tool = native(({ progress }) => {
      progress({ message: 'é'.repeat(2_048), data: 'y'.repeat(16 * 1024 - 2) });
      for (let index = 1; index < 64; index += 1) progress({ message: 'x' });
      return Promise.resolve({ text: 'done' });
    });
    const ended = await run(tool);
    expect(ended).toMatchObject({ outcome: 'completed' });
    expect(ended.progress).toHaveLength(64);
  });

  it('S0-77 S0-78: a result over 256 KB is not passed on, and the outcome is unknown', async () => {
    const fits = await run(native(() => Promise.resolve({ text: 'x'.repeat(256 * 1024 - 11) })));
    expect(fits.outcome).toBe('completed');
    const ended = await run(native(() => Promise.resolve({ text: 'x'.repeat(256 * 1024 - 10) })));
    expect(ended).toMatchObject({
      outcome: 'outcome_unknown',
      result: null,
      error: { code: 'result_too_large' },
    });
  });

  it('S1-70 C9: a callback has 128,000 characters of JSON, whatever bytes they are, and the same 75 seconds', async () => {
    const answers = (value: unknown) => run(callbackTool(() => value));
    // Quotes and brackets count: {"a":"…"} is eight characters.
    expect(await answers({ a: 'é'.repeat(128_000 - 8) })).toMatchObject({ outcome: 'completed' });
    expect(await answers({ a: 'é'.repeat(128_000 - 7) })).toMatchObject({
      outcome: 'outcome_unknown',
      result: null,
      error: { code: 'result_too_large' },
    });
    const ended = run(callbackTool(never));
    await vi.advanceTimersByTimeAsync(75_000);
    expect(await ended).toMatchObject({ outcome: 'outcome_unknown', error: { code: 'tool_timed_out' } });
  });

  it('S1-07 S0-74: the limits of progress hold for a callback too', async () => {
    const tool = callbackTool(async (_, { progress }) => {
      for (let index = 0; index < 65; index += 1) await progress('x');
      return null;
    });
    expect(await run(tool)).toMatchObject({ outcome: 'outcome_unknown', error: { code: 'limit_reached' } });
  });

  it('C5: bytes are counted as UTF-8 of the JSON text', async () => {
    const tool = native(({ progress }) => {
      progress({ message: 'x', data: { a: '"'.repeat(8 * 1024 - 4) } });
      progress({ message: 'x', data: { a: '"'.repeat(8 * 1024 - 3) } });
      return Promise.resolve({});
    });
    const ended = await run(tool);
    expect(ended).toMatchObject({ outcome: 'outcome_unknown', error: { code: 'limit_reached' } });
    expect(ended.progress).toHaveLength(1);
  });

  it('S0-80 C13: a ToolError goes back to the model; any other throw of a native tool ends the turn', async () => {
    const throws = (error: Error) => run(native(() => Promise.reject(error)));
    expect(await throws(new ToolError('busy', 'Try later'))).toMatchObject({
      outcome: 'failed',
      error: { code: 'busy', message: 'Try later' },
    });
    const broken = await throws(new Error('inner detail'));
    expect(broken).toMatchObject({ outcome: 'outcome_unknown', error: { code: 'tool_threw' } });
    expect(JSON.stringify(broken)).not.toContain('inner detail');
    const callback = callbackTool(() => {
      throw new Error('Expected text');
    });
    expect(await run(callback)).toMatchObject({
      outcome: 'failed',
      error: { code: 'tool_failed', message: 'Expected text' },
    });
  });

  it('C9: a remote call has limits of its own: these do not end it', async () => {
    const tool = remote(
      native(async ({ progress }) => {
        for (let index = 0; index < 100; index += 1) progress({ message: 'x' });
        await new Promise((resolve) => setTimeout(resolve, 100_000));
        return { text: 'x'.repeat(300 * 1024) };
      }),
    );
    const ended = run(tool);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(await ended).toMatchObject({ outcome: 'completed' });
    expect((await ended).progress).toHaveLength(64);
  });
});

describe('cancelling a call', () => {
  it('S0-70: a tool that ignores it is left behind after a grace, and nothing of it is heard again', async () => {
    const stop = new AbortController();
    let report: ToolContext['progress'] = () => undefined;
    const ended = run(
      native(({ progress }) => {
        report = progress;
        return never();
      }),
      stop,
    );
    stop.abort();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await ended).toMatchObject({ outcome: 'cancelled_may_have_run' });
    report({ message: 'late' });
    expect(signals).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each<[string, (stop: AbortController) => void, number]>([
    ['S0-70: a stop', (stop) => stop.abort(), 2_000],
    ['S0-73: its time limit', () => undefined, 75_000],
  ])(
    '%s leaves it behind, and its late result is dropped and logged in one plain line',
    async (_what, end, ms) => {
      const stop = new AbortController();
      let finish: (output: ToolOutput) => void = () => undefined;
      const ended = run(
        native(() => new Promise((resolve) => (finish = resolve))),
        stop,
      );
      end(stop);
      await vi.advanceTimersByTimeAsync(ms);
      const said = JSON.stringify(await ended);
      expect(logged).toEqual([]);
      finish({ text: 'late and private' });
      await vi.advanceTimersByTimeAsync(0);
      expect(logged).toHaveLength(1);
      expect(logged[0]).toMatch(/^Tool test\.tool .*"c1".*turn t.*dropped\.$/);
      expect(logged.join()).not.toContain('private');
      expect(JSON.stringify(await ended)).toBe(said);
    },
  );

  it('C13: a callback that obeys is a cancellation, and may have run', async () => {
    const stop = new AbortController();
    const ended = run(
      callbackTool(
        (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      ),
      stop,
    );
    stop.abort(new Error('stopped'));
    expect(await ended).toMatchObject({ outcome: 'cancelled_may_have_run', error: { code: 'cancelled' } });
    expect(logged).toEqual([]);
  });

  it('S0-79: a tool that ends well in spite of it has completed', async () => {
    const stop = new AbortController();
    const ended = run(
      native(async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { text: 'done all the same' };
      }),
      stop,
    );
    stop.abort();
    expect(await ended).toMatchObject({ outcome: 'completed', result: { text: 'done all the same' } });
  });
});
