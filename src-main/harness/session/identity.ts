import type { Bundle } from '../bundles';
import {
  failure,
  identityChanges,
  type ExecutionIdentity,
  type Failure,
  type IdentityPart,
  type JsonObject,
} from '../protocol';
import type { Registry } from '../tools';
import { executionIdentity, selectedTool, type SelectedTool } from './execution-identity';

export interface IdentityDeps {
  readonly registry: Registry;
  /** Version of the policy, configuration of the guardrails. */
  readonly policies: JsonObject;
  /** SHA-256 over the app's own built code; null where the host names none, and sessions then have no identity. */
  readonly codeDigest: string | null;
}

/** The selection as far as it is known without asking a server; a name that resolves to nothing is left out. */
function selected(registry: Registry, bundle: Bundle): SelectedTool[] {
  return bundle.tools.flatMap((name): SelectedTool[] => {
    const { namespace, qualified_name } = name;
    const source = registry.sources.get(namespace);
    if (source) return [{ kind: 'mcp', qualified_name, origin: source.origin }];
    const tool = registry.native.get(qualified_name) ?? registry.callbacks.get(qualified_name);
    return tool ? [selectedTool(tool, () => ({}))] : [];
  });
}

/** The execution identity of a coworker in this app, as it is now (S0-57); null where the host has no code digest. */
export function currentIdentity(deps: IdentityDeps, bundle: Bundle): ExecutionIdentity | null {
  if (deps.codeDigest === null) return null;
  const tools = selected(deps.registry, bundle);
  const own = tools.some((tool) => tool.kind !== 'mcp');
  // Resolution refuses such a bundle; its identity must not break on the way there.
  if (own && bundle.tools_version !== 3) return null;
  return executionIdentity({ bundle, policies: deps.policies, tools, code_digest: deps.codeDigest });
}

const partWords: Readonly<Record<IdentityPart, string>> = {
  bundle: "the coworker's folder",
  policies: 'the rules of approval or the guardrails',
  registry: 'the selected tools or the configuration of their servers',
  native: 'the built-in tools',
  app: 'the app itself',
};

/** Why a session does not go on as it is, or null (S0-58). A session of before identities were recorded goes on. */
export function identityProblem(
  recorded: ExecutionIdentity | null,
  current: ExecutionIdentity | null,
): (Failure & { readonly parts: readonly IdentityPart[] }) | null {
  if (!recorded || !current || recorded.digest === current.digest) return null;
  const parts = identityChanges(recorded, current);
  const changed = parts.map((part) => partWords[part]).join(', ');
  const message = `Since this session began, this has changed: ${changed}. The session stays readable. Continue it as a new session, which carries what you see over.`;
  return { ...failure('identity_changed', message, { parts: [...parts] }), parts };
}
