import { failure, ok, orderedTurns, type CallRerun, type Failure, type Result } from '../protocol';
import type { Tool } from '../tools';
import {
  runCallsAlone,
  runTurn,
  type StopReason,
  type TurnEnd,
  type TurnPlan,
  type TurnStart,
} from '../turn';
import type { DefinitionWatch } from './definition-watch';
import type { PauseDesk } from './pause-desk';
import { classifiedAs } from './permissions';
import { prepareTurn, toolFacts, type Prepared } from './prepare';
import type { SuspendedTurn } from './recover';
import type { SessionDeps } from './session-port';
import type { Stream } from './stream';
import { tellTools } from './tool-hooks';
import { turnDepsOf } from './turn-deps';

/** What a turn begins with: the model, what a restart left behind, or one call that a person has run again. */
export type Beginning =
  | { readonly type: 'model' }
  | { readonly type: 'suspended'; readonly turn: SuspendedTurn }
  | { readonly type: 'rerun'; readonly rerun: CallRerun };

/** What the turns of one session share. */
export interface TurnParts {
  readonly deps: SessionDeps;
  readonly stream: Stream;
  readonly pauses: PauseDesk;
  readonly watch: DefinitionWatch;
  /** The tools of the turn that was prepared last; told when it ends. */
  tools: readonly Tool[];
  /** The turn that was prepared last. */
  prepared: string | null;
}

function stoppedEnd(reason: StopReason): TurnEnd {
  if (reason === 'stopped') return { outcome: 'stopped', error: null };
  return { outcome: 'interrupted', error: failure('interrupted', 'The app was closed while this turn ran.') };
}

export async function prepare(
  { deps, stream }: Pick<TurnParts, 'deps' | 'stream'>,
  signal: AbortSignal,
): Promise<Result<Prepared>> {
  const { session_id, coworker, workspace, model, identity } = stream.facts();
  if (!coworker || !model) {
    const message = `Session ${session_id} has no coworker or model on record.`;
    return { ok: false, error: failure('internal', message) };
  }
  const scope = { session_id, coworker_id: coworker.id, workspace, model: model.data, identity };
  return prepareTurn(deps, scope, signal);
}

/** The pins of the session's last turn, by qualified name. */
export function lastPins(stream: Stream): ReadonlyMap<string, string> {
  const turns = orderedTurns(stream.facts());
  for (const { turn_id } of turns.reverse().slice(0, 5)) {
    const turn = stream.turn(turn_id);
    const started = turn.ok ? turn.value?.started : null;
    if (started) return new Map(started.data.tools.map((tool) => [tool.qualified_name, tool.pin]));
  }
  return new Map();
}

/** Fixes what the turn works with, and records it with what changed since the last one. */
function planOf(parts: TurnParts, turnId: string, prepared: Prepared): Result<TurnPlan> {
  const { deps, stream, watch } = parts;
  const { bundle, system, provider, tools } = prepared;
  const { session_id, workspace, model: chosen, mode, effort } = stream.facts();
  const model = chosen?.data ?? { provider: '', name: '' };
  const facts = provider.facts(model.name);
  const wanted = effort?.data ?? null;
  const taken = wanted !== null && (facts?.efforts ?? []).includes(wanted) ? wanted : null;
  const changes = watch.look(turnId, tools);
  if (!changes.ok) return changes;
  const data = {
    model,
    sees_images: provider.seesImages(model.name),
    mode: mode?.data ?? 'ask',
    bundle_digest: bundle.digest,
    tools: tools.map((tool) => toolFacts(tool, classifiedAs(deps.ledger, tool).classification)),
    effort: taken,
    context_window: facts?.context_window ?? null,
    price: facts?.price ?? null,
  };
  stream.defer([...changes.value, { turn_id: turnId, type: 'turn_started', data }]);
  return ok({
    session_id,
    turn_id: turnId,
    coworker_id: bundle.id,
    workspace,
    system,
    model,
    provider,
    facts,
    effort: taken,
    tools,
  });
}

/** A tool that is no longer selected gives up what the person allowed it. */
function exchangeTools(parts: TurnParts, turnId: string, next: readonly Tool[]): void {
  const { deps, stream, tools } = parts;
  const kept = new Set(next.map((tool) => tool.hooks));
  const gone = tools.filter((tool) => !kept.has(tool.hooks));
  tellTools(deps, gone, stream.facts().session_id, 'revoked');
  parts.tools = next;
  parts.prepared = turnId;
}

/** Prepares and runs one turn. Answers its end; the caller records it. */
export async function conduct(
  parts: TurnParts,
  turnId: string,
  from: Beginning,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { deps, stream, pauses } = parts;
  const failed = (error: Failure): TurnEnd => ({ outcome: 'failed', error });
  // Read before the turn is prepared, so that nothing grows old between the preparation and the plan.
  const history = await stream.history(signal);
  const prepared = await prepare(parts, signal);
  if (signal.aborted) return stoppedEnd(signal.reason as StopReason);
  if (!prepared.ok) return failed(prepared.error);
  exchangeTools(parts, turnId, prepared.value.tools);
  if (!history.ok) return failed(history.error);
  const plan = planOf(parts, turnId, prepared.value);
  if (!plan.ok) return failed(plan.error);
  const turn = turnDepsOf(deps, stream, pauses, history.value, turnId);
  if (from.type === 'rerun') {
    const response = { calls: [from.rerun.call], pending: new Map(), rerun: from.rerun };
    return runCallsAlone(turn, plan.value, response, signal);
  }
  const suspended = from.type === 'suspended' ? from.turn : null;
  history.value.reserve(suspended?.called ?? []);
  if (suspended?.response?.rerun) {
    return runCallsAlone(turn, plan.value, suspended.response, signal);
  }
  const start: TurnStart = { attempt: suspended?.attempt ?? 0, response: suspended?.response ?? null };
  return runTurn(turn, plan.value, start, signal);
}
