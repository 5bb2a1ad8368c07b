import { afterEach, describe, expect, it } from 'vitest';
import { pendingApprovals, type SessionEvent } from '../protocol';
import { calls, fails, says, scriptedModel } from '../testing/scripted-model';
import { sessionBench, textOf, until, type BenchTool, type SessionBench } from '../testing/session-bench';
import type { CatalogSource, ToolContext } from '../tools';
import { presentNativeTool } from '../tools/native-tool';
import type { Session } from './session-port';

const benches: SessionBench[] = [];

function bench(options: Parameters<typeof sessionBench>[0]): SessionBench {
  const made = sessionBench(options);
  benches.push(made);
  return made;
}

afterEach(() => {
  for (const made of benches.splice(0)) made.close();
});

const strict = {
  type: 'object',
  properties: { what: { type: 'string' } },
  required: ['what'],
  additionalProperties: false,
};

/** A tool that notes what it was called with. */
function noting(name: string, extra: Partial<BenchTool> = {}): BenchTool & { readonly ran: string[] } {
  const ran: string[] = [];
  return {
    name,
    input_schema: strict,
    ran,
    call: (_context, args) => {
      ran.push(textOf(args, 'what'));
      return Promise.resolve({ text: 'done' });
    },
    ...extra,
  };
}

/** A server `acer` that offers two tools, one of them with a dot in its name. */
const acer: CatalogSource = {
  namespace: 'acer',
  origin: {},
  discover: () => {
    const offered = ['fan.speed', 'unlisted'].map((name) => {
      const descriptor = {
        qualified_name: `acer.${name}`,
        description: name,
        input_schema: { type: 'object' },
        version: '1',
      };
      const made = presentNativeTool(
        { descriptor: () => descriptor, call: () => Promise.resolve({ text: '900 rpm' }) },
        { classification: 'read' },
      );
      return [name, { ...made, origin: { kind: 'mcp', server: 'acer' }, placement: 'host_process' }] as const;
    });
    return Promise.resolve({
      ok: true,
      value: { namespace: 'acer', tools: new Map(offered), unusable: new Map() },
    });
  },
};

function submit(session: Session, text = 'Go'): Promise<unknown> {
  const submitted = session.submit({ text, files: [], mentions: [] });
  if (!submitted.ok) throw new Error(submitted.error.message);
  return submitted.value.done;
}

function only<T extends SessionEvent['type']>(
  events: readonly SessionEvent[],
  type: T,
): Extract<SessionEvent, { type: T }>[] {
  return events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
}

async function request(made: SessionBench, session: Session) {
  return until(() => pendingApprovals(made.view(session.session_id))[0]);
}

describe('what a model sees', () => {
  it('S0-18 S0-19 S1-01: the selected tools and no others, however many are registered or offered', async () => {
    const model = scriptedModel(says('ok'));
    const made = bench({
      model,
      tools: [noting('test.one'), noting('test.two')],
      sources: [acer],
      selected: ['acer.fan.speed', 'test.two'],
    });
    await submit(made.create());
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['acer__fan__speed', 'test__two']);
  });

  it('S0-27 S1-81: native tools and tools of servers are declared, called and named the same way', async () => {
    const made = bench({
      model: scriptedModel(
        calls(['c1', 'acer__fan__speed', {}], ['c2', 'test__one', { what: 'x' }]),
        says('ok'),
      ),
      tools: [noting('test.one', { classification: 'read' })],
      sources: [acer],
      selected: ['acer.fan.speed', 'test.one'],
    });
    const session = made.create();
    await submit(session);
    const events = made.events(session.session_id);
    for (const type of ['tool_started', 'tool_finished'] as const) {
      const names = only(events, type).map(({ data }) => [data.qualified_name, data.model_alias, data.name]);
      expect(names.sort()).toEqual([
        ['acer.fan.speed', 'acer__fan__speed', 'acer__fan__speed'],
        ['test.one', 'test__one', 'test__one'],
      ]);
    }
  });
});

describe('the boundary that every call passes', () => {
  it('S0-63: selection, arguments, approval and recording stand before the tool', async () => {
    const tool = noting('test.one');
    const hidden = noting('test.hidden');
    const made = bench({
      model: scriptedModel(
        calls(
          ['c1', 'test__hidden', { what: 'x' }],
          ['c2', 'test__one', { other: 1 }],
          ['c3', 'test__one', { what: 'y' }],
        ),
        says('ok'),
      ),
      tools: [tool, hidden],
      selected: ['test.one'],
    });
    const session = made.create();
    const done = submit(session);
    const pending = await request(made, session);
    expect([pending.row.call_id, ...tool.ran, ...hidden.ran]).toEqual(['c3']);
    session.answer(pending.approval_id, pending.request.data, {
      type: 'allow',
      scope: 'once',
      by: 'person',
    });
    await done;
    expect(made.states(session.session_id)).toEqual({ c1: 'rejected', c2: 'rejected', c3: 'completed' });
    expect([tool.ran, hidden.ran]).toEqual([['y'], []]);
    const events = made.events(session.session_id);
    expect(only(events, 'tool_started').map((event) => event.data.call_id)).toEqual(['c3']);
  });

  it('S0-67 S1-09: registering grants nothing: a tool without further words is external and asks', async () => {
    const tool = noting('test.one');
    const made = bench({ model: scriptedModel(calls(['c1', 'test__one', { what: 'x' }])), tools: [tool] });
    const session = made.create();
    const done = submit(session);
    expect((await request(made, session)).request.data.classification).toBe('external');
    expect(tool.ran).toEqual([]);
    await session.stop();
    await done;
    expect(tool.ran).toEqual([]);
  });

  it('S0-68: Bypass leaves out the question; arguments are checked and everything is recorded as ever', async () => {
    const tool = noting('test.one');
    const made = bench({
      model: scriptedModel(
        calls(
          ['c1', 'test__one', { other: 1 }],
          ['c2', 'test__one', { what: 'x' }],
          ['c3', 'test__none', {}],
        ),
        says('ok'),
      ),
      tools: [tool],
    });
    const session = made.create();
    session.setMode('bypass');
    await submit(session);
    const events = made.events(session.session_id);
    expect(only(events, 'approval_requested')).toEqual([]);
    expect(made.states(session.session_id)).toEqual({ c1: 'rejected', c2: 'completed', c3: 'rejected' });
    expect(only(events, 'tool_started').map(({ data }) => data.rule)).toMatchObject([
      { rule: 'mode_bypass', scope: 'session', by: 'person' },
    ]);
    expect(tool.ran).toEqual(['x']);
  });

  it('S0-70: one tool serves several sessions at once; a call that hangs in one holds no other', async () => {
    const hung = new Set<string>();
    const tool = noting('test.one', {
      classification: 'read',
      call: ({ session_id: id, signal }, args) => {
        if (textOf(args, 'what') !== 'hang') return Promise.resolve({ text: id });
        hung.add(id);
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      },
    });
    const made = bench({
      model: scriptedModel(
        calls(['c1', 'test__one', { what: 'hang' }]),
        calls(['c1', 'test__one', { what: 'go' }]),
        says('ok'),
      ),
      tools: [tool],
    });
    const [first, second] = [made.create(), made.create()];
    const hanging = submit(first);
    await until(() => hung.has(first.session_id));
    await submit(second);
    const [finished] = only(made.events(second.session_id), 'tool_finished');
    expect(finished?.data).toMatchObject({ outcome: 'completed', result: { text: second.session_id } });
    expect(made.states(first.session_id)).toEqual({ c1: 'running' });
    await first.stop();
    await hanging;
    expect(only(made.events(first.session_id), 'turn_finished')[0]?.data.outcome).toBe('stopped');
  });

  it('S0-30: a call receives the ids of the harness, the folder, a live signal and a way to report', async () => {
    let seen: ToolContext | null = null;
    const tool = noting('test.one', {
      classification: 'read',
      call: (context) => {
        seen = context;
        context.progress({ message: 'half', data: { n: 1 }, fraction: 0.5 });
        return Promise.resolve({ text: 'done' });
      },
    });
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__one', { what: 'x' }]), says('ok')),
      tools: [tool],
    });
    const session = made.create();
    await submit(session);
    const [finished] = only(made.events(session.session_id), 'tool_finished');
    expect(seen).toMatchObject({
      session_id: session.session_id,
      turn_id: finished?.turn_id,
      call_id: 'c1',
      qualified_name: 'test.one',
      model_alias: 'test__one',
      workspace: null,
      signal: expect.any(AbortSignal) as unknown,
    });
    expect(finished?.data.progress).toMatchObject([{ message: 'half', data: { n: 1 }, fraction: 0.5 }]);
  });
});

describe('correlating activity', () => {
  it('S1-47 S1-61 (in part): the journal keeps session, turn and the call id that the provider gave', async () => {
    const made = bench({
      model: scriptedModel(calls(['call-7', 'test__one', { what: 'x' }]), says('ok')),
      tools: [noting('test.one', { classification: 'read' })],
    });
    const session = made.create();
    await submit(session);
    made.reopen(session.session_id);
    const events = made.events(session.session_id);
    const [turn] = only(events, 'turn_started');
    const [started] = only(events, 'tool_started');
    const [finished] = only(events, 'tool_finished');
    expect(started).toMatchObject({
      session_id: session.session_id,
      turn_id: turn?.turn_id,
      type: 'tool_started',
      data: { call_id: 'call-7', name: 'test__one', arguments: { what: 'x' } },
    });
    expect(finished).toMatchObject({ turn_id: turn?.turn_id, data: { call_id: 'call-7' } });
  });

  it('S1-52: no call waits for anybody to read its start', async () => {
    const tool = noting('test.one', { classification: 'read' });
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__one', { what: 'x' }]), says('ok')),
      tools: [tool],
    });
    const session = made.create();
    await submit(session);
    expect(tool.ran).toEqual(['x']);
    const seen: string[] = [];
    session.subscribe(0, ({ events }) => seen.push(...events.map((event) => event.type)))();
    expect(seen).toEqual(made.events(session.session_id).map((event) => event.type));
  });

  it('S1-56 S1-57: a later turn that fails leaves what was done before as done, and the rows tell the two apart', async () => {
    const made = bench({
      model: scriptedModel(
        calls(['c1', 'test__one', { what: 'x' }]),
        says('Done.'),
        calls(['c2', 'test__one', { what: 'y' }]),
        fails('model_unauthorized', false),
      ),
      tools: [noting('test.one', { classification: 'read' })],
    });
    const session = made.create();
    await submit(session);
    await submit(session, 'Again');
    expect(made.states(session.session_id)).toEqual({ c1: 'completed', c2: 'completed' });
    const ends = only(made.events(session.session_id), 'turn_finished');
    expect(ends.map((event) => event.data.outcome)).toEqual(['completed', 'failed']);
    const finished = only(made.events(session.session_id), 'tool_finished');
    expect(finished.map(({ turn_id, data }) => [turn_id, data.call_id])).toEqual([
      [ends[0]?.turn_id, 'c1'],
      [ends[1]?.turn_id, 'c2'],
    ]);
  });
});
