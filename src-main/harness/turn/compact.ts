import type { ModelFailure, ModelRequest } from '../model';
import { cutText, ok, type ContextCompacted, type Result, type TokenUsage } from '../protocol';
import { modelTools } from './attempt';
import type { Cut } from './history-entries';
import { plainSummary, summaryRequest } from './history-text';
import { charactersPerToken, noUsage, reckoned } from './token-estimate';
import { maxRetries, waitBeforeRetry } from './retry';
import type { TurnDeps, TurnPlan } from './turn-port';

/** Share of the window at which the older part gives way, and the share of the conversation that then stays. */
export const compaction = { at: 0.8, keep: 0.3, longest_summary: 40_000 } as const;

/** Whether the next request would come too near to the end of the window; false where the window is not known. */
export function mustCompact(deps: TurnDeps, plan: TurnPlan): boolean {
  const window = plan.facts?.context_window;
  if (window === undefined) return false;
  return deps.history.tokens() > window * compaction.at;
}

/**
 * How urgently room is needed: `soon` the window is full; `now` the provider refused the request; `much` it refused
 * again, so the results of the latest response are shortened too.
 */
export type Room = 'soon' | 'now' | 'much';

/** What a request for a summary came to. `failed`: the provider did not answer it. */
type Asked =
  | { readonly type: 'summary'; readonly text: string; readonly usage: TokenUsage }
  /** An answer without one; it may have cost something all the same. */
  | { readonly type: 'none'; readonly usage: TokenUsage }
  | { readonly type: 'failed'; readonly error: ModelFailure };

/** One request to the session's own model. Its calls, if it makes any, are not run. */
async function askOnce(plan: TurnPlan, attempt: number, cut: Cut, signal: AbortSignal): Promise<Asked> {
  const request: ModelRequest = {
    model: plan.model.name,
    system: plan.system,
    messages: [...cut.older, { role: 'user', text: summaryRequest, files: [] }],
    tools: modelTools(plan),
    session_id: plan.session_id,
    turn_id: plan.turn_id,
    attempt,
  };
  let text = '';
  let usage: TokenUsage | null = null;
  let failed: ModelFailure | null = null;
  for await (const part of plan.provider.stream(request, signal)) {
    if (signal.aborted) break;
    if (part.type === 'failed') failed = part.error;
    if (part.type === 'text') text += part.text;
    if (part.type === 'finished') usage = part.usage;
    if (text.length > compaction.longest_summary) {
      usage ??= noUsage;
      break;
    }
  }
  if (failed) return { type: 'failed', error: failed };
  const whole = cutText(text, compaction.longest_summary).trim();
  // A summary that broke off would leave out what nobody can tell.
  return whole === '' || usage === null
    ? { type: 'none', usage: usage ?? noUsage }
    : { type: 'summary', text: whole, usage };
}

/** As `askOnce`, made again after passing failures as any request is. */
async function askForSummary(
  deps: TurnDeps,
  plan: TurnPlan,
  attempt: number,
  cut: Cut,
  signal: AbortSignal,
): Promise<Asked> {
  for (let retry = 0; ; retry += 1) {
    const asked = await askOnce(plan, attempt, cut, signal);
    const passing = asked.type === 'failed' && asked.error.retryable;
    if (!passing || retry === maxRetries || signal.aborted) return asked;
    await deps.sleep(waitBeforeRetry(retry + 1, asked.error), signal);
  }
}

/**
 * Lets the older part of the context give way to the model's own summary and shortens old results (they stay in the
 * journal). Answers false where nothing much can go, and where the provider fails while there is still room. Where the
 * model gives no summary, a plain list of what was asked stands in its place, so that the session can go on.
 */
export async function compact(
  deps: TurnDeps,
  plan: TurnPlan,
  attempt: number,
  room: Room,
  signal: AbortSignal,
): Promise<Result<boolean>> {
  const { keep } = compaction;
  const gentle = room === 'much' ? null : deps.history.cut(keep, false);
  const cut = gentle ?? (room === 'soon' ? null : deps.history.cut(keep, true));
  if (!cut) return ok(false);
  deps.emit({ type: 'compacting', turn_id: plan.turn_id, attempt });
  const before = deps.history.tokens();
  const asked: Asked =
    cut.older.length > 0
      ? await askForSummary(deps, plan, attempt, cut, signal)
      : { type: 'none', usage: noUsage };
  if (signal.aborted) return ok(false);
  if (room === 'soon' && asked.type === 'failed') return ok(false);
  const summary = asked.type === 'summary' ? asked : null;
  const words = summary?.text ?? (cut.older.length > 0 ? plainSummary(cut.older) : '');
  const data: ContextCompacted = {
    compaction_id: deps.newId('compaction'),
    attempt,
    model: plan.model,
    summary: words,
    by: summary ? 'model' : 'app',
    summarised_to_seq: cut.summarised_to_seq,
    shortened_to_seq: cut.shortened_to_seq,
    tokens_before: before,
    tokens_after: Math.round(cut.kept_share * before + words.length / charactersPerToken),
    usage: asked.type === 'failed' || cut.older.length === 0 ? noUsage : reckoned(asked.usage, before, words),
  };
  const recorded = deps.record([{ turn_id: plan.turn_id, type: 'context_compacted', data }]);
  return recorded.ok ? ok(true) : recorded;
}
