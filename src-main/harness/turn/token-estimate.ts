import type { TokenUsage } from '../protocol';

/** UTF-16 units of a text that make one token, about; for estimates where no provider has counted. */
export const charactersPerToken = 3.5;

/** The provider told nothing. */
export const noUsage: TokenUsage = { input_tokens: null, output_tokens: null };

/**
 * The usage of a request, with an estimate from the lengths of context and answer where the provider did not count it: a
 * limit on tokens holds also there, and where a response was cut off before its end.
 */
export function reckoned(usage: TokenUsage, contextTokens: number, answer: string): TokenUsage {
  if (usage.input_tokens !== null && usage.output_tokens !== null) return usage;
  const output_tokens = Math.ceil(answer.length / charactersPerToken);
  return { ...usage, estimate: { input_tokens: contextTokens, output_tokens } };
}
