import type { FieldSource } from '#contracts/research/page.ts';
import { otherReading, plainPrice, sameAmount } from './amount.ts';
import type { Stated } from './field-source.ts';
import type { StatedProduct } from './structured-product.ts';
import type { ShownPrice } from './visible-price.ts';

export type ResolvedPrice = {
  readonly amount: Stated;
  readonly currency: Stated;
  readonly agrees: readonly FieldSource[];
};

/** Shown prices with less than this are likelier something else: an old price, postage, other goods. */
const AGREES = 0;
const CONFLICTS = 3;
const ALONE = 1;
const DIFFERS = 1.5;

type Reading = { readonly stated: StatedProduct; readonly amount: string };

function readingsOf(stated: StatedProduct): Reading[] {
  const plain = plainPrice(stated.price);
  const other = otherReading(stated.price);
  const readings = [plain, other];
  // Data of scripts often counts in hundredths; only what the page shows can tell.
  if (stated.source === 'state' && /^\d{3,}$/u.test(plain)) readings.push(String(Number(plain) / 100));
  return readings.filter((amount) => Number(amount) > 0).map((amount) => ({ stated, amount }));
}

function fromShown(shown: ShownPrice, stated: readonly StatedProduct[]): ResolvedPrice {
  const currency = shown.currency === '' ? (stated.find((one) => one.currency !== '')?.currency ?? '') : shown.currency;
  const source: FieldSource =
    shown.currency === '' ? (stated.find((one) => one.currency !== '')?.source ?? 'shown') : 'shown';
  return {
    amount: { value: shown.amount, source: 'shown', detail: shown.text },
    currency: { value: currency, source, detail: source === 'shown' ? shown.text : 'currency' },
    agrees: [],
  };
}

function fromData(reading: Reading, stated: readonly StatedProduct[], shown: ShownPrice | undefined): ResolvedPrice {
  const named = reading.stated.currency === '' ? stated.find((one) => one.currency !== '') : reading.stated;
  const currency: Stated =
    named !== undefined
      ? { value: named.currency, source: named.source, detail: 'currency' }
      : { value: shown?.currency ?? '', source: 'shown', detail: shown?.text ?? '' };
  return {
    amount: { value: reading.amount, source: reading.stated.source, detail: 'price' },
    currency,
    agrees: shown === undefined ? [] : ['shown'],
  };
}

/** Data first, as far as what a customer sees bears it out; where the two differ, a price that is clearly shown wins. */
export function resolvePrice(
  stated: readonly StatedProduct[],
  shown: readonly ShownPrice[],
  page: { readonly hasButton: boolean },
): ResolvedPrice | undefined {
  const readings = stated.flatMap(readingsOf);
  const best = shown[0];
  const borneOut = readings
    .map((reading) => ({ reading, shown: shown.find((one) => sameAmount(one.amount, reading.amount)) }))
    .filter((pair) => pair.shown !== undefined && pair.shown.score >= AGREES)
    .sort((one, other) => (other.shown?.score ?? 0) - (one.shown?.score ?? 0))[0];
  if (borneOut?.shown !== undefined && (best === undefined || best.score - borneOut.shown.score < DIFFERS))
    return fromData(borneOut.reading, stated, borneOut.shown);
  if (best !== undefined && best.score >= CONFLICTS) return fromShown(best, stated);
  const first = readings.find((reading) => reading.stated.source !== 'state');
  if (first !== undefined) return fromData(first, stated, undefined);
  if (best !== undefined && best.score >= (page.hasButton ? AGREES : ALONE)) return fromShown(best, stated);
  const kept = readings[0];
  return kept === undefined ? undefined : fromData(kept, stated, undefined);
}
