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
import { presentCallbackTool, type CallbackDefinition } from './callback-tool';
import { presentNativeTool } from './native-tool';
import type { Catalog, CatalogSource, NativeTool, RegistrationOptions, Tool } from './tool';

/**
 * What a host offers: its native tools, the callbacks of the application, and named providers of catalogs. Frozen for
 * the life of a runtime (S0-54).
 */
export interface Registry {
  readonly native: ReadonlyMap<string, Tool>;
  readonly callbacks: ReadonlyMap<string, Tool>;
  readonly sources: SourceDirectory;
  /** Why no server may have this name, or null. */
  nameProblem(namespace: string): Failure | null;
}

/** The servers of this moment: what a person adds or removes counts from the next look on. */
export interface SourceDirectory {
  get(namespace: string): CatalogSource | undefined;
}

export interface RegistryBuilder {
  /** Refuses ill-formed, reserved, repeated and overlapping names (S0-46, S0-51..S0-53). */
  registerNative(tool: NativeTool, options?: RegistrationOptions): Result<null>;
  /** The same for a callback; its namespace may hold neither native tools nor a server's (S0-53). */
  registerCallback(definition: CallbackDefinition, options?: RegistrationOptions): Result<null>;
  /** `source.namespace` may be taken by no tool of the app or application and by no other source (S0-46, S0-53). */
  registerSource(source: CatalogSource): Result<null>;
  /**
   * Ends registration: later calls are refused (S0-54).
   * @param servers configured servers; one with the name of somebody else's namespace is not found in the registry
   */
  freeze(servers?: SourceDirectory): Registry;
}

type Owner = 'native' | 'callback' | 'server';

const ownerWords: Record<Owner, string> = {
  native: 'holds tools of the app',
  callback: 'holds tools of the application',
  server: 'belongs to a server',
};

/** Who owns each namespace; nobody else registers in it. */
type Owners = Map<string, Owner>;

/** What is wrong with a tool of this name beside the others, or the parsed name. */
function checkName(
  name: string,
  kind: 'native' | 'callback',
  owners: Owners,
  known: readonly ReadonlyMap<string, Tool>[],
): Result<QualifiedName> {
  const parsed = parseQualifiedName(name);
  if (!parsed.ok) return parsed;
  const { namespace, model_alias } = parsed.value;
  const owner = owners.get(namespace);
  if (owner !== undefined && owner !== kind) {
    return fail(
      'namespace_conflict',
      `Namespace "${namespace}" ${ownerWords[owner]}. Give tool "${name}" another one.`,
    );
  }
  if (known.some((tools) => tools.has(name))) {
    return fail('name_duplicate', `Tool "${name}" is registered twice. Rename one of them.`);
  }
  for (const other of known.flatMap((tools) => [...tools.values()])) {
    if (other.model_alias !== model_alias) continue;
    return fail(
      'alias_collision',
      `Tools "${other.descriptor.qualified_name}" and "${name}" share the model alias "${model_alias}". Rename one of them.`,
    );
  }
  return parsed;
}

function checkSource(namespace: string, owners: Owners): Failure | null {
  const problem = checkNamespace(namespace);
  if (problem) return problem;
  const owner = owners.get(namespace);
  if (owner === 'server') {
    return failure('name_duplicate', `Two servers are named "${namespace}". Rename one of them.`);
  }
  return owner === undefined
    ? null
    : failure(
        'namespace_conflict',
        `Server "${namespace}" has the name of a namespace that ${ownerWords[owner]}. Rename the server.`,
      );
}

export function createRegistry(): RegistryBuilder {
  const native = new Map<string, Tool>();
  const callbacks = new Map<string, Tool>();
  const sources = new Map<string, CatalogSource>();
  const owners: Owners = new Map();
  let frozen = false;
  const refusal = (what: string): { ok: false; error: Failure } =>
    fail(
      'registry_frozen',
      `${what} cannot be registered: the registry is frozen while the app runs. Register it at start.`,
    );
  const register = (
    name: string,
    kind: 'native' | 'callback',
    into: Map<string, Tool>,
    present: () => Tool,
  ): Result<null> => {
    if (frozen) return refusal(`Tool "${name}"`);
    const checked = checkName(name, kind, owners, [native, callbacks]);
    if (!checked.ok) return checked;
    into.set(name, present());
    owners.set(checked.value.namespace, kind);
    return ok(null);
  };
  return {
    registerNative(tool, options = {}) {
      const name = tool.descriptor().qualified_name;
      return register(name, 'native', native, () => presentNativeTool(tool, options));
    },
    registerCallback(definition, options = {}) {
      const namespace = checkNamespace(definition.namespace);
      if (namespace) return { ok: false, error: namespace };
      const name = `${definition.namespace}.${definition.name}`;
      return register(name, 'callback', callbacks, () => presentCallbackTool(definition, options));
    },
    registerSource(source) {
      const { namespace } = source;
      if (frozen) return refusal(`Server "${namespace}"`);
      const problem = checkSource(namespace, owners);
      if (problem) return { ok: false, error: problem };
      owners.set(namespace, 'server');
      sources.set(namespace, source);
      return ok(null);
    },
    freeze(servers) {
      frozen = true;
      const get = (namespace: string): CatalogSource | undefined =>
        owners.has(namespace) ? sources.get(namespace) : servers?.get(namespace);
      return { native, callbacks, sources: { get }, nameProblem: (name) => checkSource(name, owners) };
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
  const namespaces = new Set(names.map((name) => name.namespace));
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
      : (registry.native.get(name.qualified_name) ?? registry.callbacks.get(name.qualified_name));
    if (tool) tools.push(tool);
    else if (catalog?.ok) problems.push(missingRemote(name, catalog.value));
    else
      problems.push(
        failure(
          'tool_missing',
          `No tool "${name.qualified_name}": the app has no tool and no server of that name. Remove it from tools.json, or add server "${name.namespace}" to servers.json.`,
          { tool: name.qualified_name },
        ),
      );
  }
  return { tools, problems };
}
