import {
  orderedTurns,
  type ModelChoice,
  type ProviderStatus,
  type SessionMeter,
  type SessionView,
} from '../../../src-preload/contract';
import type { LimitName } from '../../state/limit-use';
import { latestStartedTurn } from '../../state/selectors';

/** Why a limit misses a part of what is used, or all of it. */
export interface Shortfall {
  readonly counts: 'part' | 'nothing';
  readonly reason: 'no_numbers' | 'no_price' | 'unpriced_before';
}

const sameModel = (a: ModelChoice | null | undefined, b: ModelChoice | null): boolean =>
  a?.provider === b?.provider && a?.name === b?.name;

/** What is known of the model that the next request goes to; null where nothing says it. */
export interface ModelKnowledge {
  /** `estimated`: the numbers of its answers are reckoned, and no provider's. */
  readonly reports: 'numbers' | 'estimated' | 'nothing' | null;
  readonly priced: boolean | null;
}

/** With which numbers the answers of a model came so far; null before there is one. */
function reports(view: SessionView, model: ModelChoice): ModelKnowledge['reports'] {
  const answers = orderedTurns(view)
    .filter((turn) => sameModel(turn.started?.data.model, model))
    .flatMap((turn) => turn.attempts.flatMap((attempt) => (attempt.message ? [attempt.message.data] : [])));
  // A stopped answer has no numbers of any provider.
  const whole = answers.filter((answer) => !answer.partial);
  if (whole.length === 0) return null;
  if (whole.some(({ usage }) => usage.input_tokens !== null || usage.output_tokens !== null))
    return 'numbers';
  return whole.some(({ usage }) => usage.estimate !== undefined) ? 'estimated' : 'nothing';
}

export function modelKnowledge(
  view: SessionView,
  model: ModelChoice | null,
  providers: readonly ProviderStatus[],
): ModelKnowledge {
  if (!model) return { reports: null, priced: null };
  const listed = providers
    .find((provider) => provider.id === model.provider)
    ?.models.find((known) => known.name === model.name);
  const fixed = latestStartedTurn(view)?.started?.data;
  const before = fixed && sameModel(fixed.model, model) ? (fixed.price ?? null) !== null : null;
  return {
    reports: reports(view, model),
    priced: listed?.price !== undefined || before === true ? true : listed || before === false ? false : null,
  };
}

/** What keeps a limit from counting all that is used; null where it counts everything. */
export function shortfallOf(name: LimitName, meter: SessionMeter, model: ModelKnowledge): Shortfall | null {
  if (name === 'turns' || name === 'minutes') return null;
  const counted = name === 'tokens' ? meter.input_tokens + meter.output_tokens : meter.cost_usd;
  const counts = counted === 0 ? 'nothing' : 'part';
  if (model.reports === 'nothing') return { counts, reason: 'no_numbers' };
  if (name === 'tokens') return null;
  // An estimate of tokens is none of what they cost.
  if (model.reports === 'estimated') return { counts, reason: 'no_numbers' };
  if (model.priced === false) return { counts, reason: 'no_price' };
  return meter.unpriced_tokens > 0 ? { counts: 'part', reason: 'unpriced_before' } : null;
}
