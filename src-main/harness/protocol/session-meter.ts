import type { SessionEvent } from './events';
import type { LimitKind, PauseStarted, SessionLimits, TokenUsage } from './turn-data';
import type { ModelPrice } from './vocabulary';

export interface ReachedLimit {
  readonly kind: LimitKind;
  readonly used: number;
  readonly limit: number;
}

/** What a session has used so far, folded event by event in order. */
export interface SessionMeter {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens: number;
  /** US dollars of the requests whose price was known. */
  readonly cost_usd: number;
  /** Tokens of requests whose price was not known: what `cost_usd` leaves out. */
  readonly unpriced_tokens: number;
  /** Tokens of the sum that no provider counted: what the harness reckons in their place. */
  readonly estimated_tokens: number;
  readonly turns: number;
  readonly requests: number;
  readonly requests_in_turn: number;
  /** Time in which turns worked, by a monotonic clock; waiting for a person does not count. */
  readonly active_ms: number;
  /** Tokens of the latest request and its answer; null before there is one. */
  readonly context_tokens: number | null;
  /** Tokens that fit into a request to the latest model; null where nobody knows. */
  readonly context_window: number | null;
  readonly price: ModelPrice | null;
  readonly limits: SessionLimits;
  /** How far each limit reaches where a person went on past it: what was used then, and the limit once more. */
  readonly allowed: Readonly<Partial<Record<LimitKind, number>>>;
  /** Of pauses that are open or were ended: what they were about. */
  readonly pauses: Readonly<Record<string, ReachedLimit>>;
}

export const emptyMeter: SessionMeter = {
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cost_usd: 0,
  unpriced_tokens: 0,
  estimated_tokens: 0,
  turns: 0,
  requests: 0,
  requests_in_turn: 0,
  active_ms: 0,
  context_tokens: null,
  context_window: null,
  price: null,
  limits: {},
  allowed: {},
  pauses: {},
};

/** US dollars of one request, or null where the price or the usage is not known. */
export function costOf(usage: TokenUsage, price: ModelPrice | null): number | null {
  if (!price || usage.input_tokens === null || usage.output_tokens === null) return null;
  const cached = Math.min(usage.cached_input_tokens ?? 0, usage.input_tokens);
  const input = (usage.input_tokens - cached) * price.input + cached * (price.cached_input ?? price.input);
  return (input + usage.output_tokens * price.output) / 1_000_000;
}

function withUsage(meter: SessionMeter, usage: TokenUsage): SessionMeter {
  const guessedInput = usage.input_tokens === null ? (usage.estimate?.input_tokens ?? 0) : 0;
  const guessedOutput = usage.output_tokens === null ? (usage.estimate?.output_tokens ?? 0) : 0;
  const input = usage.input_tokens ?? guessedInput;
  const output = usage.output_tokens ?? guessedOutput;
  const cost = costOf(usage, meter.price);
  return {
    ...meter,
    input_tokens: meter.input_tokens + input,
    output_tokens: meter.output_tokens + output,
    cached_input_tokens: meter.cached_input_tokens + (usage.cached_input_tokens ?? 0),
    cost_usd: meter.cost_usd + (cost ?? 0),
    unpriced_tokens: meter.unpriced_tokens + (cost === null ? input + output : 0),
    estimated_tokens: meter.estimated_tokens + guessedInput + guessedOutput,
  };
}

function withPause(meter: SessionMeter, { pause_id, kind, used, limit }: PauseStarted): SessionMeter {
  return { ...meter, pauses: { ...meter.pauses, [pause_id]: { kind, used, limit } } };
}

function withPauseEnd(meter: SessionMeter, pauseId: string, continued: boolean): SessionMeter {
  const reached = meter.pauses[pauseId];
  if (!reached) return meter;
  const pauses = Object.fromEntries(Object.entries(meter.pauses).filter(([id]) => id !== pauseId));
  if (!continued) return { ...meter, pauses };
  const { kind, used, limit } = reached;
  // The turn that stands at a limit of turns is counted already.
  const from = kind === 'turns' ? used - 1 : used;
  return { ...meter, pauses, allowed: { ...meter.allowed, [kind]: from + limit } };
}

/** New limits begin anew; the bound on requests in one turn is none of them. */
function withLimits(meter: SessionMeter, limits: SessionLimits): SessionMeter {
  const { requests_in_turn: allowed } = meter.allowed;
  const pauses = Object.fromEntries(
    Object.entries(meter.pauses).filter(([, { kind }]) => kind === 'requests_in_turn'),
  );
  return { ...meter, limits, pauses, allowed: allowed === undefined ? {} : { requests_in_turn: allowed } };
}

/** The bound on requests holds for each turn anew. */
function withTurn(meter: SessionMeter): SessionMeter {
  const { requests_in_turn: _former, ...allowed } = meter.allowed;
  return { ...meter, turns: meter.turns + 1, requests_in_turn: 0, allowed };
}

/** Folds one committed event, in sequence order. Returns the same object where the event says nothing of use. */
export function foldMeter(meter: SessionMeter, event: SessionEvent): SessionMeter {
  switch (event.type) {
    case 'message_submitted':
    case 'turn_retried':
    case 'call_rerun':
      return withTurn(meter);
    case 'turn_started': {
      const { context_window: window, price } = event.data;
      return { ...meter, context_window: window ?? null, price: price ?? null };
    }
    case 'attempt_started':
      return {
        ...meter,
        requests: meter.requests + 1,
        requests_in_turn: meter.requests_in_turn + 1,
      };
    case 'assistant_message': {
      const { usage } = event.data;
      const tokens = usage.input_tokens === null ? null : usage.input_tokens + (usage.output_tokens ?? 0);
      return { ...withUsage(meter, usage), context_tokens: tokens ?? meter.context_tokens };
    }
    case 'attempt_failed':
      return event.data.usage ? withUsage(meter, event.data.usage) : meter;
    case 'context_compacted':
      return { ...withUsage(meter, event.data.usage), context_tokens: event.data.tokens_after };
    case 'turn_finished': {
      const { worked_ms: worked, duration_ms: took } = event.data;
      return { ...meter, active_ms: meter.active_ms + (worked ?? took ?? 0) };
    }
    case 'session_limits_changed':
      return withLimits(meter, event.data.limits);
    case 'pause_started':
      return withPause(meter, event.data);
    case 'pause_ended':
      return withPauseEnd(meter, event.data.pause_id, event.data.outcome === 'continued');
    default:
      return meter;
  }
}

/**
 * The first limit that one more request would go past, or null. `running_ms` is the time that the running turn has
 * taken so far. Each time that the person went on allows the same amount once more, counted from what was used then.
 */
export function reachedLimit(
  meter: SessionMeter,
  running_ms: number,
  requestsInTurn: number,
): ReachedLimit | null {
  const { limits } = meter;
  const measures: readonly (readonly [LimitKind, number, number | null | undefined])[] = [
    ['tokens', meter.input_tokens + meter.output_tokens, limits.tokens],
    ['cost_usd', meter.cost_usd, limits.cost_usd],
    ['minutes', (meter.active_ms + running_ms) / 60_000, limits.minutes],
    ['requests_in_turn', meter.requests_in_turn, requestsInTurn],
  ];
  for (const [kind, used, limit] of measures) {
    if (typeof limit !== 'number') continue;
    if (used >= (meter.allowed[kind] ?? limit)) return { kind, used, limit };
  }
  const { turns } = limits;
  if (typeof turns === 'number' && meter.turns > (meter.allowed.turns ?? turns)) {
    return { kind: 'turns', used: meter.turns, limit: turns };
  }
  return null;
}
