/** `1.299,00 €` or `US$1,299.50` → `1299.00` / `1299.50`; empty when no amount stands in it. */
export function plainPrice(source: string): string {
  const found = /\d[\d.,'’\s\u00a0\u202f]*/u
    .exec(source)?.[0]
    .replace(/[\s\u00a0\u202f'’]/gu, '')
    .replace(/[.,]+$/u, '');
  if (found === undefined) return '';
  const lastDot = found.lastIndexOf('.');
  const lastComma = found.lastIndexOf(',');
  if (lastDot >= 0 && lastComma >= 0) {
    const decimal = lastDot > lastComma ? '.' : ',';
    const thousands = decimal === '.' ? ',' : '.';
    return found.replaceAll(thousands, '').replace(decimal, '.');
  }
  const mark = lastDot >= 0 ? '.' : ',';
  const parts = found.split(mark);
  if (parts.length === 1) return found;
  // `1.299` and `1,299,000` group thousands, unless it begins with a nought; `12,50` does not.
  const grouped = parts.slice(1).every((part) => part.length === 3) && parts[0] !== '0' && (parts[0]?.length ?? 4) <= 3;
  if (grouped) return parts.join('');
  return parts.length === 2 ? `${parts[0] ?? '0'}.${parts[1] ?? ''}` : parts.join('');
}

const SYMBOLS: readonly (readonly [RegExp, string])[] = [
  [/\bUS\s?\$|\bUSD\b/u, 'USD'],
  [/\bC(?:A|DN)?\s?\$|\bCAD\b/u, 'CAD'],
  [/\bAU?\s?\$|\bAUD\b/u, 'AUD'],
  [/\bNZ\s?\$|\bNZD\b/u, 'NZD'],
  [/\bHK\s?\$|\bHKD\b/u, 'HKD'],
  [/\bR\$|\bBRL\b/u, 'BRL'],
  [/€|\bEUR\b/u, 'EUR'],
  [/£|\bGBP\b/u, 'GBP'],
  [/₹|\bRs\.?|\bINR\b/u, 'INR'],
  [/¥|￥|\bCNY\b|\bRMB\b/u, 'CNY'],
  [/円|\bJPY\b/u, 'JPY'],
  [/₩|\bKRW\b/u, 'KRW'],
  [/₽|\bруб|\bRUB\b/u, 'RUB'],
  [/zł|\bPLN\b/u, 'PLN'],
  [/Kč|\bCZK\b/u, 'CZK'],
  [/₺|\bTRY\b/u, 'TRY'],
  [/\bCHF\b/u, 'CHF'],
  [/\bSEK\b/u, 'SEK'],
  [/\bDKK\b/u, 'DKK'],
  [/\bNOK\b/u, 'NOK'],
  [/\$/u, 'USD'],
];

export function currencyIn(source: string): string {
  return SYMBOLS.find(([pattern]) => pattern.test(source))?.[1] ?? '';
}
