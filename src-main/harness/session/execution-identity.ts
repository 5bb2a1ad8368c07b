import type { ToolsVersion } from '../bundles';
import type {
  Classification,
  ExecutionIdentity,
  IdentityPart,
  Json,
  JsonObject,
  Presentation,
  ToolKind,
} from '../protocol';
import type { Tool, ToolDescriptor } from '../tools';
import { canonicalDigest } from '../validation/canonical-json';

/** A selected tool of the app or of an application: what it says of itself and what the host decided (S0-28, S0-67). */
export interface OwnTool {
  readonly kind: Exclude<ToolKind, 'mcp'>;
  readonly descriptor: ToolDescriptor;
  readonly classification: Classification;
  readonly presentation: Presentation;
}

/**
 * A selected tool of a server. What the server says of it is no part of the identity: a catalog may change between two
 * turns, and the definition pin guards every approval against that (S0-56).
 */
export interface ServerTool {
  readonly kind: 'mcp';
  readonly qualified_name: string;
  /** Where the server is, as configured: transport, launch or address, with references to secrets unresolved. */
  readonly origin: JsonObject;
}

export type SelectedTool = OwnTool | ServerTool;

/** All that an execution identity is computed over (S0-57). */
export interface IdentityFacts {
  readonly bundle: { readonly digest: string; readonly tools_version: ToolsVersion };
  /** Version of the policy and configuration of the guardrails. */
  readonly policies: JsonObject;
  /** In the order of the selection. */
  readonly tools: readonly SelectedTool[];
  /** SHA-256 over the app's own built code, from `codeDigest`. */
  readonly code_digest: string;
}

/** @param serverOrigin the configured origin of the tool's server; only asked for a tool of a server */
export function selectedTool(tool: Tool, serverOrigin: (server: string) => JsonObject): SelectedTool {
  const { descriptor, classification, presentation, origin } = tool;
  if (origin.kind !== 'mcp') return { kind: origin.kind, descriptor, classification, presentation };
  const { qualified_name } = descriptor;
  return { kind: 'mcp', qualified_name, origin: serverOrigin(origin.server ?? namespaceOf(qualified_name)) };
}

function nameOf(tool: SelectedTool): string {
  return tool.kind === 'mcp' ? tool.qualified_name : tool.descriptor.qualified_name;
}

function namespaceOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

interface ServerForm {
  readonly name: string;
  readonly origin: JsonObject;
  readonly tools: readonly string[];
}

/** The selection by server, as versions 1 and 2 wrote it: servers and tools in their order, tools by remote name. */
function byServer(tools: readonly SelectedTool[]): ServerForm[] {
  const servers = new Map<string, { origin: JsonObject; tools: string[] }>();
  for (const tool of tools) {
    const name = nameOf(tool);
    if (tool.kind !== 'mcp')
      throw new Error(`${name} is no tool of a server; tools.json 1 and 2 have no other.`);
    const namespace = namespaceOf(name);
    const server = servers.get(namespace) ?? { origin: tool.origin, tools: [] };
    server.tools.push(name.slice(namespace.length + 1));
    servers.set(namespace, server);
  }
  return [...servers].map(([name, server]) => ({ name, ...server }));
}

/** Each version of tools.json has a form of its own, frozen so that an identity once computed stays (S0-60, C8). */
function registryForm(version: ToolsVersion, tools: readonly SelectedTool[]): Json {
  if (version === 3) {
    const selected = tools.map((tool) => {
      const name = nameOf(tool);
      return tool.kind === 'mcp' ? { name, kind: tool.kind, origin: tool.origin } : { name, kind: tool.kind };
    });
    return { version, tools: selected };
  }
  const servers: readonly Json[] = byServer(tools).map((server) => ({ ...server }));
  if (version === 2) return { version, servers };
  if (servers.length > 1) throw new Error('Version 1 of tools.json selects tools of one server.');
  return { version, server: servers[0] ?? null };
}

function byName(one: OwnTool, other: OwnTool): number {
  return nameOf(one) < nameOf(other) ? -1 : 1;
}

function descriptorForm(descriptor: ToolDescriptor): JsonObject {
  const { qualified_name, title, description, input_schema, output_schema, annotations, version } =
    descriptor;
  return { qualified_name, title, description, input_schema, output_schema, annotations, version };
}

/** In the order of the names: the order of the selection is the registry's part. */
function nativeForm(tools: readonly SelectedTool[]): Json {
  return tools
    .filter((tool) => tool.kind !== 'mcp')
    .sort(byName)
    .map(({ kind, descriptor, classification, presentation }) => ({
      kind,
      descriptor: descriptorForm(descriptor),
      classification,
      presentation,
    }));
}

/**
 * What runs in a session (S0-57): each part is the SHA-256 over the canonical JSON of its facts, and `digest` the one
 * over the parts. A bundle of version 1 or 2 has no native part, not even in the digest (S0-60, C8). The forms are
 * frozen: another form would look like another implementation to every session there is.
 * @throws Error for tools that a bundle of that version cannot select; resolution refuses them before
 */
export function executionIdentity(facts: IdentityFacts): ExecutionIdentity {
  const { bundle, tools } = facts;
  const parts: Record<IdentityPart, string | null> = {
    bundle: canonicalDigest({ digest: bundle.digest, tools_version: bundle.tools_version }),
    policies: canonicalDigest(facts.policies),
    registry: canonicalDigest(registryForm(bundle.tools_version, tools)),
    native: bundle.tools_version === 3 ? canonicalDigest(nativeForm(tools)) : null,
    app: canonicalDigest({ code_digest: facts.code_digest }),
  };
  const { native, ...others } = parts;
  return { digest: canonicalDigest(native === null ? others : parts), parts };
}
