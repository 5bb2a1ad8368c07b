import { describe, expect, it, vi } from 'vitest';
import { createGuardrails, secretRedaction, type Guardrail, type Guardrails } from '../guardrails';
import type { StandingGrant } from '../approvals';
import { fail, type CallRerun, type ProposedCall } from '../protocol';
import { callBench, callbackTool, proposal } from '../testing/call-bench';
import { samplePng } from '../testing/sample-images';
import { ToolImageResult, type Tool } from '../tools';
import { canonicalDigest } from '../validation';

const token = 'gh' + 'p_aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b';
const png = { mimeType: 'image/png', base64: samplePng().toString('base64') };

function guards(...all: Guardrail[]): Guardrails {
  const selections = all.map(({ name }) => ({ guardrail: name, tools: ['*'], options: {} }));
  return createGuardrails({ guardrails: all, selections });
}

const nothingShown = { arguments_digest: '', pin: '' };
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const external = (execute: () => unknown): Tool => callbackTool(execute, {});

describe('the records of a call', () => {
  it('S1-49: an allowed call makes two: its start before it runs, its finish after', async () => {
    const bench = callBench();
    const seen: unknown[] = [];
    const tool = callbackTool(() => (seen.push(bench.types()), { ok: true }));
    expect(await bench.call(tool, proposal(tool, { a: 1 }))).toEqual({ type: 'answered' });
    expect(seen).toEqual([[['tool_started']]]);
    expect(bench.types()).toEqual([['tool_started'], ['tool_finished']]);
    expect(bench.one('tool_started')).toMatchObject({
      call_id: 'c1',
      name: 'app__show',
      qualified_name: 'app.show',
      model_alias: 'app__show',
      arguments: { a: 1 },
      rule: { rule: 'classification_read' },
    });
    const finished = bench.one('tool_finished');
    expect(finished).toMatchObject({
      call_id: 'c1',
      outcome: 'completed',
      result: { structured: { ok: true } },
    });
    expect(finished).not.toHaveProperty('arguments');
  });

  it('a standing answer is recorded with its request and the start at once', async () => {
    const tool = external(() => 'done');
    const once = callBench({ standing: 'once' });
    await once.call(tool, proposal(tool));
    expect(once.types()).toEqual([
      ['approval_requested', 'approval_resolved', 'tool_started'],
      ['tool_finished'],
    ]);
    expect(once.one('tool_started').rule).toEqual({ rule: 'host_allows_once', scope: 'call', by: 'host' });
    const run = vi.fn();
    const refused = external(run);
    const deny = callBench({ standing: 'deny' });
    await deny.call(refused, proposal(refused));
    expect(deny.types()).toEqual([['approval_requested', 'approval_resolved', 'tool_finished']]);
    expect(run).not.toHaveBeenCalled();
  });

  it('S1-49: nothing runs whose start cannot be recorded', async () => {
    const run = vi.fn();
    const tool = callbackTool(run);
    const bench = callBench({ full_after: 0 });
    expect(await bench.call(tool, proposal(tool))).toMatchObject({ type: 'not_recorded' });
    expect(run).not.toHaveBeenCalled();
  });

  it('hazard 3: the tool gets a copy: what it does to its arguments changes no record', async () => {
    const bench = callBench();
    const tool = callbackTool((args) => {
      (args as { list: number[] }).list.push(9);
      return args;
    });
    const prepared = await bench.prepare(tool, proposal(tool, { list: [1] }));
    await bench.call(tool, prepared.proposed, { prepared });
    expect(prepared.released).toEqual({ list: [1] });
    expect(bench.one('tool_finished').result?.structured).toEqual({ list: [1, 9] });
  });

  it('S0-63: a name that is not selected, and arguments that do not fit, never run', async () => {
    const bench = callBench();
    const call: ProposedCall = { call_id: 'c1', name: 'nope', qualified_name: null, arguments: {} };
    await bench.call(null, call, { aliases: ['app__show'] });
    expect(bench.one('tool_finished')).toMatchObject({
      outcome: 'rejected',
      error: { code: 'tool_unknown' },
    });
  });
});

const rerun: CallRerun = {
  follows: 't_0',
  of: { turn_id: 't_0', call_id: 'c_0' },
  call: { call_id: 'c_1', name: 'x', qualified_name: 'x', arguments: {} },
  note: 'once more',
};

describe('asking', () => {
  const grant = (pin: string): StandingGrant => ({
    grant: {
      grant_id: 'g_1',
      scope: 'session',
      coworker_id: 'c',
      qualified_name: 'app.show',
      pin,
      approval_id: 'a_0',
    },
    made_at: '2026-01-01T00:00:00.000Z',
    ended: null,
  });

  it.each<[string, Tool, Parameters<typeof callBench>[0]]>([
    ['a grant', external(() => 'done'), {}],
    ['Bypass', external(() => 'done'), { mode: 'bypass' }],
    ['the class read', callbackTool(() => 'done'), {}],
  ])('asks a person afresh where that is wanted, whatever %s would allow', async (what, tool, options) => {
    const bench = callBench({ ...options, grants: what === 'a grant' ? [grant(tool.pin)] : [] });
    await bench.call(tool, proposal(tool));
    expect(bench.types()).toEqual([['tool_started'], ['tool_finished']]);
    const ended = bench.call(tool, proposal(tool), { rerun });
    await tick();
    const [waiting] = bench.desk.waiting();
    expect(waiting).toMatchObject({ call_id: 'c1' });
    bench.desk.releaseCovered();
    expect(bench.desk.waiting()).toHaveLength(1);
    bench.desk.answer(waiting?.approval_id ?? '', waiting ?? nothingShown, {
      type: 'allow',
      scope: 'once',
      by: 'person',
    });
    expect(await ended).toEqual({ type: 'answered' });
    expect(bench.types().slice(2)).toEqual([
      ['approval_requested'],
      ['approval_resolved', 'call_settled', 'tool_started'],
      ['tool_finished'],
    ]);
  });

  it('Read only refuses also what is to be run again', async () => {
    const tool = external(() => 'done');
    const bench = callBench({ mode: 'read_only' });
    await bench.call(tool, proposal(tool), { rerun });
    expect(bench.one('tool_finished')).toMatchObject({
      outcome: 'rejected',
      rule: { rule: 'mode_read_only' },
    });
  });

  it('a stop closes the request of before a restart too', async () => {
    const tool = external(() => 'done');
    const bench = callBench();
    const pending = { approval_id: 'a_9', arguments_digest: canonicalDigest({}), pin: tool.pin };
    const take = () => fail('denied', 'not asked');
    bench.desk.expect('a_9', pending, { take, expire: () => undefined, expires_in_ms: null });
    await bench.call(tool, proposal(tool), { pending }, AbortSignal.abort('stopped'));
    expect(bench.one('approval_resolved')).toMatchObject({ approval_id: 'a_9', outcome: 'cancelled' });
    expect(bench.one('tool_finished')).toMatchObject({ outcome: 'cancelled' });
  });
});

describe('guardrails around a call', () => {
  it('S1-43: the order is input guardrails, authorisation, start event, execution, output guardrails, finish', async () => {
    const order: string[] = [];
    const watch: Guardrail = {
      name: 'watch',
      input: () => (order.push('input'), { action: 'pass' }),
      output: () => (order.push('output'), { action: 'pass' }),
    };
    const bench = callBench({ guardrails: guards(watch) });
    const record = bench.deps.record;
    Object.assign(bench.deps, {
      record: (events: Parameters<typeof record>[0]) => (
        order.push(...events.map((e) => e.type)),
        record(events)
      ),
    });
    const tool = external(() => (order.push('run'), null));
    const ended = bench.call(tool, proposal(tool));
    await tick();
    const [waiting] = bench.desk.waiting();
    order.push('answer');
    bench.desk.answer(waiting?.approval_id ?? '', waiting ?? nothingShown, {
      type: 'allow',
      scope: 'once',
      by: 'person',
    });
    await ended;
    expect(order).toEqual([
      'input',
      'approval_requested',
      'answer',
      'approval_resolved',
      'tool_started',
      'run',
      'output',
      'tool_finished',
    ]);
  });

  it('S1-84 S1-85 S1-87: withheld arguments reach the tool and no record; the person answers for their digest', async () => {
    const guardrails = createGuardrails({
      guardrails: [secretRedaction],
      selections: [{ guardrail: 'secret_redaction', tools: ['app.*'], options: { arguments: 'withhold' } }],
    });
    const bench = callBench({ guardrails });
    const seen: unknown[] = [];
    const tool = callbackTool((args) => (seen.push(args), `stored ${token}`), {});
    const args = { key: token };
    const ended = bench.call(tool, proposal(tool, args));
    await tick();
    const digest = canonicalDigest(args);
    expect(bench.one('approval_requested')).toMatchObject({
      arguments: null,
      arguments_digest: digest,
      guardrails: [{ guardrail: 'secret_redaction', stage: 'input', action: 'withheld' }],
    });
    bench.desk.answer(bench.one('approval_requested').approval_id, bench.one('approval_requested'), {
      type: 'allow',
      scope: 'once',
      by: 'person',
    });
    await ended;
    expect(seen).toEqual([args]);
    expect(bench.one('tool_started')).toMatchObject({ arguments: null, withheld_digest: digest });
    expect(bench.one('tool_finished').guardrails).toMatchObject([{ stage: 'output', action: 'transformed' }]);
    expect(JSON.stringify([bench.records, bench.signals, bench.logged])).not.toContain(token);
  });

  it('S1-85 S1-86: what a tool repeats of withheld arguments stands in no record and no signal', async () => {
    const withhold: Guardrail = { name: 'w', input: () => ({ action: 'withhold' }) };
    const bench = callBench({ guardrails: guards(withhold) });
    const tool = callbackTool(({ body }, { progress }) => {
      void progress(`sending ${String(body)}`, { body: String(body) });
      return { sent: String(body), ok: true };
    });
    await bench.call(tool, proposal(tool, { body: 'PRIVATE-ARGUMENT' }));
    expect(JSON.stringify([bench.records, bench.signals, bench.logged])).not.toContain('PRIVATE-ARGUMENT');
    const marker = expect.stringMatching(/^\[withheld text sha256:[0-9a-f]{12}\]$/) as unknown;
    const { result, progress, guardrails } = bench.one('tool_finished');
    expect(result?.structured).toEqual({ sent: marker, ok: true });
    expect(progress).toMatchObject([{ data: { body: marker } }]);
    expect(guardrails).toMatchObject([
      {
        guardrail: 'w',
        stage: 'output',
        action: 'transformed',
        findings: [{ kind: 'withheld_text', count: 4 }],
      },
    ]);
    const fails = callbackTool(({ body }) => Promise.reject(new Error(`no ${String(body)}`)));
    const failing = callBench({ guardrails: guards(withhold) });
    await failing.call(fails, proposal(fails, { body: 'PRIVATE-ARGUMENT' }));
    expect(failing.one('tool_finished').error?.message).toMatch(/^no \[withheld text/);
  });

  it('S0-68 S1-43: Bypass removes the question, no guardrail', async () => {
    const run = vi.fn();
    const block: Guardrail = { name: 'block', input: () => ({ action: 'block', note: 'No.' }) };
    const bench = callBench({ mode: 'bypass', guardrails: guards(block) });
    const tool = external(run);
    expect(await bench.call(tool, proposal(tool))).toEqual({ type: 'answered' });
    expect(bench.one('tool_finished')).toMatchObject({
      outcome: 'rejected',
      error: { code: 'guardrail_blocked' },
      guardrails: [{ guardrail: 'block', stage: 'input', action: 'blocked', note: 'No.' }],
    });
    expect(run).not.toHaveBeenCalled();
  });

  it('S1-43: a blocked result fails a call that did run; a withheld one leaves its outcome', async () => {
    const tool = callbackTool(() => ({ a: 'inside' }));
    const block: Guardrail = { name: 'block', output: () => ({ action: 'block' }) };
    const blocked = callBench({ guardrails: guards(block) });
    await blocked.call(tool, proposal(tool));
    expect(blocked.one('tool_finished')).toMatchObject({
      outcome: 'failed',
      result: null,
      error: { code: 'guardrail_blocked' },
    });
    const withhold: Guardrail = { name: 'withhold', output: () => ({ action: 'withhold' }) };
    const withheld = callBench({ guardrails: guards(withhold) });
    await withheld.call(tool, proposal(tool));
    expect(withheld.one('tool_finished')).toMatchObject({
      outcome: 'completed',
      result: { text: '[The result was withheld by guardrail withhold.]' },
    });
    expect(JSON.stringify([blocked.records, withheld.records])).not.toContain('inside');
  });

  it('S0-71: secrets leave progress, as it passes and as it is kept, and are counted once', async () => {
    const bench = callBench({ guardrails: guards(secretRedaction) });
    const tool = callbackTool(async (_, { progress }) => {
      await progress(`using ${token}`, { token });
      return `used ${token}`;
    });
    await bench.call(tool, proposal(tool));
    expect(JSON.stringify([bench.signals, bench.records])).not.toContain(token);
    expect(bench.one('tool_finished').guardrails).toMatchObject([
      {
        guardrail: 'secret_redaction',
        stage: 'output',
        findings: [{ kind: 'github_token', digests: [expect.any(String)] }],
      },
    ]);
    expect(bench.signals).toHaveLength(1);
  });
});

describe('the image of a result', () => {
  it('S1-63 S1-72 S1-73: is kept in memory, and records hold a reference and never a pixel', async () => {
    const bench = callBench();
    const tool = callbackTool(() => new ToolImageResult({ scope: 'preview' }, png));
    await bench.call(tool, proposal(tool));
    expect(bench.one('tool_finished')).toMatchObject({
      outcome: 'completed',
      result: {
        text: '{"scope":"preview"}',
        structured: { scope: 'preview' },
        image: { image_id: 'image_1', media_type: 'image/png', width: 4, height: 3 },
      },
    });
    expect(bench.images.latest('s')?.source).toEqual({
      qualified_name: 'app.show',
      turn_id: 't',
      call_id: 'c1',
    });
    expect(JSON.stringify(bench.records)).not.toContain(png.base64.slice(8, 40));
  });

  it('S1-71: one that is refused is spoken of in words; the call has completed', async () => {
    const bench = callBench();
    const fake = { mimeType: 'image/png', base64: Buffer.from('no picture at all').toString('base64') };
    const tool = callbackTool(() => new ToolImageResult({ ok: 1 }, fake));
    await bench.call(tool, proposal(tool));
    const { outcome, result } = bench.one('tool_finished');
    expect(outcome).toBe('completed');
    expect(result?.text).toMatch(/^\{"ok":1\}\n\[The tool returned an image, which was refused\. /);
    expect(result).not.toHaveProperty('image');
    expect(bench.images.latest('s')).toBeNull();
  });

  it('S0-36: one whose result is withheld is never kept', async () => {
    const withhold: Guardrail = { name: 'withhold', output: () => ({ action: 'withhold' }) };
    const bench = callBench({ guardrails: guards(withhold) });
    const tool = callbackTool(() => new ToolImageResult({}, png));
    await bench.call(tool, proposal(tool));
    expect(bench.one('tool_finished').result).not.toHaveProperty('image');
    expect(bench.images.latest('s')).toBeNull();
  });
});
