import type { Amounts, Cost } from './search-provider.ts';

/** In millionths of the currency. Tokens are priced by the million, calls one by one. */
export type SearchPrice = {
  readonly version: string;
  readonly currency: string;
  readonly inputPerMillion: number;
  readonly cachedInputPerMillion: number;
  readonly outputPerMillion: number;
  readonly perCall: number;
};

/** By `provider` or `provider/model`. What is not listed has no price, and nothing is spent on it. */
export type PriceList = ReadonlyMap<string, SearchPrice>;

/** Input, cached input and output by the million tokens, and one look-up. */
export function priceInDollars(
  version: string,
  [input, cached, output, call]: readonly [number, number, number, number],
): SearchPrice {
  return {
    version,
    currency: 'USD',
    inputPerMillion: Math.round(input * 1_000_000),
    cachedInputPerMillion: Math.round(cached * 1_000_000),
    outputPerMillion: Math.round(output * 1_000_000),
    perCall: Math.round(call * 1_000_000),
  };
}

/** List prices; the version is their date. What is not here is registered by configuration. */
export const listPrices: PriceList = new Map([
  ['brave', priceInDollars('brave/2026-05', [0, 0, 0, 0.005])],
  ['openai/gpt-5', priceInDollars('openai/2026-06', [1.25, 0.125, 10, 0.01])],
  ['openai/gpt-5-mini', priceInDollars('openai/2026-06', [0.25, 0.025, 2, 0.01])],
  ['anthropic/claude-haiku-4-5', priceInDollars('anthropic/2026-02', [1, 0.1, 5, 0.01])],
  ['anthropic/claude-sonnet-5-5', priceInDollars('anthropic/2026-12', [2, 0.2, 10, 0.01])],
  ['anthropic/claude-sonnet-4-5', priceInDollars('anthropic/2026-02', [3, 0.3, 15, 0.01])],
]);

/** Rounded up: a cost is never told smaller than it was. `cached_input_tokens` are a part of `input_tokens`. */
export function costOf(prices: PriceList, key: string, amounts: Amounts): Cost | null {
  const price = prices.get(key);
  if (price === undefined) return null;
  const fresh = Math.max(0, amounts.input_tokens - amounts.cached_input_tokens);
  const tokens =
    fresh * price.inputPerMillion +
    amounts.cached_input_tokens * price.cachedInputPerMillion +
    amounts.output_tokens * price.outputPerMillion;
  const micros = Math.ceil(tokens / 1_000_000 + amounts.tool_calls * price.perCall);
  return { currency: price.currency, micros, price_version: price.version };
}
