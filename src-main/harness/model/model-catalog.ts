import type { Effort, ModelFacts, ModelPrice } from '../protocol';
import type { RemoteKind } from './provider-config';

/**
 * How a Claude model is told to think: a budget of tokens; adaptive thinking that must be asked for; adaptive
 * thinking that is on anyway; the same with thinking blocks that are bound to the conversation before them.
 */
export type ClaudeThinking = 'none' | 'budget' | 'adaptive' | 'always' | 'bound';

export interface CatalogEntry {
  /** Of the model's name, without a maker's prefix; the first match wins. */
  readonly name: RegExp;
  readonly context_window: number;
  readonly efforts?: readonly Effort[];
  /** Where long requests cost more, the price of the short ones. */
  readonly price?: ModelPrice;
  /** Most tokens of one answer, where the wire wants to be told. */
  readonly max_output?: number;
  readonly thinking?: ClaudeThinking;
}

const all: readonly Effort[] = ['low', 'medium', 'high'];

/** US dollars for a million tokens. */
function price(input: number, cached_input: number | null, output: number): ModelPrice {
  return cached_input === null ? { input, output } : { input, output, cached_input };
}

function claude(
  name: RegExp,
  thinking: ClaudeThinking,
  cost: ModelPrice,
  room: { window: number; output: number },
): CatalogEntry {
  const efforts = thinking === 'none' ? {} : { efforts: all };
  return { name, context_window: room.window, price: cost, max_output: room.output, thinking, ...efforts };
}

const wide = { window: 1_000_000, output: 128_000 };
const four = { window: 200_000, output: 64_000 };
const early = { window: 200_000, output: 32_000 };

const anthropic: readonly CatalogEntry[] = [
  claude(/^claude-fable-5-2/, 'bound', price(8, 0.2, 40), wide),
  claude(/^claude-fable-5-1/, 'bound', price(10, 0.25, 50), wide),
  claude(/^claude-fable-5/, 'always', price(10, 1, 50), wide),
  claude(/^claude-opus-5-5/, 'bound', price(4, 0.2, 20), wide),
  claude(/^claude-opus-5/, 'always', price(5, 0.5, 25), wide),
  claude(/^claude-sonnet-5-5/, 'bound', price(2, 0.1, 10), wide),
  claude(/^claude-sonnet-5/, 'always', price(2, 0.2, 10), wide),
  claude(/^claude-haiku-5-5/, 'bound', price(0.1, 0.01, 0.5), wide),
  claude(/^claude-opus-4-[678]/, 'adaptive', price(5, 0.5, 25), wide),
  claude(/^claude-sonnet-4-6/, 'adaptive', price(3, 0.3, 15), wide),
  claude(/^claude-opus-4-5/, 'budget', price(5, 0.5, 25), four),
  claude(/^claude-sonnet-4/, 'budget', price(3, 0.3, 15), four),
  claude(/^claude-haiku-4-5/, 'budget', price(1, 0.1, 5), four),
  claude(/^claude-opus-4/, 'budget', price(15, 1.5, 75), early),
  claude(/^claude-3-haiku/, 'none', price(0.25, 0.03, 1.25), { window: 200_000, output: 4_096 }),
];

const long = 1_050_000;
const middle = 400_000;
const million = 1_047_576;

const openai: readonly CatalogEntry[] = [
  { name: /^gpt-6\.2-astra/, context_window: long, efforts: all, price: price(8, 0.4, 40) },
  { name: /^gpt-6-astra/, context_window: long, efforts: all, price: price(10, 1, 50) },
  { name: /^gpt-6\.[12]-sol/, context_window: long, efforts: all, price: price(2, 0.1, 10) },
  { name: /^gpt-6-sol/, context_window: long, efforts: all, price: price(2, 0.2, 10) },
  { name: /^gpt-6\.1-terra/, context_window: long, efforts: all, price: price(1, 0.05, 5) },
  { name: /^gpt-6-luna/, context_window: long, efforts: all, price: price(0.1, 0.01, 0.5) },
  { name: /^gpt-5\.6-luna/, context_window: long, efforts: all, price: price(0.2, 0.02, 1.2) },
  { name: /^gpt-5\.6-terra/, context_window: long, efforts: all, price: price(2, 0.2, 12) },
  { name: /^gpt-5\.6(-sol|$)/, context_window: long, efforts: all, price: price(4, 0.4, 20) },
  {
    name: /^gpt-5\.[45]-pro/,
    context_window: long,
    efforts: ['medium', 'high'],
    price: price(30, null, 180),
  },
  { name: /^gpt-5\.5/, context_window: long, efforts: all, price: price(5, 0.5, 30) },
  { name: /^gpt-5\.4-mini/, context_window: middle, efforts: all, price: price(0.75, 0.075, 4.5) },
  { name: /^gpt-5\.4-nano/, context_window: middle, efforts: all, price: price(0.2, 0.02, 1.25) },
  { name: /^gpt-5\.4/, context_window: long, efforts: all, price: price(2.5, 0.25, 15) },
  { name: /^gpt-5(\.\d)?-chat/, context_window: 128_000 },
  {
    name: /^gpt-5\.2-pro/,
    context_window: middle,
    efforts: ['medium', 'high'],
    price: price(21, null, 168),
  },
  { name: /^gpt-5\.[23]/, context_window: middle, efforts: all, price: price(1.75, 0.175, 14) },
  { name: /^gpt-5\.1-codex-mini/, context_window: middle, efforts: all, price: price(0.25, 0.025, 2) },
  { name: /^gpt-5\.1/, context_window: middle, efforts: all, price: price(1.25, 0.125, 10) },
  { name: /^gpt-5-pro/, context_window: middle, efforts: ['high'], price: price(15, null, 120) },
  { name: /^gpt-5-mini/, context_window: middle, efforts: all, price: price(0.25, 0.025, 2) },
  { name: /^gpt-5-nano/, context_window: middle, efforts: all, price: price(0.05, 0.005, 0.4) },
  { name: /^gpt-5(-codex|-\d{4}|$)/, context_window: middle, efforts: all, price: price(1.25, 0.125, 10) },
  { name: /^gpt-4\.1-mini/, context_window: million, price: price(0.4, 0.1, 1.6) },
  { name: /^gpt-4\.1-nano/, context_window: million, price: price(0.1, 0.025, 0.4) },
  { name: /^gpt-4\.1/, context_window: million, price: price(2, 0.5, 8) },
  { name: /^gpt-4o-mini/, context_window: 128_000, price: price(0.15, 0.075, 0.6) },
  { name: /^gpt-4o/, context_window: 128_000, price: price(2.5, 1.25, 10) },
  { name: /^gpt-4-turbo/, context_window: 128_000, price: price(10, null, 30) },
  { name: /^o3-pro/, context_window: 200_000, efforts: all, price: price(20, null, 80) },
  { name: /^o3-mini/, context_window: 200_000, efforts: all, price: price(1.1, 0.55, 4.4) },
  { name: /^o4-mini/, context_window: 200_000, efforts: all, price: price(1.1, 0.275, 4.4) },
  { name: /^o3/, context_window: 200_000, efforts: all, price: price(2, 0.5, 8) },
  { name: /^o1-pro/, context_window: 200_000, efforts: all, price: price(150, null, 600) },
  { name: /^o1(-\d{4}|$)/, context_window: 200_000, efforts: all, price: price(15, 7.5, 60) },
];

const gemini = 1_048_576;

const google: readonly CatalogEntry[] = [
  { name: /^gemini-4-neon/, context_window: gemini, efforts: all, price: price(3, 0.15, 15) },
  { name: /^gemini-4-hydrogen/, context_window: gemini, efforts: all, price: price(1.5, 0.075, 7.5) },
  { name: /^gemini-4-(argon|carbon)/, context_window: gemini, efforts: all, price: price(2, 0.1, 10) },
  { name: /^gemini-3\.[678]-flash/, context_window: gemini, efforts: all, price: price(0.75, 0.075, 3.75) },
  { name: /^gemini-3\.5-flash-lite/, context_window: gemini, efforts: all, price: price(0.3, 0.03, 2.5) },
  { name: /^gemini-3\.5-flash/, context_window: gemini, efforts: all, price: price(1.5, 0.15, 9) },
  { name: /^gemini-3\.1-flash-lite/, context_window: gemini, efforts: all, price: price(0.25, 0.025, 1.5) },
  { name: /^gemini-3(\.1)?-pro/, context_window: gemini, efforts: all, price: price(2, 0.2, 12) },
  { name: /^gemini-3-flash/, context_window: gemini, efforts: all, price: price(0.5, 0.05, 3) },
  { name: /^gemini-2\.5-pro/, context_window: gemini, efforts: all, price: price(1.25, 0.125, 10) },
  { name: /^gemini-2\.5-flash-lite/, context_window: gemini, efforts: all, price: price(0.1, 0.01, 0.4) },
  { name: /^gemini-2\.5-flash/, context_window: gemini, efforts: all, price: price(0.3, 0.03, 2.5) },
];

/** As the companies published them in November 2026. A family that is not listed is not known. */
const catalogs = { anthropic, openai, google } as const;

function makerOf(kind: RemoteKind, model: string): keyof typeof catalogs | null {
  if (kind === 'anthropic' || kind === 'openai' || kind === 'google') return kind;
  // Routers put the maker in front: `anthropic/claude-sonnet-5`.
  const maker = /^(anthropic|openai|google)\//.exec(model)?.[1];
  return maker === undefined ? null : (maker as keyof typeof catalogs);
}

/** What the table knows of a model of this name, or null. */
export function catalogEntry(kind: RemoteKind, model: string): CatalogEntry | null {
  const maker = makerOf(kind, model);
  if (maker === null) return null;
  const name = model.replace(/^[a-z-]+\//, '').replace(/^(claude-.*\d)\.(\d)/, '$1-$2');
  return catalogs[maker].find((entry) => entry.name.test(name)) ?? null;
}

/** Facts by name alone. A price holds at the company's own address only. */
export function catalogFacts(
  kind: RemoteKind,
  model: string,
  official: boolean,
): Pick<ModelFacts, 'context_window' | 'efforts' | 'price'> {
  const entry = catalogEntry(kind, model);
  if (entry === null) return {};
  const compatible = kind !== 'anthropic' && kind !== 'openai' && kind !== 'google';
  return {
    context_window: entry.context_window,
    // A router takes the setting of some models only, and says itself of which.
    ...(entry.efforts === undefined || compatible ? {} : { efforts: entry.efforts }),
    ...(entry.price === undefined || !official ? {} : { price: entry.price }),
  };
}
