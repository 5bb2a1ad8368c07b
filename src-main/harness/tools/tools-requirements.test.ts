import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../protocol';
import { presentNativeTool } from './native-tool';
import { createRegistry } from './registry';
import { ToolError, type NativeTool, type RegistrationOptions, type ToolContext } from './tool';

const context: ToolContext = {
  session_id: 's',
  turn_id: 't',
  call_id: 'c',
  qualified_name: 'partner.look_up',
  model_alias: 'partner__look_up',
  workspace: null,
  signal: new AbortController().signal,
  progress: () => undefined,
};

/** All that a partner has to write. */
function partnerTool(call: NativeTool['call']): NativeTool {
  return {
    descriptor: () => ({
      qualified_name: 'partner.look_up',
      description: 'Looks something up.',
      input_schema: { type: 'object' },
      version: '1.0.0',
    }),
    call,
  };
}

const end = (call: NativeTool['call'], args: JsonObject = {}) =>
  presentNativeTool(partnerTool(call), {}).run(context, args);

describe('the contract of native tools', () => {
  it('S0-01: a descriptor and a call are a whole tool', async () => {
    const registry = createRegistry();
    expect(registry.registerNative(partnerTool(() => Promise.resolve({ text: 'found' }))).ok).toBe(true);
    const tool = registry.freeze().native.get('partner.look_up');
    expect(await tool?.run(context, {})).toEqual({ type: 'output', output: { text: 'found' } });
  });

  it('S0-02: has no loop, approvals, coworkers, loader or window in it: it needs only words, schemas and image checks', () => {
    const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith('.test.ts'));
    const sources = files
      .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8'))
      .join('\n');
    const imported = new Set([...sources.matchAll(/\bfrom '([^']+)'/g)].map(([, from]) => from));
    const outside = [...imported].filter((from) => !from?.startsWith('./'));
    expect(outside).toContain('../protocol');
    expect(outside.filter((from) => !/^\.\.\/(protocol|validation|images)(\/|$)/.test(from ?? ''))).toEqual(
      [],
    );
    expect(sources).not.toMatch(/\bimport\(|\brequire\(|\bdlopen\b/);
  });

  it('S0-29 S0-32: a call answers later, with an output or an error of code and message', async () => {
    const error = new ToolError('no_such_page', 'There is no page 7.', { page: 7 });
    const failed = {
      type: 'error',
      error: { code: 'no_such_page', message: 'There is no page 7.', data: { page: 7 } },
    };
    expect(await end((_context, args) => Promise.resolve({ structured: args }), { page: 1 })).toEqual({
      type: 'output',
      output: { structured: { page: 1 } },
    });
    expect(await end(() => Promise.resolve(error))).toEqual(failed);
    expect(await end(() => Promise.reject(error))).toEqual(failed);
  });
});

describe('where native tools run', () => {
  it('S0-61: in the process of the host', async () => {
    const tool = presentNativeTool(
      partnerTool(() => Promise.resolve({ structured: process.pid })),
      {},
    );
    expect(tool.placement).toBe('in_app');
    expect(await tool.run(context, {})).toEqual({ type: 'output', output: { structured: process.pid } });
  });

  it('S0-62: no registration puts one into a sandbox', () => {
    const options = { placement: 'sandboxed' } as RegistrationOptions;
    expect(
      presentNativeTool(
        partnerTool(() => Promise.resolve({})),
        options,
      ).placement,
    ).toBe('in_app');
  });

  it.each(['read', 'write', 'exec', 'external'] as const)(
    'S0-69: the classification %s does not move one into a sandbox',
    (classification) => {
      const tool = presentNativeTool(
        partnerTool(() => Promise.resolve({})),
        { classification },
      );
      expect([tool.classification, tool.placement]).toEqual([classification, 'in_app']);
    },
  );

  it('S0-64 S0-65 S1-40: nothing confines one; what it may reach of the process and the disk is its own duty', async () => {
    const reached = await end(() =>
      Promise.resolve({
        structured: {
          environment: Object.keys(process.env).length > 0,
          outside: readFileSync(import.meta.filename, 'utf8').includes('nothing confines one'),
        },
      }),
    );
    expect(reached).toEqual({
      type: 'output',
      output: { structured: { environment: true, outside: true } },
    });
  });
});
