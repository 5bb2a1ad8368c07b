import type { LimitKind, SessionMeter } from '../../src-preload/contract';
import type { LimitUse } from '../ui/limit-words';

export const sessionLimits = ['tokens', 'cost_usd', 'turns', 'minutes'] as const;
export type LimitName = (typeof sessionLimits)[number];

export function usedOf(meter: SessionMeter, kind: LimitKind): number {
  switch (kind) {
    case 'tokens':
      return meter.input_tokens + meter.output_tokens;
    case 'cost_usd':
      return meter.cost_usd;
    case 'turns':
      return meter.turns;
    case 'minutes':
      return meter.active_ms / 60_000;
    case 'requests_in_turn':
      return meter.requests_in_turn;
  }
}

/** The limits of a session that are set, with what was used of each. */
export function limitUses(meter: SessionMeter): readonly (LimitUse & { readonly kind: LimitName })[] {
  return sessionLimits.flatMap((kind) => {
    const limit = meter.limits[kind];
    if (typeof limit !== 'number') return [];
    // Each time the person went on allows the same amount once more.
    return [{ kind, used: usedOf(meter, kind), limit, allowed: meter.allowed[kind] ?? limit }];
  });
}

/** Limits beside the one of a pause that a turn stands at as well. The turn that runs is counted already. */
export function alsoReached(meter: SessionMeter, paused: LimitKind): readonly LimitUse[] {
  return limitUses(meter).filter(({ kind, used, allowed }) =>
    kind === paused ? false : kind === 'turns' ? used > allowed : used >= allowed,
  );
}
