import type { Bundle } from '../bundles';
import { instructionsFor, mcpOnlyProblems } from '../bundles';
import type { ModelProvider } from '../model';
import {
  failure,
  ok,
  type Classification,
  type ExecutionIdentity,
  type Failure,
  type ModelChoice,
  type Result,
  type ToolFacts,
} from '../protocol';
import { resolveSelection, type Tool } from '../tools';
import { currentIdentity, identityProblem, type IdentityDeps } from './identity';

export interface Prepared {
  readonly bundle: Bundle;
  readonly system: string;
  readonly provider: ModelProvider;
  readonly tools: readonly Tool[];
}

export interface PrepareDeps extends IdentityDeps {
  /** The coworker as it is on disk now, or why it cannot be used. */
  readonly bundle: (coworkerId: string) => Promise<Result<Bundle>>;
  readonly provider: (choice: ModelChoice) => Result<ModelProvider>;
}

/** `classification` is what the tool counts as here: the host's word, or the person's. */
export function toolFacts(tool: Tool, classification: Classification): ToolFacts {
  const { descriptor } = tool;
  return {
    qualified_name: descriptor.qualified_name,
    model_alias: tool.model_alias,
    ...(descriptor.title === undefined ? {} : { title: descriptor.title }),
    description: descriptor.description,
    classification,
    placement: tool.placement,
    presentation: tool.presentation,
    origin: tool.origin,
    pin: tool.pin,
  };
}

function joined(problems: readonly Failure[]): Failure {
  const [first] = problems;
  if (first && problems.length === 1) return first;
  return failure(first?.code ?? 'tool_missing', problems.map((problem) => problem.message).join('\n'));
}

/**
 * Prepares a turn (S0-17, S0-55): the bundle as it is now, its names resolved against the registry and fresh catalogs,
 * and the provider of the chosen model. A name that resolves to nothing fails the preparation (S0-46).
 */
export async function prepareTurn(
  deps: PrepareDeps,
  scope: {
    readonly session_id: string;
    readonly coworker_id: string;
    readonly workspace: string | null;
    readonly model: ModelChoice;
    /** The identity under which the session began. */
    readonly identity: ExecutionIdentity | null;
  },
  signal: AbortSignal,
): Promise<Result<Prepared>> {
  const bundle = await deps.bundle(scope.coworker_id);
  if (!bundle.ok) return bundle;
  const changed = identityProblem(scope.identity, currentIdentity(deps, bundle.value));
  if (changed) return { ok: false, error: failure(changed.code, changed.message, changed.data) };
  const provider = deps.provider(scope.model);
  if (!provider.ok) return provider;
  const { tools, problems } = await resolveSelection(deps.registry, bundle.value.tools, scope, signal);
  const all = [...problems, ...mcpOnlyProblems(bundle.value, tools)];
  if (all.length > 0) return { ok: false, error: joined(all) };
  return ok({ bundle: bundle.value, system: instructionsFor(bundle.value), provider: provider.value, tools });
}
