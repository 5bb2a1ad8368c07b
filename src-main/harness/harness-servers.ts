import type { Ledger } from './approvals';
import type { Harness } from './harness-port';
import type { OpenedServers } from './harness-parts';
import type { McpServers } from './mcp';
import { diagnoseTool } from './model';
import { fail, ok, type Result, type ServerStatus, type ServerTool } from './protocol';
import { classifiedAs } from './session';

/** Everything that a server offers, with what the person says of it; asks the server. */
async function serverTools(
  { servers, ledger }: { readonly servers: McpServers; readonly ledger: Ledger },
  name: string,
  signal: AbortSignal,
): Promise<Result<readonly ServerTool[]>> {
  const source = servers.source(name);
  if (!source) return fail('not_found', `There is no server "${name}" in servers.json.`);
  const scope = { session_id: '', coworker_id: '', workspace: null };
  const catalog = await source.discover(scope, signal);
  if (!catalog.ok) return catalog;
  const usable = [...catalog.value.tools.values()].map((tool): ServerTool => {
    const { qualified_name, title, description, annotations, input_schema } = tool.descriptor;
    const { classification, by, at } = classifiedAs(ledger, tool);
    return {
      qualified_name,
      ...(title === undefined ? {} : { title }),
      description,
      input_schema,
      pin: tool.pin,
      classification,
      classified_by: by,
      classified_at: at,
      hints: annotations ?? {},
      fits: diagnoseTool(tool.model_alias, input_schema),
      problem: null,
    };
  });
  const unusable = [...catalog.value.unusable].map(([local, problem]): ServerTool => ({
    qualified_name: `${name}.${local}`,
    description: '',
    input_schema: {},
    pin: null,
    classification: 'external',
    classified_by: 'host',
    classified_at: null,
    hints: {},
    fits: [],
    problem,
  }));
  return ok([...usable, ...unusable]);
}

function classifyTools(ledger: Ledger): Harness['servers']['classify'] {
  return (tools) => {
    for (const { qualified_name, pin, classification } of tools) {
      const taken = ledger.classify(qualified_name, pin, classification);
      if (!taken.ok) return taken;
    }
    return ok(null);
  };
}

/** Each server with what a person accepts, or has to accept, before it starts. */
export function statusesOf({ servers, trust, configured }: OpenedServers): readonly ServerStatus[] {
  if (!trust) return servers.statuses();
  const known = new Map(configured.map((config) => [config.name, config]));
  return servers.statuses().map((status) => {
    const config = known.get(status.name);
    return config ? { ...status, trust: trust.of(config) } : status;
  });
}

function acceptServer({ trust, configured }: OpenedServers, name: string, digest: string): Result<null> {
  const config = configured.find((one) => one.name === name);
  if (!config) return fail('not_found', `There is no server "${name}" in servers.json.`);
  return trust ? trust.accept(config, digest) : ok(null);
}

/** The servers of this run, with what the person says of them and of their tools. */
export function serversFor(
  opened: OpenedServers,
  ledger: Ledger,
  file: string | null,
  changed: () => void,
): Harness['servers'] {
  const { servers, problems } = opened;
  return {
    statuses: () => statusesOf(opened),
    problems,
    file,
    accept(name, digest) {
      const accepted = acceptServer(opened, name, digest);
      if (accepted.ok) changed();
      return accepted;
    },
    restart: (name, signal) => servers.restart(name, signal),
    tools: (name, signal) => serverTools({ servers, ledger }, name, signal),
    classify: classifyTools(ledger),
  };
}
