import { currencyIn, CURRENCY } from './currency.ts';

/** One amount of money as a text shows it. `amount` is a plain decimal; `currency` is ISO 4217, or empty when none is shown. */
export type Amount = {
  readonly amount: string;
  readonly currency: string;
  readonly start: number;
  readonly end: number;
};

const SPACES = /[\s\u00a0\u202f\u2009'’]/gu;
/** Grouped by threes, grouped the Indian way, or plain; a space only groups full threes, so two neighbouring numbers stay two. */
const NUMBER =
  "(?:\\d{1,3}(?:[.,\\u00a0\\u202f\\u2009 '’]\\d{3})+(?:[.,]\\d{1,2})?|\\d{1,2}(?:,\\d{2})+,\\d{3}(?:\\.\\d{1,2})?|\\d+(?:[.,]\\d{1,4})?)(?!\\d)";
const FIRST_NUMBER = new RegExp(NUMBER, 'u');

/**
 * `1.299,00`, `1,299.50`, `1 299`, `1,29,999` or `12.5` → a plain decimal. A single mark before three digits groups thousands, unless
 * the number begins with a nought; every other single mark is the decimal one.
 */
export function plainNumber(shown: string): string {
  const digits = shown.replace(SPACES, '').replace(/[.,]+$/u, '');
  const lastDot = digits.lastIndexOf('.');
  const lastComma = digits.lastIndexOf(',');
  if (lastDot >= 0 && lastComma >= 0) {
    const decimal = lastDot > lastComma ? '.' : ',';
    const grouping = decimal === '.' ? ',' : '.';
    return digits.replaceAll(grouping, '').replace(decimal, '.');
  }
  const parts = digits.split(lastDot >= 0 ? '.' : ',');
  if (parts.length === 1) return digits;
  const isGrouped = parts.slice(1).every((part) => part.length === 3) && parts[0] !== '0';
  const isIndian =
    parts.length > 2 && parts.at(-1)?.length === 3 && parts.slice(1, -1).every((part) => part.length === 2);
  if ((isGrouped && (parts[0]?.length ?? 4) <= 3) || isIndian) return parts.join('');
  return parts.length === 2 ? `${parts[0] === '' ? '0' : (parts[0] ?? '0')}.${parts[1] ?? ''}` : parts.join('');
}

/** The first number of a text as a plain decimal; empty when there is none. */
export function plainPrice(source: string): string {
  const found = FIRST_NUMBER.exec(source.replace(/(\d)\s*([.,])\s+(\d{2})(?!\d)/u, '$1$2$3'))?.[0];
  return found === undefined ? '' : plainNumber(found);
}

/**
 * How else a stated number may be meant: `49.990` in data is 49.99 where somebody wrote three decimals and 49990 where somebody
 * grouped thousands. What the page shows decides.
 */
export function otherReading(stated: string): string {
  const found = /^\s*(\d{1,3})[.,](\d{3})\s*$/u.exec(stated);
  return found === null ? '' : `${found[1] ?? ''}.${found[2] ?? ''}`;
}

const SHOWN = new RegExp(
  `(?:(${CURRENCY})[\\s\\u00a0\\u202f]{0,2}(${NUMBER})|(${NUMBER})[\\s\\u00a0\\u202f]{0,2},?-{0,2}\\s?(${CURRENCY}))`,
  'gu',
);

/** Every amount with a currency beside it, in the order of the text. */
export function amountsIn(text: string): Amount[] {
  const found: Amount[] = [];
  for (const match of text.matchAll(SHOWN)) {
    const mark = match[1] ?? match[4] ?? '';
    found.push({
      amount: plainNumber(match[2] ?? match[3] ?? ''),
      currency: currencyIn(mark),
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return found;
}

/** Equal as numbers: `30`, `30.0` and `30.00` are. */
export function sameAmount(one: string, other: string): boolean {
  return one !== '' && other !== '' && Number(one) === Number(other);
}
