import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBundle, type ToolsVersion } from '../bundles';
import { identityChanges, type ExecutionIdentity, type IdentityPart, type JsonObject } from '../protocol';
import { createRegistry, type NativeTool, type RegistrationOptions, type ToolDescriptor } from '../tools';
import { canonicalDigest } from '../validation';
import { executionIdentity, selectedTool, type IdentityFacts, type SelectedTool } from './execution-identity';

const acer = { kind: 'mcp', transport: 'stdio', program: 'bin/acer', args: [], env: {}, cwd: '/opt/acer' };
const company = {
  kind: 'mcp',
  transport: 'streamable_http',
  url: 'https://tools.example/mcp',
  headers: { Authorization: '${secret:COMPANY}' },
};
const listing: ToolDescriptor = {
  qualified_name: 'files.list',
  title: 'List files',
  description: 'Lists a folder.',
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
  version: '1.2.0',
};

function own(descriptor: Partial<ToolDescriptor> = {}): SelectedTool {
  return {
    kind: 'native',
    descriptor: { ...listing, ...descriptor },
    classification: 'read',
    presentation: 'plain',
  };
}
const remote = (qualified_name: string, origin: JsonObject = acer): SelectedTool => ({
  kind: 'mcp',
  qualified_name,
  origin,
});

const policies = { policy_version: 1, guardrails: { redaction: true, hidden_characters: 'warn' } };
const code_digest = 'c0de'.repeat(16);

function facts(tools_version: ToolsVersion, tools: readonly SelectedTool[]): IdentityFacts {
  return { bundle: { digest: 'b0'.repeat(32), tools_version }, policies, tools, code_digest };
}
const three = facts(3, [own(), remote('acer.fan.speed'), remote('company.search', company)]);

describe('executionIdentity', () => {
  it('S0-57: is a SHA-256 of each part and one over all parts', () => {
    const identity = executionIdentity(three);
    for (const digest of [identity.digest, ...Object.values(identity.parts)]) {
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(identity.digest).toBe(canonicalDigest({ ...identity.parts }));
    expect(executionIdentity(structuredClone(three))).toEqual(identity);
  });

  it.each<[string, IdentityFacts, readonly IdentityPart[]]>([
    ['the bundle', { ...three, bundle: { ...three.bundle, digest: 'b1'.repeat(32) } }, ['bundle']],
    ['the policy', { ...three, policies: { ...policies, policy_version: 2 } }, ['policies']],
    ['a guardrail', { ...three, policies: { ...policies, guardrails: { redaction: false } } }, ['policies']],
    ['the code of the app (S0-58)', { ...three, code_digest: 'c0df'.repeat(16) }, ['app']],
    ['the order of the selection', { ...three, tools: [...three.tools].reverse() }, ['registry']],
    [
      'the version of a native tool (S0-59)',
      { ...three, tools: [own({ version: '1.2.1' }), ...three.tools.slice(1)] },
      ['native'],
    ],
    [
      'the schema of a native tool',
      { ...three, tools: [own({ input_schema: {} }), ...three.tools.slice(1)] },
      ['native'],
    ],
    [
      'what a native tool says',
      { ...three, tools: [own({ description: 'x' }), ...three.tools.slice(1)] },
      ['native'],
    ],
    [
      'how the host classifies a tool',
      { ...three, tools: [{ ...own(), classification: 'write' } as SelectedTool, ...three.tools.slice(1)] },
      ['native'],
    ],
    [
      'how a tool is presented',
      { ...three, tools: [{ ...own(), presentation: 'command' } as SelectedTool, ...three.tools.slice(1)] },
      ['native'],
    ],
    [
      'the program of a server',
      {
        ...three,
        tools: [own(), remote('acer.fan.speed', { ...acer, program: 'bin/other' }), ...three.tools.slice(2)],
      },
      ['registry'],
    ],
    ['a selected tool of a server', { ...three, tools: three.tools.slice(0, 2) }, ['registry']],
    ['a selected native tool', { ...three, tools: three.tools.slice(1) }, ['registry', 'native']],
    ['the version of tools.json', facts(2, three.tools.slice(1)), ['bundle', 'registry', 'native']],
  ])('S0-57 S0-58: a change of %s shows in its part', (_, changed, parts) => {
    const [before, after] = [executionIdentity(three), executionIdentity(changed)];
    expect(identityChanges(before, after)).toEqual(parts);
    expect(after.digest).not.toBe(before.digest);
    expect(identityChanges(before, before)).toEqual([]);
  });

  it('S0-60 C8: versions 1 and 2 have no native part and differ from one another', () => {
    const tools = [remote('acer.fan.speed')];
    const [one, two] = [executionIdentity(facts(1, tools)), executionIdentity(facts(2, tools))];
    expect([one.parts.native, two.parts.native]).toEqual([null, null]);
    expect(identityChanges(one, two)).toEqual(['bundle', 'registry']);
    const { native, ...others } = one.parts;
    expect([native, one.digest]).toEqual([null, canonicalDigest(others)]);
    expect(executionIdentity(facts(1, [])).parts.registry).toMatch(/^[0-9a-f]{64}$/);
  });

  it('S0-60: is not to be had for tools that versions 1 and 2 cannot select', () => {
    expect(() => executionIdentity(facts(1, [own()]))).toThrow(/files\.list is no tool of a server/);
    expect(() => executionIdentity(facts(2, [own()]))).toThrow(/files\.list/);
    expect(() => executionIdentity(facts(1, [remote('acer.a'), remote('company.b', company)]))).toThrow(
      /one server/,
    );
  });

  it('S0-57: is computed over tools as the registry has them', () => {
    const made = (options: RegistrationOptions): SelectedTool => {
      const registry = createRegistry();
      const tool: NativeTool = { descriptor: () => listing, call: () => Promise.resolve({ text: '' }) };
      expect(registry.registerNative(tool, options).ok).toBe(true);
      const found = registry.freeze().native.get('files.list');
      if (!found) throw new Error('not registered');
      return selectedTool(found, () => ({}));
    };
    expect(made({ classification: 'read' })).toEqual(own());
    expect(made({})).toMatchObject({ classification: 'external' });
    const registry = createRegistry();
    registry.registerNative({ descriptor: () => listing, call: () => Promise.resolve({ text: '' }) });
    const found = registry.freeze().native.get('files.list');
    if (!found) throw new Error('not registered');
    const asRemote = { ...found, origin: { kind: 'mcp' as const, server: 'files' } };
    expect(selectedTool(asRemote, (server) => ({ kind: 'mcp', of: server }))).toEqual({
      kind: 'mcp',
      qualified_name: 'files.list',
      origin: { kind: 'mcp', of: 'files' },
    });
  });
});

/**
 * Frozen: a change of any of these turns every session of every person into one that cannot go on. Only a change that
 * means to do that may touch them.
 */
const golden: Readonly<
  Record<ToolsVersion, { text: string; tools: readonly SelectedTool[]; digests: ExecutionIdentity }>
> = {
  1: {
    text: '{"version":1,"server":"acer","tools":["fan.speed","battery_get"]}\n',
    tools: [remote('acer.fan.speed'), remote('acer.battery_get')],
    digests: {
      digest: '62c1eb1c0e4526ed0ea65acd2f3afed08e1d133f7a483e264b1c5d0d3cac1656',
      parts: {
        bundle: '81e29f15bbc5cc7d0c098ef56f447a5da2406f6a1df61ed680ed7f48db2294bb',
        policies: '95ab4ecfd1f427a637a716e5168d19fef8b86b580ca98fcfcb69c9246de647ef',
        registry: 'cfb18290c2541aa8dde0b6855da31e8edc1a8a3b1a8a21e1e3124a646b172315',
        native: null,
        app: 'c1bb877dd43cb4611cc7adfc5cc7dcf86fcc2e5468672754ed8d0cbf2a265ba9',
      },
    },
  },
  2: {
    text: '{"version":2,"servers":[{"name":"acer","tools":["fan.speed"]},{"name":"company","tools":["search"]}]}\n',
    tools: [remote('acer.fan.speed'), remote('company.search', company)],
    digests: {
      digest: '3914eaa284155c9ea0376e8c532714699f372dfc940d04424778e3c9d7cc13fa',
      parts: {
        bundle: '548ab634f99a115403e96becad4ccf9b0217c2589b3deb8e99e3abaec6024b34',
        policies: '95ab4ecfd1f427a637a716e5168d19fef8b86b580ca98fcfcb69c9246de647ef',
        registry: 'cb3226966f92a78c4af66ff04d179104dc5f7ba68114461a6c87f732891e6dca',
        native: null,
        app: 'c1bb877dd43cb4611cc7adfc5cc7dcf86fcc2e5468672754ed8d0cbf2a265ba9',
      },
    },
  },
  3: {
    text: '{"version":3,"tools":["files.list","acer.fan.speed","company.search"]}\n',
    tools: three.tools,
    digests: {
      digest: '6de04eee10cb0ca2c48bd3bd4cfa95c7807fdd5fb5441d9b3eaa0775219d993d',
      parts: {
        bundle: '0a6eb60569ccb6a780e4b88c6e271ffde49c23e7e4d9cb7276e98b731cb6e121',
        policies: '95ab4ecfd1f427a637a716e5168d19fef8b86b580ca98fcfcb69c9246de647ef',
        registry: '9323614ece9e51a761b36eb5ce5a481542c19f6aed7b4d93580c7cc61d35b42c',
        native: '850003b1ecf4bd14ec3a4e28f5b26fa5276da579b150715c7d2e5a8ddd81b28b',
        app: 'c1bb877dd43cb4611cc7adfc5cc7dcf86fcc2e5468672754ed8d0cbf2a265ba9',
      },
    },
  },
};

describe('the identity of a bundle on disk', () => {
  let base: string;
  beforeAll(() => {
    base = mkdtempSync(path.join(tmpdir(), 'ow-identity-'));
    for (const [version, { text }] of Object.entries(golden)) {
      mkdirSync(path.join(base, version, 'coworker'), { recursive: true });
      const manifest = '---\nid: golden\nname: Golden\ndescription: d\nversion: 1.0.0\n---\nWork.\n';
      writeFileSync(path.join(base, version, 'coworker/manifest.md'), manifest);
      writeFileSync(path.join(base, version, 'coworker/tools.json'), text);
    }
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  it.each([1, 2, 3] as const)('S0-60 C8: of version %i is frozen', async (version) => {
    const { bundle, problems } = await readBundle(path.join(base, String(version)), 'folder');
    expect(problems).toEqual([]);
    if (bundle === null) throw new Error('no bundle');
    const { tools, digests } = golden[version];
    const names = tools.map((tool) =>
      tool.kind === 'mcp' ? tool.qualified_name : tool.descriptor.qualified_name,
    );
    expect(bundle.tools.map((tool) => tool.qualified_name)).toEqual(names);
    expect(executionIdentity({ bundle, policies, tools, code_digest })).toEqual(digests);
  });
});
