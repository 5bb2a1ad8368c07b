import { describe, expect, it } from 'vitest';
import { fail, failure, ok, parseQualifiedName, type QualifiedName } from '../protocol';
import type { CallbackDefinition } from './callback-tool';
import { presentNativeTool } from './native-tool';
import { createRegistry, resolveSelection } from './registry';
import type { Catalog, CatalogSource, NativeTool, Tool } from './tool';

const native = (name: string, version = '1'): NativeTool => ({
  descriptor: () => ({ qualified_name: name, description: name, input_schema: { type: 'object' }, version }),
  call: () => Promise.resolve({ text: 'ok' }),
});

function source(
  namespace: string,
  names: readonly string[],
  unusable: Catalog['unusable'] = new Map(),
): CatalogSource & { asked: number } {
  const made = {
    namespace,
    origin: {},
    asked: 0,
    discover: () => {
      made.asked += 1;
      const tools = new Map(
        names.map((name) => [name, presentNativeTool(native(`${namespace}.${name}`), {})]),
      );
      return Promise.resolve(ok({ namespace, tools, unusable }));
    },
  };
  return made;
}

function names(...texts: string[]): QualifiedName[] {
  return texts.map((text) => {
    const parsed = parseQualifiedName(text);
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.value;
  });
}

const scope = { session_id: 's', workspace: null };
const never = new AbortController().signal;

describe('the registry', () => {
  it('S0-53: servers come and go, and none of them gets into the namespace of somebody else', () => {
    const registry = createRegistry();
    registry.registerNative(native('files.list'));
    const servers = new Map([['files', source('files', ['list'])]]);
    const frozen = registry.freeze(servers);
    expect(frozen.sources.get('files')).toBeUndefined();
    expect(frozen.nameProblem('files')).toMatchObject({ code: 'namespace_conflict' });
    expect(frozen.nameProblem('acer')).toBeNull();
    expect(frozen.sources.get('acer')).toBeUndefined();
    servers.set('acer', source('acer', []));
    expect(frozen.sources.get('acer')).toBe(servers.get('acer'));
    servers.delete('acer');
    expect(frozen.sources.get('acer')).toBeUndefined();
  });

  it('S0-46 S0-51 S0-53: refuses duplicates, reserved names and namespaces that overlap, each with a remedy', () => {
    const registry = createRegistry();
    expect(registry.registerNative(native('files.list')).ok).toBe(true);
    expect(registry.registerNative(native('files.list'))).toMatchObject({
      error: { code: 'name_duplicate' },
    });
    expect(registry.registerNative(native('openworker.list'))).toMatchObject({
      error: { code: 'name_reserved' },
    });
    expect(registry.registerNative(native('files__list.x')).ok).toBe(true);
    expect(registry.registerNative(native('files.list__x'))).toMatchObject({
      error: { code: 'alias_collision' },
    });
    expect(registry.registerSource(source('files', []))).toMatchObject({
      error: { code: 'namespace_conflict' },
    });
    expect(registry.registerSource(source('acer', [])).ok).toBe(true);
    expect(registry.registerSource(source('acer', []))).toMatchObject({ error: { code: 'name_duplicate' } });
    expect(registry.registerSource(source('openworker', []))).toMatchObject({
      error: { code: 'name_reserved' },
    });
    expect(registry.registerNative(native('acer.battery'))).toMatchObject({
      error: { code: 'namespace_conflict' },
    });
  });

  it('S0-54: is frozen for the life of a runtime', () => {
    const registry = createRegistry();
    registry.freeze();
    expect(registry.registerNative(native('files.list'))).toMatchObject({
      error: { code: 'registry_frozen' },
    });
    expect(registry.registerSource(source('acer', []))).toMatchObject({ error: { code: 'registry_frozen' } });
  });

  it('S0-67 S1-08: an unvetted tool is external; where it runs says nothing of what it may do', () => {
    const tool = presentNativeTool(native('files.list'), {});
    expect([tool.classification, tool.placement, tool.presentation]).toEqual(['external', 'in_app', 'plain']);
    expect(presentNativeTool(native('files.list'), { classification: 'read' }).placement).toBe('in_app');
  });

  it('C7 S0-59: the pin changes with the definition and with the version, and with nothing else', () => {
    const pin = (tool: NativeTool): string => presentNativeTool(tool, {}).pin;
    expect(pin(native('files.list'))).toBe(pin(native('files.list')));
    expect(pin(native('files.list', '2'))).not.toBe(pin(native('files.list')));
    expect(presentNativeTool(native('files.list'), { classification: 'read' }).pin).toBe(
      pin(native('files.list')),
    );
    expect(pin(native('files.list'))).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('resolving a selection', () => {
  it('S0-43 S0-44 S0-45: gives exactly the listed tools, in their order, and asks only the servers that are named', async () => {
    const registry = createRegistry();
    registry.registerNative(native('files.list'));
    registry.registerNative(native('files.move_file'));
    const acer = source('acer', ['battery', 'fan.speed', 'unlisted']);
    const other = source('other', ['x']);
    registry.registerSource(acer);
    registry.registerSource(other);
    const resolved = await resolveSelection(
      registry.freeze(),
      names('acer.fan.speed', 'files.list', 'acer.battery'),
      scope,
      never,
    );
    expect(resolved.problems).toEqual([]);
    expect(resolved.tools.map((tool) => tool.descriptor.qualified_name)).toEqual([
      'acer.fan.speed',
      'files.list',
      'acer.battery',
    ]);
    expect([acer.asked, other.asked]).toEqual([1, 0]);
  });

  it('S0-46 S0-50: a missing tool fails, and nothing is searched in its place', async () => {
    const registry = createRegistry();
    registry.registerNative(native('files.list'));
    registry.registerSource(
      source('acer', ['battery'], new Map([['broken', failure('schema_unusable', 'Its schema is broken.')]])),
    );
    const resolved = await resolveSelection(
      registry.freeze(),
      names('files.List', 'acer.Battery', 'acer.broken', 'nowhere.list'),
      scope,
      never,
    );
    expect(resolved.tools).toEqual([]);
    expect(resolved.problems.map((problem) => problem.code)).toEqual([
      'tool_missing',
      'tool_missing',
      'schema_unusable',
      'tool_missing',
    ]);
    expect(resolved.problems.map((problem) => problem.data?.['tool'])).toEqual([
      'files.List',
      'acer.Battery',
      'acer.broken',
      'nowhere.list',
    ]);
  });

  it('names a server that cannot be had once, whatever number of its tools is selected', async () => {
    const registry = createRegistry();
    const down: CatalogSource = {
      namespace: 'acer',
      origin: {},
      discover: () => Promise.resolve(fail('server_unavailable', 'acer does not start.')),
    };
    registry.registerSource(down);
    const resolved = await resolveSelection(registry.freeze(), names('acer.a', 'acer.b'), scope, never);
    expect(resolved.problems.map((problem) => problem.code)).toEqual(['server_unavailable']);
  });
});

describe('callbacks in the registry', () => {
  const callback = (namespace: string, name = 'show'): CallbackDefinition => ({
    namespace,
    name,
    description: 'Shows.',
    inputSchema: { type: 'object' },
    execute: () => null,
  });

  it('S1-12 S0-46 S0-51 S0-53 S0-54: follow all rules of names, and are selected like any tool', async () => {
    const registry = createRegistry();
    expect(registry.registerCallback(callback('app')).ok).toBe(true);
    expect(registry.registerCallback(callback('app', 'hide')).ok).toBe(true);
    expect(registry.registerCallback(callback('app'))).toMatchObject({ error: { code: 'name_duplicate' } });
    expect(registry.registerCallback(callback('openworker'))).toMatchObject({
      error: { code: 'name_reserved' },
    });
    expect(registry.registerCallback(callback('a.b'))).toMatchObject({ error: { code: 'name_invalid' } });
    expect(registry.registerCallback(callback('app', 'show it'))).toMatchObject({
      error: { code: 'name_invalid' },
    });
    expect(registry.registerCallback(callback('app', 'x'.repeat(80)))).toMatchObject({
      error: { code: 'name_too_long' },
    });
    expect(registry.registerNative(native('app.other'))).toMatchObject({
      error: { code: 'namespace_conflict' },
    });
    expect(registry.registerSource(source('app', []))).toMatchObject({
      error: { code: 'namespace_conflict' },
    });
    registry.registerNative(native('files.list'));
    registry.registerSource(source('acer', ['x']));
    expect(registry.registerCallback(callback('files'))).toMatchObject({
      error: { code: 'namespace_conflict' },
    });
    expect(registry.registerCallback(callback('acer'))).toMatchObject({
      error: { code: 'namespace_conflict' },
    });
    expect(registry.registerNative(native('app__show.x')).ok).toBe(true);
    expect(registry.registerCallback(callback('app', 'show.x'))).toMatchObject({
      error: { code: 'alias_collision' },
    });
    const frozen = registry.freeze();
    expect(registry.registerCallback(callback('late'))).toMatchObject({ error: { code: 'registry_frozen' } });
    const resolved = await resolveSelection(
      frozen,
      names('app.hide', 'files.list', 'app.gone'),
      scope,
      never,
    );
    expect(resolved.tools.map((tool) => tool.origin.kind)).toEqual(['callback', 'native']);
    expect(resolved.problems.map((problem) => problem.code)).toEqual(['tool_missing']);
  });

  it('S0-67 S1-08 S1-09: what a definition says of itself decides nothing; the host does, at registration', () => {
    const registry = createRegistry();
    const boastful = {
      ...callback('app'),
      classification: 'read',
      presentation: 'command',
      placement: 'sandboxed',
    };
    registry.registerCallback(boastful);
    const descriptor = {
      ...native('files.list').descriptor(),
      classification: 'read',
      presentation: 'write',
    };
    registry.registerNative({ ...native('files.list'), descriptor: () => descriptor });
    registry.registerCallback(callback('app', 'vetted'), {
      classification: 'write',
      presentation: 'message',
    });
    const { native: natives, callbacks } = registry.freeze();
    const said = (tool: Tool | undefined): unknown[] => [
      tool?.classification,
      tool?.presentation,
      tool?.placement,
    ];
    expect(said(callbacks.get('app.show'))).toEqual(['external', 'plain', 'application']);
    expect(said(natives.get('files.list'))).toEqual(['external', 'plain', 'in_app']);
    expect(said(callbacks.get('app.vetted'))).toEqual(['write', 'message', 'application']);
  });
});
