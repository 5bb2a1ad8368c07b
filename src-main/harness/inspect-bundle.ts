import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { checkBundle, readBundle } from './bundles';
import { createMcpServers, readServersFile } from './mcp';
import { ok, type Problem, type Result } from './protocol';
import { createRegistry, type RegistryBuilder } from './tools';

export interface BundleInspection {
  readonly name: string;
  readonly problems: readonly Problem[];
  /** Selected tools that belong to servers nobody asked, so that nothing is known of them. */
  readonly unchecked: readonly string[];
}

export interface InspectBundleOptions {
  readonly folder: string;
  /** servers.json whose catalogs the selection is checked against; its servers are started and stopped. Null: none. */
  readonly serversFile: string | null;
  readonly registerNative: (registry: RegistryBuilder) => Result<null>;
  readonly resolveSecret: (name: string) => string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly appVersion: string;
  readonly signal: AbortSignal;
}

type Catalogs = ReadonlyMap<string, ReadonlySet<string> | null>;

async function discover(
  options: InspectBundleOptions,
  namespaces: ReadonlySet<string>,
): Promise<{ catalogs: Catalogs | undefined; problems: readonly Problem[] }> {
  const { serversFile: file } = options;
  if (file === null) return { catalogs: undefined, problems: [] };
  const read = await readServersFile(file);
  // Without the file nothing is known of servers: no tool of theirs can be called missing.
  if (!read.ok) return { catalogs: undefined, problems: [{ ...read.error, file, severity: 'error' }] };
  const servers = createMcpServers({
    config: read.value.servers,
    resolveSecret: options.resolveSecret,
    env: options.env,
    platform: process.platform,
    clientInfo: { name: 'openworker', version: options.appVersion },
    now: () => performance.now(),
    log: () => undefined,
  });
  const catalogs = new Map<string, ReadonlySet<string> | null>();
  const problems: Problem[] = [...read.value.problems];
  const ask = async (source: ReturnType<typeof servers.sources>[number]): Promise<void> => {
    if (!namespaces.has(source.namespace)) {
      catalogs.set(source.namespace, null);
      return;
    }
    const found = await source.discover({ session_id: 'bundle-check', workspace: null }, options.signal);
    catalogs.set(source.namespace, found.ok ? new Set(found.value.tools.keys()) : null);
    if (!found.ok) problems.push({ ...found.error, file, severity: 'error' });
  };
  try {
    await Promise.all(servers.sources().map(ask));
  } finally {
    await servers.close();
  }
  return { catalogs, problems };
}

/** Reads a bundle and lists everything that is wrong with it, against the tools that are here. */
export async function inspectBundle(options: InspectBundleOptions): Promise<Result<BundleInspection>> {
  const registry = createRegistry();
  const registered = options.registerNative(registry);
  if (!registered.ok) return registered;
  const native = new Set(registry.freeze().native.keys());
  const reading = await readBundle(resolve(options.folder), 'folder');
  const name = reading.known.name ?? options.folder;
  const namespaces = new Set(reading.parts.tools.map((tool) => tool.namespace));
  const { catalogs, problems } = await discover(options, namespaces);
  const against = catalogs ? { registered: native, catalogs } : { registered: native };
  const namesOfServers = reading.parts.tools.filter(
    (tool) => ![...native].some((name) => name.startsWith(`${tool.namespace}.`)),
  );
  const unchecked = catalogs ? [] : namesOfServers.map((tool) => tool.qualified_name);
  return ok({
    name,
    unchecked,
    problems: [...reading.problems, ...problems, ...checkBundle(reading.parts, against)],
  });
}
