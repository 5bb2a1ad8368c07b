import type {
  CoworkerCard,
  DefinitionChanged,
  Effort,
  Mode,
  ModelChoice,
  ProviderStatus,
  SessionSummary,
  SessionView,
  Settings,
  TurnView,
} from '../../src-preload/contract';
import { orderedTurns } from '../../src-preload/contract';
import type { NewSessionChoice } from './ui-store';

/** A coworker whose bundle has an error cannot be started. */
export function isUsable(coworker: CoworkerCard): boolean {
  return !coworker.problems.some((problem) => problem.severity === 'error');
}

export function isPractice(providers: readonly ProviderStatus[], providerId: string): boolean {
  const provider = providers.find((candidate) => candidate.id === providerId);
  return provider ? provider.kind === 'practice' : providerId === 'practice';
}

export function practiceModel(providers: readonly ProviderStatus[]): ModelChoice {
  const provider = providers.find((candidate) => candidate.kind === 'practice');
  return { provider: provider?.id ?? 'practice', name: provider?.models[0]?.name ?? 'practice' };
}

/** False once the provider is known to be out of reach; one that is still being asked may be there. */
function isReachable(providers: readonly ProviderStatus[], model: ModelChoice): boolean {
  if (providers.length === 0) return true;
  return providers.some(
    (provider) => provider.id === model.provider && ['ready', 'checking'].includes(provider.state),
  );
}

/** The default model of the settings when it cannot be reached now, so that another stands in for it; else null. */
export function unreachableDefault(
  settings: Settings | null,
  providers: readonly ProviderStatus[],
): ModelChoice | null {
  const preferred = settings?.default_model ?? null;
  return preferred && !isReachable(providers, preferred) ? preferred : null;
}

/** Whether a model sees attached pictures; null where nobody says so. */
export function seesImages(providers: readonly ProviderStatus[], model: ModelChoice | null): boolean | null {
  const provider = providers.find((candidate) => candidate.id === model?.provider);
  return provider?.models.find((known) => known.name === model?.name)?.sees_images ?? null;
}

/** All the tools of a coworker work on the session's folder. */
export function needsFolder(coworker: CoworkerCard): boolean {
  return coworker.tools.length > 0 && coworker.tools.every((name) => name.startsWith('files.'));
}

/** The model that a new session begins with: the chosen one, else the default, else a ready one, else practice. */
export function startingModel(
  choice: NewSessionChoice,
  settings: Settings | null,
  providers: readonly ProviderStatus[],
): ModelChoice {
  if (choice.model) return choice.model;
  const preferred = settings?.default_model;
  if (preferred && isReachable(providers, preferred)) return preferred;
  const provider = providers.find(
    (candidate) =>
      candidate.state === 'ready' && candidate.kind !== 'practice' && candidate.models.length > 0,
  );
  const name = provider?.models[0]?.name;
  return provider && name !== undefined ? { provider: provider.id, name } : practiceModel(providers);
}

/** Sessions for the list, the latest first. */
export function listedSessions(
  sessions: ReadonlyMap<string, SessionSummary>,
  options: { readonly archived: boolean; readonly search: string },
): SessionSummary[] {
  const words = options.search.trim().toLocaleLowerCase();
  return [...sessions.values()]
    .filter((session) => session.archived === options.archived)
    .filter((session) => words === '' || session.title.toLocaleLowerCase().includes(words))
    .sort((a, b) => (a.updated_at < b.updated_at ? 1 : a.updated_at > b.updated_at ? -1 : 0));
}

/** What waits for the person: requests, pauses, and calls of unknown outcome. */
export function waitingCount(sessions: ReadonlyMap<string, SessionSummary>): number {
  let count = 0;
  for (const { waiting, unsettled } of sessions.values()) count += waiting.length + unsettled.length;
  return count;
}

/** The latest turn that has begun to run, for what it fixed: tools, model, mode. */
export function latestStartedTurn(view: SessionView): TurnView | null {
  return orderedTurns(view).findLast((turn) => turn.started !== null) ?? null;
}

/** The newest recorded change of a tool's definition in this session. */
export function latestDefinitionChange(view: SessionView, qualifiedName: string): DefinitionChanged | null {
  const changes = [...view.turns.values()]
    .flatMap((turn) => turn.definition_changes)
    .filter((change) => change.data.qualified_name === qualifiedName)
    .sort((a, b) => a.seq - b.seq);
  return changes.at(-1)?.data ?? null;
}

export interface SessionChoices {
  readonly model: ModelChoice | null;
  /** Null while nothing that arrived says it: no mode is shown rather than a wrong one. */
  readonly mode: Mode | null;
  readonly effort: Effort | null;
}

/** What is set in a session, also while only its newest part has arrived: the latest turn fixed the same. */
export function sessionChoices(view: SessionView): SessionChoices {
  const fixed = latestStartedTurn(view)?.started?.data;
  return {
    model: view.model?.data ?? fixed?.model ?? null,
    mode: view.mode?.data ?? fixed?.mode ?? null,
    effort: view.effort ? view.effort.data : (fixed?.effort ?? null),
  };
}

const noEfforts: readonly Effort[] = [];

/** Settings of effort that a model takes; none where it takes no such setting. */
export function effortsOf(
  providers: readonly ProviderStatus[],
  model: ModelChoice | null,
): readonly Effort[] {
  const provider = providers.find((candidate) => candidate.id === model?.provider);
  return provider?.models.find((known) => known.name === model?.name)?.efforts ?? noEfforts;
}

/** The view with what the list of sessions knows of it, while its oldest part is still on its way. */
export function withSummary(view: SessionView, summary: SessionSummary | null): SessionView {
  if (view.created_at !== null || !summary) return view;
  return {
    ...view,
    title: view.title ?? { seq: 0, at: summary.created_at, data: summary.title },
    workspace: summary.workspace,
    coworker: {
      id: summary.coworker_id,
      name: summary.coworker_name,
      icon: summary.coworker_icon,
      tagline: '',
      version: '',
      bundle_digest: '',
    },
  };
}
