import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addCosts, costOf } from '#contracts/research/model-cost.ts';
import type { ModelUsage } from '#contracts/research/model.ts';
import type { ModelPrices } from '#contracts/research/model-profile.ts';

const usage = (change: Partial<ModelUsage> = {}): ModelUsage => ({
  input_tokens: 1_000_000,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 100_000,
  reasoning_tokens: null,
  ...change,
});
const prices = (per_million: ModelPrices['per_million'], currency = 'USD'): ModelPrices => ({
  currency,
  version: 'v1',
  date: '2026-01-01',
  per_million,
});
const FULL = { input: '3', cached_input: '0.3', cache_write: '3.75', output: '15' };

describe('cost of a call', () => {
  it('[MO8] tokens times prices, in the smallest unit, exact', () => {
    expect(costOf(usage(), prices(FULL))).toEqual({ currency: 'USD', minor: '450', unknown: [], price_version: 'v1' });
    const cached = usage({ cached_input_tokens: 600_000, cache_write_tokens: 100_000 });
    // 0.3 M × 3 + 0.6 M × 0.3 + 0.1 M × 3.75 + 0.1 M × 15 = 2.955 dollars
    expect(costOf(cached, prices(FULL)).minor).toBe('295.5');
    expect(costOf(usage({ input_tokens: 1, output_tokens: 0 }), prices({ input: '0.1', output: '1' })).minor).toBe(
      '0.00001',
    );
  });

  it('[MO8] yen have no smaller unit, dinars have three places', () => {
    expect(costOf(usage(), prices({ input: '450', output: '2000' }, 'JPY')).minor).toBe('650');
    expect(costOf(usage(), prices({ input: '1', output: '5' }, 'KWD')).minor).toBe('1500');
  });

  it('[MO8] what is free costs nothing, also when nobody counts; what is free in part is unknown in the rest', () => {
    const nothing = { input_tokens: null, cached_input_tokens: null, cache_write_tokens: null, output_tokens: null };
    const free = { input: '0', cached_input: '0', cache_write: '0', output: '0' };
    expect(costOf(usage(nothing), prices(free))).toMatchObject({ minor: '0', unknown: [] });
    expect(costOf(usage(nothing), prices({ ...free, output: '1' }))).toMatchObject({ minor: '0', unknown: ['output'] });
  });

  it('[MO8] no price list, no money; a missing price is named', () => {
    expect(costOf(usage(), undefined)).toEqual({ currency: null, minor: '0', unknown: ['price'], price_version: null });
    expect(costOf(usage(), prices({ input: '3' }))).toMatchObject({ minor: '300', unknown: ['output'] });
    expect(costOf(usage({ cached_input_tokens: 10 }), prices({ input: '3', output: '15' })).unknown).toEqual([
      'cached_input',
    ]);
    expect(costOf(usage({ cache_write_tokens: 10 }), prices({ input: '3', output: '15' })).unknown).toEqual([
      'cache_write',
    ]);
  });

  it('[MO8] a count that is missing is named, and what is certain stays a lower bound', () => {
    expect(costOf(usage({ output_tokens: null }), prices(FULL))).toMatchObject({ minor: '300', unknown: ['output'] });
    expect(costOf(usage({ input_tokens: null }), prices(FULL))).toMatchObject({ minor: '150', unknown: ['input'] });
    const uncounted = costOf(usage({ cached_input_tokens: null }), prices(FULL));
    expect(uncounted).toMatchObject({ minor: '180', unknown: ['cached_input'] });
    // Where cached input costs the same, its share does not matter.
    const flat = prices({ input: '3', cached_input: '3', output: '15' });
    expect(costOf(usage({ cached_input_tokens: null, cache_write_tokens: null }), flat)).toMatchObject({
      minor: '450',
      unknown: [],
    });
  });

  it('[MO8] what is said to be certain is never more than the true cost', () => {
    const price = fc.integer({ min: 0, max: 9999 }).map((cents) => (cents / 100).toFixed(2));
    const count = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(
        fc.record({ input: price, cached_input: price, cache_write: price, output: price }),
        fc.tuple(count, count, count, count),
        fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
        (list, [plain, cached, written, output], [hidesInput, hidesCached, hidesWritten, hidesOutput]) => {
          // A cache may cost more to fill than plain input, never less: that is what caches are sold as.
          fc.pre(Number(list.cached_input) <= Number(list.input) && Number(list.cache_write) >= Number(list.input));
          const all = plain + cached + written;
          const whole = usage({
            input_tokens: all,
            cached_input_tokens: cached,
            cache_write_tokens: written,
            output_tokens: output,
          });
          const told = {
            ...whole,
            ...(hidesInput ? { input_tokens: null } : {}),
            ...(hidesCached ? { cached_input_tokens: null } : {}),
            ...(hidesWritten ? { cache_write_tokens: null } : {}),
            ...(hidesOutput ? { output_tokens: null } : {}),
          };
          const truth = costOf(whole, prices(list));
          const known = costOf(told, prices(list));
          expect(truth.unknown).toEqual([]);
          expect(Number(known.minor)).toBeLessThanOrEqual(Number(truth.minor) + 1e-9);
          if (known.unknown.length === 0) expect(known.minor).toBe(truth.minor);
        },
      ),
    );
  });

  it('[MO8] sums keep currencies apart and carry what is unknown', () => {
    const list = [
      costOf(usage(), prices(FULL)),
      costOf(usage(), prices({ input: '1', output: '1' }, 'EUR')),
      costOf(usage({ input_tokens: 1, output_tokens: null }), prices(FULL)),
      costOf(usage(), undefined),
    ];
    expect(addCosts(list)).toEqual({
      amounts: [
        { currency: 'EUR', minor: '110' },
        { currency: 'USD', minor: '450.0003' },
      ],
      unknown: ['output', 'price'],
    });
    expect(addCosts([])).toEqual({ amounts: [], unknown: [] });
  });
});
