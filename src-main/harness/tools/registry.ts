import {
  checkNamespace,
  fail,
  failure,
  ok,
  parseQualifiedName,
  type Failure,
  type QualifiedName,
  type Result,
} from '../protocol';
import { presentNativeTool } from './native-tool';
import type { Catalog, CatalogSource, NativeTool, RegistrationOptions, Tool } from './tool';

/** What a host offers: native tools and named providers of catalogs. Frozen for the life of a runtime (S0-54). */
export interface Registry {
  readonly native: ReadonlyMap<string, Tool>;
  readonly sources: ReadonlyMap<string, CatalogSource>;
}

export interface RegistryBuilder {
  /** Refuses ill-formed, reserved, repeated and overlapping names (S0-46, S0-51..S0-53). */
  registerNative(tool: NativeTool, options?: RegistrationOptions): Result<null>;
  /** `source.namespace` may be taken by no native tool and by no other source (S0-46, S0-53). */
  registerSource(source: CatalogSource): Result<null>;
  /** Ends registration: later calls are refused (S0-54). */
  freeze(): Registry;
}

export function createRegistry(): RegistryBuilder {
  const native = new Map<string, Tool>();
  const nativeNamespaces = new Set<string>();
  const sources = new Map<string, CatalogSource>();
  let frozen = false;
  const refusal = (what: string): { ok: false; error: Failure } =>
    fail(
      'registry_frozen',
      `${what} cannot be registered: the registry is frozen while the app runs. Register it at start.`,
    );
  return {
    registerNative(tool, options = {}) {
      const name = tool.descriptor().qualified_name;
      if (frozen) return refusal(`Tool "${name}"`);
      const parsed = parseQualifiedName(name);
      if (!parsed.ok) return parsed;
      const { namespace } = parsed.value;
      if (native.has(name))
        return fail('name_duplicate', `Tool "${name}" is registered twice. Rename one of them.`);
      if (sources.has(namespace)) {
        return fail(
          'namespace_conflict',
          `Namespace "${namespace}" belongs to a server. Give tool "${name}" another one.`,
        );
      }
      for (const other of native.values()) {
        if (other.model_alias === parsed.value.model_alias) {
          return fail(
            'alias_collision',
            `Tools "${other.descriptor.qualified_name}" and "${name}" share the model alias "${other.model_alias}". Rename one of them.`,
          );
        }
      }
      native.set(name, presentNativeTool(tool, options));
      nativeNamespaces.add(namespace);
      return ok(null);
    },
    registerSource(source) {
      const { namespace } = source;
      if (frozen) return refusal(`Server "${namespace}"`);
      const problem = checkNamespace(namespace);
      if (problem) return { ok: false, error: problem };
      if (sources.has(namespace)) {
        return fail('name_duplicate', `Two servers are named "${namespace}". Rename one of them.`);
      }
      if (nativeNamespaces.has(namespace)) {
        return fail(
          'namespace_conflict',
          `Server "${namespace}" has the name of a namespace of built-in tools. Rename the server.`,
        );
      }
      sources.set(namespace, source);
      return ok(null);
    },
    freeze() {
      frozen = true;
      return { native, sources };
    },
  };
}

export interface Resolution {
  /** In the order of the selection. */
  readonly tools: readonly Tool[];
  /** One for each name that resolves to nothing; no substitute is searched (S0-46). */
  readonly problems: readonly Failure[];
}

function missingRemote(name: QualifiedName, catalog: Catalog): Failure {
  const unusable = catalog.unusable.get(name.local_name);
  if (unusable) return { ...unusable, data: { ...unusable.data, tool: name.qualified_name } };
  return failure(
    'tool_missing',
    `Server "${name.namespace}" offers no tool "${name.local_name}". Check the name in tools.json, or the version of the server.`,
    { tool: name.qualified_name },
  );
}

/**
 * Resolves a checked selection against the registry and freshly discovered catalogs (S0-43..S0-46, S0-55). Only the
 * servers that the selection names are asked, all at once.
 */
export async function resolveSelection(
  registry: Registry,
  names: readonly QualifiedName[],
  scope: { readonly session_id: string; readonly workspace: string | null },
  signal: AbortSignal,
): Promise<Resolution> {
  const namespaces = new Set(
    names.map((name) => name.namespace).filter((namespace) => registry.sources.has(namespace)),
  );
  const catalogs = new Map<string, Result<Catalog>>();
  await Promise.all(
    [...namespaces].map(async (namespace) => {
      const source = registry.sources.get(namespace);
      if (source) catalogs.set(namespace, await source.discover(scope, signal));
    }),
  );
  const tools: Tool[] = [];
  const problems: Failure[] = [];
  const reported = new Set<string>();
  for (const name of names) {
    const catalog = catalogs.get(name.namespace);
    if (catalog && !catalog.ok) {
      if (!reported.has(name.namespace)) problems.push(catalog.error);
      reported.add(name.namespace);
      continue;
    }
    const tool = catalog?.ok
      ? catalog.value.tools.get(name.local_name)
      : registry.native.get(name.qualified_name);
    if (tool) tools.push(tool);
    else if (catalog?.ok) problems.push(missingRemote(name, catalog.value));
    else
      problems.push(
        failure(
          'tool_missing',
          `No tool "${name.qualified_name}": the app has no built-in tool and no server of that name. Remove it from tools.json, or add server "${name.namespace}" to servers.json.`,
          { tool: name.qualified_name },
        ),
      );
  }
  return { tools, problems };
}
