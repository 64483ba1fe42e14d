import type { FieldSource } from '#contracts/research/page.ts';
import type { AddressIdentifier } from './address-identifier.ts';
import type { Stated } from './field-source.ts';
import type { StatedProduct } from './structured-product.ts';
import type { ShownIdentifier } from './visible-identifier.ts';

export type ResolvedSku = { readonly stated: Stated; readonly agrees: readonly FieldSource[] };

const compact = (value: string): string => value.toLowerCase().replace(/[^\p{L}\d]/gu, '');

/** A number that several places name is the seller's own; one place alone counts in the order labelled, data, address. */
export function resolveSku(
  stated: readonly StatedProduct[],
  shown: readonly ShownIdentifier[],
  address: readonly AddressIdentifier[],
): ResolvedSku | undefined {
  const labelled = shown.filter((one) => one.kind === 'sku').slice(0, 6);
  const candidates: Stated[] = [
    ...labelled.map((one): Stated => ({ value: one.value, source: 'shown', detail: one.label })),
    ...stated
      .filter((one) => one.sku !== '')
      .map((one): Stated => ({ value: one.sku, source: one.source, detail: 'sku' })),
    ...address
      .slice(0, 3)
      .map((one): Stated => ({ value: one.value, source: 'address', detail: one.agrees.slice(0, 3).join(', ') })),
  ];
  const supporters = (candidate: Stated): FieldSource[] => [
    ...new Set(candidates.filter((one) => compact(one.value) === compact(candidate.value)).map((one) => one.source)),
  ];
  let best: { readonly stated: Stated; readonly agrees: FieldSource[] } | undefined;
  for (const candidate of candidates) {
    const agrees = supporters(candidate);
    if (best === undefined || agrees.length > best.agrees.length) best = { stated: candidate, agrees };
  }
  return best;
}
