import { describe, expect, it } from 'vitest';
import { callBench, callbackTool, proposal } from '../testing/call-bench';
import type { Tool } from '../tools';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A tool of a server that gives these hints. */
function remote(hints: Tool['descriptor']['annotations']): Tool {
  const tool = callbackTool(() => 'done', {});
  const descriptor = { ...tool.descriptor, ...(hints ? { annotations: hints } : {}) };
  return { ...tool, descriptor, origin: { kind: 'mcp', server: 'app' } };
}

async function decided(tool: Tool, classification: 'read' | 'external'): Promise<string> {
  const bench = callBench();
  Object.assign(bench.deps, { classified: () => ({ classification, by: 'person', at: null }) });
  void bench.call(tool, proposal(tool));
  await tick();
  const [asked] = bench.desk.waiting();
  return asked ? bench.one('approval_requested').reason : bench.one('tool_started').rule.rule;
}

describe('hints of a server', () => {
  it.each([
    [{ readOnlyHint: false }, 'server_hint'],
    [{ destructiveHint: true }, 'server_hint'],
    [{ readOnlyHint: true, destructiveHint: true }, 'server_hint'],
    [{ readOnlyHint: true }, 'classification_read'],
    [{ readOnlyHint: 'no' }, 'classification_read'],
    [{}, 'classification_read'],
    [undefined, 'classification_read'],
  ])('make the app ask about a tool that the person classified as reading: %j → %s', async (hints, said) => {
    expect(await decided(remote(hints), 'read')).toBe(said);
  });

  it('field report 37: never keep it from asking', async () => {
    for (const hints of [{ readOnlyHint: true }, { readOnlyHint: true, destructiveHint: false }]) {
      expect(await decided(remote(hints), 'external')).toBe('not_read_only');
    }
  });

  it('are not looked at where the tool is the app’s own', async () => {
    const tool = { ...remote({ readOnlyHint: false }), origin: { kind: 'native' } as const };
    expect(await decided(tool, 'read')).toBe('classification_read');
  });
});
