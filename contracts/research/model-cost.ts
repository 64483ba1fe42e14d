import * as z from 'zod';
import type { ModelUsage } from './model.ts';
import type { ModelPrices } from './model-profile.ts';
import { placesOf, SCALE, scaled, unscaled } from './minor.ts';
import { Currency, MinorAmount } from './money.ts';

export const UnknownCost = z.enum(['price', 'input', 'cached_input', 'cache_write', 'output']);
export type UnknownCost = z.infer<typeof UnknownCost>;

/** `minor` is what is certain, in the currency's smallest unit; with something in `unknown` it is a lower bound. */
export const ModelCost = z
  .object({
    currency: Currency.nullable(),
    minor: MinorAmount,
    unknown: z.array(UnknownCost).readonly(),
    price_version: z.string().nullable(),
  })
  .readonly();
export type ModelCost = z.infer<typeof ModelCost>;

export type CostTotal = {
  readonly amounts: readonly { readonly currency: string; readonly minor: string }[];
  readonly unknown: readonly UnknownCost[];
};

const PRICE_SCALE = 12;
const MILLION = 6;

/** What a call cost. Whatever the endpoint did not count or the profile does not price is named, never taken for nothing. */
export function costOf(usage: ModelUsage, prices: ModelPrices | undefined): ModelCost {
  if (prices === undefined) return { currency: null, minor: '0', unknown: ['price'], price_version: null };
  const { per_million: price, currency } = prices;
  const unknown = new Set<UnknownCost>();
  let sum = 0n;
  const charge = (tokens: number | null, each: string | undefined, what: UnknownCost): void => {
    // Nothing times anything is nothing, also where nobody counted.
    if (tokens === 0 || isFree(each)) return;
    if (tokens === null || each === undefined) unknown.add(what);
    else sum += BigInt(tokens) * scaled(each, PRICE_SCALE);
  };
  for (const share of inputShares(usage, price)) charge(share.tokens, share.price, share.what);
  charge(usage.output_tokens, price.output, 'output');
  const minor = unscaled(sum * 10n ** BigInt(placesOf(currency) + SCALE - PRICE_SCALE - MILLION), SCALE);
  return { currency, minor, unknown: [...unknown], price_version: prices.version };
}

/** Sums each currency by itself. */
export function addCosts(costs: readonly ModelCost[]): CostTotal {
  const sums = new Map<string, bigint>();
  const unknown = new Set<UnknownCost>();
  for (const cost of costs) {
    for (const part of cost.unknown) unknown.add(part);
    if (cost.currency !== null) {
      sums.set(cost.currency, (sums.get(cost.currency) ?? 0n) + scaled(cost.minor, SCALE));
    }
  }
  const amounts = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    amounts: amounts.map(([currency, sum]) => ({ currency, minor: unscaled(sum, SCALE) })),
    unknown: [...unknown],
  };
}

type Share = { readonly tokens: number | null; readonly price: string | undefined; readonly what: UnknownCost };

function inputShares(usage: ModelUsage, price: ModelPrices['per_million']): Share[] {
  const { input_tokens: all, cached_input_tokens: cached, cache_write_tokens: written } = usage;
  if (all === null) return [{ tokens: null, price: price.input, what: 'input' }];
  const shares: Share[] = [];
  let plain = all;
  // A share that was not counted but costs as much as the rest needs no count.
  if (cached !== null) {
    plain -= cached;
    shares.push({ tokens: cached, price: price.cached_input, what: 'cached_input' });
  } else if (price.cached_input !== price.input) {
    // Any part of the input may have come at the lower price: what is certain is all of it at that price.
    const least = price.cached_input === undefined ? undefined : lesser(price.cached_input, price.input);
    return [
      { tokens: all, price: least, what: 'cached_input' },
      { tokens: null, price: undefined, what: 'cached_input' },
    ];
  }
  if (written !== null) {
    plain -= written;
    shares.push({ tokens: written, price: price.cache_write, what: 'cache_write' });
  } else if (price.cache_write !== undefined && price.cache_write !== price.input) {
    shares.push({ tokens: null, price: price.cache_write, what: 'cache_write' });
  }
  shares.push({ tokens: Math.max(0, plain), price: price.input, what: 'input' });
  return shares;
}

const isFree = (price: string | undefined): boolean => price !== undefined && scaled(price, PRICE_SCALE) === 0n;

function lesser(a: string, b: string | undefined): string {
  return b !== undefined && scaled(b, PRICE_SCALE) < scaled(a, PRICE_SCALE) ? b : a;
}
