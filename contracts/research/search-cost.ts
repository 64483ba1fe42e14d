import { minorOfMicros } from './minor.ts';
import type { ModelCost } from './model-cost.ts';
import type { SearchUsage } from './search.ts';

/** What a search cost, as accounts are kept; null when nothing was charged. What was not told is unknown, never nothing. */
export function costOfSearch({ billing, cost }: Pick<SearchUsage, 'billing' | 'cost'>): ModelCost | null {
  if (billing === 'none') return null;
  if (cost === null) return { currency: null, minor: '0', unknown: ['price'], price_version: null };
  const { currency, micros, price_version } = cost;
  const unknown: ModelCost['unknown'] = billing === 'unknown' ? ['output'] : [];
  return { currency, minor: minorOfMicros(micros, currency), unknown, price_version };
}
