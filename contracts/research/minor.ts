/*
 * Exact arithmetic with amounts in the smallest unit of a currency. Plain text in, plain text out: no schema is needed to add two
 * amounts, and pages that only show them load none.
 */

type MinorAmount = string;

/** Decimal places of the unit that people pay in, where they are not two (ISO 4217). */
const PLACES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((c) => [c, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((c) => [c, 3])),
};

export const placesOf = (currency: string): number => PLACES[currency] ?? 2;

/** Digits after the point that an amount may have. */
export const SCALE = 24;

export const addMinor = (...amounts: readonly MinorAmount[]): MinorAmount =>
  unscaled(
    amounts.reduce((sum, each) => sum + scaled(each, SCALE), 0n),
    SCALE,
  );

/** Never below nothing. */
export function subtractMinor(from: MinorAmount, amount: MinorAmount): MinorAmount {
  const rest = scaled(from, SCALE) - scaled(amount, SCALE);
  return unscaled(rest < 0n ? 0n : rest, SCALE);
}

/** Below nothing when `a` is less, above when it is more. */
export function compareMinor(a: MinorAmount, b: MinorAmount): number {
  const [left, right] = [scaled(a, SCALE), scaled(b, SCALE)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export const maxMinor = (a: MinorAmount, b: MinorAmount): MinorAmount => (compareMinor(a, b) < 0 ? b : a);
export const minMinor = (a: MinorAmount, b: MinorAmount): MinorAmount => (compareMinor(a, b) < 0 ? a : b);

/** `share` in hundredths of a percent, so that nothing is rounded. */
export const shareOfMinor = (amount: MinorAmount, share: number): MinorAmount =>
  unscaled((scaled(amount, SCALE) * BigInt(Math.round(share * 10_000))) / 10_000n, SCALE);

/** In the unit that people pay in: `12.5` cents are `0.125` dollars. */
export const majorOf = (minor: MinorAmount, currency: string): string =>
  unscaled(scaled(minor, SCALE), SCALE + placesOf(currency));

/** Whole smallest units of an amount that people pay in; what is smaller is left off. */
export const wholeMinorOf = (major: string, currency: string): string => scaled(major, placesOf(currency)).toString();

/** Millionths of the currency, as search accounts are kept, in its smallest unit. */
export const minorOfMicros = (micros: number, currency: string): MinorAmount =>
  unscaled(BigInt(micros) * 10n ** BigInt(SCALE - 6 + placesOf(currency)), SCALE);

export function scaled(decimal: string, places: number): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole) * 10n ** BigInt(places) + BigInt(fraction.padEnd(places, '0').slice(0, places));
}

export function unscaled(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  const whole = digits.slice(0, -places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
