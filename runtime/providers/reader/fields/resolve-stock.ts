import type { FieldSource } from '#contracts/research/page.ts';
import type { Stated } from './field-source.ts';
import type { StatedProduct } from './structured-product.ts';
import type { ShownStock } from './visible-stock.ts';

export type ResolvedStock = { readonly stated: Stated; readonly agrees: readonly FieldSource[] };

/** A button that buys outranks words in passing; a notice without such a button outranks data, which lags behind. */
export function resolveStock(
  stated: readonly StatedProduct[],
  shown: ShownStock,
  hasPrice: boolean,
): ResolvedStock | undefined {
  const data = stated.find((one) => one.availability !== '');
  const canBuy = shown.buy !== undefined && !shown.buy.isDisabled;
  const seen = seenStock(shown, canBuy, hasPrice);
  if (shown.soldOut !== '' && !canBuy && seen !== undefined)
    return { stated: seen, agrees: agreeing(stated, seen.value) };
  if (data === undefined) return seen && { stated: seen, agrees: [] };
  const value = data.availability;
  const agrees: FieldSource[] = [...agreeing(stated, value), ...(seen?.value === value ? (['shown'] as const) : [])];
  return { stated: { value, source: data.source, detail: 'availability' }, agrees };
}

function agreeing(stated: readonly StatedProduct[], value: string): FieldSource[] {
  return stated.filter((one) => one.availability === value).map((one) => one.source);
}

function seenStock(shown: ShownStock, canBuy: boolean, hasPrice: boolean): Stated | undefined {
  const say = (value: string, detail: string): Stated => ({ value, source: 'shown', detail });
  if (canBuy && hasPrice) return say('InStock', shown.buy?.words ?? '');
  if (shown.soldOut !== '') return say('OutOfStock', shown.soldOut);
  if (canBuy) return say('InStock', shown.buy?.words ?? '');
  if (shown.inStock !== '') return say('InStock', shown.inStock);
  return shown.buy === undefined ? undefined : say('OutOfStock', `disabled: ${shown.buy.words}`);
}
