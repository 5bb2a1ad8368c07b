import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../protocol';
import { createGuardrails, mergeFacts, type GuardedCall, type Guardrail, type Guardrails } from './index';

const call: GuardedCall = {
  call_id: 'c1',
  qualified_name: 'mail.send',
  model_alias: 'mail__send',
  classification: 'external',
};
const open = (): AbortSignal => new AbortController().signal;

function chain(guardrails: readonly Guardrail[], tools: readonly string[] = ['*']): Guardrails {
  const selections = guardrails.map(({ name }) => ({ guardrail: name, tools, options: {} }));
  return createGuardrails({ guardrails, selections });
}

const input = (guardrails: Guardrails, args: JsonObject = { to: 'a' }, signal = open()) =>
  guardrails.input(call, args, true, signal);
const given = { result: { text: 'said', structured: { a: 1 } }, error: null };
const never = (): Promise<never> => new Promise(() => undefined);

describe('input guardrails', () => {
  it('S1-43: several run in the configured order, and each sees what the one before released', async () => {
    const seen: JsonObject[] = [];
    const add = (name: string): Guardrail => ({
      name,
      input(subject) {
        seen.push(subject.arguments);
        return { action: 'transform', arguments: { ...subject.arguments, [name]: true } };
      },
    });
    const released = await input(chain([add('one'), add('two')]));
    expect(seen).toEqual([{ to: 'a' }, { to: 'a', one: true }]);
    expect(released).toMatchObject({
      type: 'released',
      arguments: { to: 'a', one: true, two: true },
      transformed: true,
      withheld: false,
      facts: [
        { guardrail: 'one', stage: 'input', action: 'transformed' },
        { guardrail: 'two', stage: 'input', action: 'transformed' },
      ],
    });
  });

  it('S1-43: inspecting leaves findings and nothing else; one that has nothing to say leaves no trace', async () => {
    const quiet: Guardrail = { name: 'quiet', input: () => ({ action: 'pass' }) };
    const finds: Guardrail = {
      name: 'finds',
      input: () => ({ action: 'pass', findings: [{ kind: 'odd', count: 2 }] }),
    };
    const args = { to: 'a' };
    const released = await input(chain([quiet, finds]), args);
    expect(released).toMatchObject({ type: 'released', transformed: false, withheld: false });
    expect(released.facts).toEqual([
      {
        guardrail: 'finds',
        stage: 'input',
        action: 'passed',
        findings: [{ kind: 'odd', count: 2 }],
        note: '',
      },
    ]);
    expect(released).toHaveProperty('arguments', args);
  });

  it('S1-43: a block ends it: those behind it are not asked', async () => {
    const after = vi.fn(() => ({ action: 'pass' }) as const);
    const blocks: Guardrail = {
      name: 'blocks',
      input: () => ({ action: 'block', note: 'Not to strangers.' }),
    };
    const released = await input(chain([blocks, { name: 'after', input: after }]));
    expect(released).toMatchObject({
      type: 'blocked',
      withheld: false,
      error: { code: 'guardrail_blocked' },
    });
    expect(released.type === 'blocked' && released.error.message).toContain('Not to strangers.');
    expect(after).not.toHaveBeenCalled();
  });

  it('S1-85: withholding lets the call run', async () => {
    const withholds: Guardrail = { name: 'withholds', input: () => ({ action: 'withhold' }) };
    expect(await input(chain([withholds]))).toMatchObject({
      type: 'released',
      arguments: { to: 'a' },
      transformed: false,
      withheld: true,
      facts: [{ action: 'withheld' }],
    });
  });
});

describe('a guardrail that fails', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  const broken: readonly (readonly [string, () => never])[] = [
    [
      'throws',
      () => {
        throw new Error('secret detail');
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret detail')) as never],
    ['answers nothing', () => undefined as never],
    ['answers something else', () => ({ action: 'transform' }) as never],
  ];
  it.each(broken)(
    'closes when it %s: the call is blocked, its arguments and its result are withheld',
    async (_, f) => {
      const guardrails = chain([{ name: 'broken', input: f, output: f, progress: f }]);
      const released = await input(guardrails);
      expect(released).toMatchObject({ type: 'blocked', withheld: true, facts: [{ action: 'blocked' }] });
      const output = await guardrails.output(call, given);
      expect(output).toMatchObject({
        output: { result: { text: '[The result was withheld by guardrail broken.]' }, error: null },
        released: false,
        facts: [{ stage: 'output', action: 'withheld' }],
      });
      expect(output.output.result).not.toHaveProperty('structured');
      const progress = guardrails.progress(call, { index: 3, message: 'half', fraction: 0.5, data: 1 });
      expect(progress.entry).toEqual({ index: 3, message: '[Withheld by guardrail broken.]', fraction: 0.5 });
      expect(JSON.stringify([released, output, progress])).not.toContain('secret detail');
    },
  );

  it('closes when it is not done after two seconds, and its signal is aborted', async () => {
    const signals: AbortSignal[] = [];
    const slow: Guardrail = {
      name: 'slow',
      input: (_, signal) => (signals.push(signal), never()),
      output: (_, signal) => (signals.push(signal), never()),
    };
    const guardrails = chain([slow]);
    const both = Promise.all([input(guardrails), guardrails.output(call, given)]);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(signals.map((signal) => signal.aborted)).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(1);
    const [released, output] = await both;
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
    expect(released).toMatchObject({ type: 'blocked', withheld: true });
    expect(output.facts[0]?.note).toContain('2 seconds');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is left alone by a stop: the call does not run, and nothing of it is recorded', async () => {
    const stop = new AbortController();
    const released = input(chain([{ name: 'slow', input: never }]), { to: 'a' }, stop.signal);
    stop.abort();
    expect(await released).toMatchObject({ type: 'blocked', withheld: true });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('output guardrails', () => {
  it('S1-43: may change, withhold or block what a tool gave', async () => {
    const shout: Guardrail = {
      name: 'shout',
      output: ({ output }) => ({
        action: 'transform',
        output: { ...output, result: output.result && { text: output.result.text.toUpperCase() } },
      }),
    };
    expect(await chain([shout]).output(call, given)).toMatchObject({
      output: { result: { text: 'SAID' } },
      released: true,
      blocked_by: null,
    });
    const block: Guardrail = { name: 'block', output: () => ({ action: 'block' }) };
    expect(await chain([shout, block]).output(call, given)).toMatchObject({
      output: { result: { text: '[The result was withheld by guardrail block.]' } },
      released: false,
      blocked_by: 'block',
    });
  });

  it('a failure keeps its code when its words are withheld', async () => {
    const withhold: Guardrail = { name: 'w', output: () => ({ action: 'withhold' }) };
    const error = { code: 'ENOENT', message: 'no /home/me/x', data: { path: '/home/me/x' } };
    const released = await chain([withhold]).output(call, { result: null, error });
    expect(released.output).toEqual({
      result: null,
      error: { code: 'ENOENT', message: 'The reason was withheld by guardrail w.' },
    });
  });
});

describe('which guardrail looks at which tool', () => {
  const name = (qualified_name: string): GuardedCall => ({ ...call, qualified_name });
  const optionsSeen = async (
    tools: readonly (readonly [string, string])[],
    tool: string,
  ): Promise<unknown[]> => {
    const seen: unknown[] = [];
    const watch: Guardrail = {
      name: 'watch',
      output: ({ options }) => {
        seen.push(options['n']);
        return { action: 'pass' };
      },
    };
    const selections = tools.map(([pattern, n]) => ({
      guardrail: 'watch',
      tools: [pattern],
      options: { n },
    }));
    await createGuardrails({ guardrails: [watch], selections }).output(name(tool), given);
    return seen;
  };

  it.each([
    ['mail.send', ['exact']],
    ['mail.read', ['namespace']],
    ['mailer.send', ['all']],
    ['files.list', ['all']],
  ])('the most exact entry holds for %s', async (tool, seen) => {
    const entries = [
      ['*', 'all'],
      ['mail.*', 'namespace'],
      ['mail.send', 'exact'],
    ] as const;
    expect(await optionsSeen(entries, tool)).toEqual(seen);
  });

  it('looks at nothing that no entry names', async () => {
    expect(await optionsSeen([['mail.*', 'namespace']], 'files.list')).toEqual([]);
    expect(await optionsSeen([], 'mail.send')).toEqual([]);
  });
});

describe('a call that no tool answers', () => {
  const misspelt: GuardedCall = {
    call_id: 'c1',
    qualified_name: 'mail.sned',
    model_alias: 'mail__sned',
    classification: null,
  };
  const looks: string[] = [];
  const watch: Guardrail = {
    name: 'watch',
    input({ options, arguments: args }) {
      looks.push(`${JSON.stringify(options)} ${JSON.stringify(args)}`);
      if (options['withhold'] === true) return { action: 'withhold', findings: [{ kind: 'x', count: 1 }] };
      return { action: 'transform', arguments: {}, findings: [{ kind: 'x', count: 1 }] };
    },
  };
  const select = (...all: (readonly [string, JsonObject])[]) =>
    createGuardrails({
      guardrails: [watch],
      selections: all.map(([tool, options]) => ({
        guardrail: 'watch',
        tools: tool === '' ? [] : [tool],
        options,
      })),
    });

  it('S1-85: is looked at by every entry, each at what was proposed, and the strictest word holds', async () => {
    looks.length = 0;
    const set = select(['*', {}], ['files.move_file', { withhold: true }], ['a.b', {}]);
    const released = await set.input(misspelt, { to: 'a' }, false, open());
    expect(looks).toEqual(['{} {"to":"a"}', '{"withhold":true} {"to":"a"}']);
    expect(released).toMatchObject({ type: 'released', withheld: true, transformed: false });
    expect(released.facts).toMatchObject([
      { guardrail: 'watch', action: 'withheld', findings: [{ count: 1 }] },
    ]);
  });

  it('is not looked at by what is turned off, and a failing guardrail withholds', async () => {
    const off = await select(['', { withhold: true }]).input(misspelt, { to: 'a' }, false, open());
    expect(off).toMatchObject({ withheld: false, facts: [] });
    const breaks: Guardrail = { name: 'breaks', input: () => 1 as never };
    expect(await chain([breaks]).input(misspelt, {}, false, open())).toMatchObject({ withheld: true });
  });
});

describe('facts that are put together', () => {
  const fact = (action: 'passed' | 'transformed', count: number, replaced?: number) =>
    ({
      guardrail: 'g',
      stage: 'output',
      action,
      findings: [{ kind: 'x', count, ...(replaced === undefined ? {} : { replaced }) }],
      note: '',
    }) as const;

  it('say how many were replaced where that is known of all of them', () => {
    const findings = (...facts: ReturnType<typeof fact>[]) => mergeFacts(facts)[0]?.findings;
    expect(findings(fact('passed', 2), fact('transformed', 3, 1))).toEqual([
      { kind: 'x', count: 5, replaced: 1 },
    ]);
    expect(findings(fact('transformed', 3, 1), fact('transformed', 2, 2))).toEqual([
      { kind: 'x', count: 5, replaced: 3 },
    ]);
    expect(findings(fact('transformed', 3), fact('transformed', 2, 2))).toEqual([{ kind: 'x', count: 5 }]);
    expect(findings(fact('passed', 3), fact('passed', 2))).toEqual([{ kind: 'x', count: 5 }]);
  });
});
