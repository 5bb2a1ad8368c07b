import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import {
  failure,
  isJsonObject,
  parseQualifiedName,
  type Failure,
  type JsonObject,
  type JsonSchema,
  type Result,
} from '../protocol';
import { definitionPin, type OriginFacts } from '../tools/definition-pin';
import type { Catalog, Tool, ToolDescriptor } from '../tools/tool';
import type { SchemaCompiler, Validator } from '../validation/schema-compiler';
import { createRemoteTool, type RemoteToolDeps } from './remote-tool';
import type { ServerConfig } from './config/server-config';

/** How long schemas are compiled before other work has its turn, in milliseconds. */
const sliceMs = 15;

export interface CatalogDeps extends Pick<RemoteToolDeps, 'connection' | 'useFolder' | 'lost' | 'mask'> {
  readonly compiler: SchemaCompiler;
}

/** A tool's two schemas, compiled. */
interface Compiled {
  readonly descriptor: ToolDescriptor;
  readonly output: Validator | null;
}

/**
 * Makes a catalog of what a server listed. Each entry is judged on its own: bad names, names that come twice and
 * unusable schemas are `unusable` with their reason, and the rest works (S0-46, S0-51, S0-52). Schemas compile between other
 * work, so that a large catalog holds nobody up.
 * @param version the server's own version
 */
export async function catalogOf(
  config: ServerConfig,
  listed: readonly unknown[],
  version: string,
  deps: CatalogDeps,
): Promise<Catalog> {
  const tools = new Map<string, Tool>();
  const unusable = new Map<string, Failure>();
  const origin = originOf(config);
  const counts = new Map<string, number>();
  for (const entry of listed) {
    const name = nameOf(entry);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  let since = performance.now();
  for (const [index, entry] of listed.entries()) {
    if (performance.now() - since > sliceMs) {
      await setImmediate();
      since = performance.now();
    }
    const name = nameOf(entry);
    if (name === null) {
      unusable.set(`#${index + 1}`, notTool(config, `Entry ${index + 1} of its list of tools has no name.`));
      continue;
    }
    if ((counts.get(name) ?? 0) > 1) {
      const words = `Server "${config.name}" lists the tool "${name}" more than once; none of them is used.`;
      unusable.set(name, failure('name_duplicate', words));
      continue;
    }
    const read = readTool(config, name, entry as JsonObject, version, deps.compiler);
    if (read.ok) tools.set(name, present(config, name, read.value, origin, deps));
    else unusable.set(name, read.error);
  }
  return { namespace: config.name, tools, unusable };
}

function present(
  config: ServerConfig,
  name: string,
  read: Compiled,
  origin: OriginFacts,
  deps: CatalogDeps,
): Tool {
  const { descriptor, output } = read;
  return createRemoteTool(
    {
      descriptor,
      model_alias: descriptor.qualified_name.replaceAll('.', '__'),
      origin: { kind: 'mcp', server: config.name },
      placement: config.transport === 'stdio' ? 'host_process' : 'remote',
      classification: 'external',
      presentation: 'plain',
      hooks: {},
      pin: definitionPin(descriptor, origin),
      origin_facts: origin,
    },
    {
      remote_name: name,
      server: config.name,
      output,
      call_timeout_ms: config.call_timeout_ms,
      call_ceiling_ms: config.call_ceiling_ms,
      connection: deps.connection,
      useFolder: deps.useFolder,
      lost: deps.lost,
      mask: deps.mask,
    },
  );
}

function readTool(
  config: ServerConfig,
  name: string,
  entry: JsonObject,
  version: string,
  compiler: SchemaCompiler,
): Result<Compiled> {
  const parsed = parseQualifiedName(`${config.name}.${name}`);
  if (!parsed.ok) return parsed;
  const { inputSchema, outputSchema, annotations, execution } = entry;
  if (!isJsonObject(inputSchema) || (inputSchema['type'] !== undefined && inputSchema['type'] !== 'object')) {
    return schemaRefused(config, name, 'Its input schema does not describe an object.');
  }
  if (isJsonObject(execution) && execution['taskSupport'] === 'required') {
    return {
      ok: false,
      error: notTool(config, `Tool "${name}" runs only as a background task, which is not offered.`),
    };
  }
  const input = compiler.compile(inputSchema);
  if (!input.ok) return schemaRefused(config, name, `Input: ${input.error.message}`);
  const output = compileOutput(outputSchema, compiler);
  if (!output.ok) return schemaRefused(config, name, `Output: ${output.error.message}`);
  const title =
    textOf(entry['title']) ?? (isJsonObject(annotations) ? textOf(annotations['title']) : undefined);
  const descriptor: ToolDescriptor = {
    qualified_name: parsed.value.qualified_name,
    ...(title === undefined ? {} : { title }),
    description: textOf(entry['description']) ?? '',
    input_schema: inputSchema,
    ...(isJsonObject(outputSchema) ? { output_schema: outputSchema as JsonSchema } : {}),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    version,
  };
  return { ok: true, value: { descriptor, output: output.value } };
}

function compileOutput(schema: unknown, compiler: SchemaCompiler): Result<Validator | null> {
  if (schema === undefined || schema === null) return { ok: true, value: null };
  if (isJsonObject(schema)) return compiler.compile(schema);
  return { ok: false, error: failure('schema_unusable', 'It is not an object.') };
}

/** The origin as the pin covers it (C7): as configured, so that a secret's value is never in it. */
export function originOf(config: ServerConfig): OriginFacts {
  if (config.transport !== 'stdio') {
    return { kind: 'mcp', transport: config.transport, url: config.url, headers: config.headers };
  }
  const { transport, program, args, env, cwd, placement, sandbox } = config;
  const boundary = placement === 'host' ? {} : { placement, ...(sandbox ? { sandbox: { ...sandbox } } : {}) };
  return { kind: 'mcp', transport, program, args, env, cwd, ...boundary };
}

function nameOf(entry: unknown): string | null {
  return isJsonObject(entry) ? (textOf(entry['name']) ?? null) : null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function schemaRefused(config: ServerConfig, name: string, why: string): { ok: false; error: Failure } {
  const message = `Tool "${name}" of server "${config.name}" cannot be used. ${why}`;
  return { ok: false, error: failure('schema_unusable', message) };
}

function notTool(config: ServerConfig, why: string): Failure {
  return failure('tool_missing', `Server "${config.name}": ${why}`);
}
