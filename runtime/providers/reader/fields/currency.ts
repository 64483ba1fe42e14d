/** How currencies are written on pages, the more telling ones first: a bare `$` is read last. */
const MARKS: readonly (readonly [string, string])[] = [
  ['\\bUS\\s?\\$|\\bUSD\\b', 'USD'],
  ['\\bC(?:A|DN)?\\$|\\bCAD\\b', 'CAD'],
  ['\\bAU?\\$|\\bAUD\\b', 'AUD'],
  ['\\bNZ\\$|\\bNZD\\b', 'NZD'],
  ['\\bHK\\$|\\bHKD\\b', 'HKD'],
  ['NT\\s?\\$|\\bTWD\\b', 'TWD'],
  ['\\bS\\$|\\bSGD\\b', 'SGD'],
  ['MX\\s?\\$|\\bMXN\\b', 'MXN'],
  ['\\bARS\\b', 'ARS'],
  ['\\bCLP\\b', 'CLP'],
  ['\\bR\\$|\\bBRL\\b', 'BRL'],
  ['€|\\bEUR\\b|\\b[Ee]uros?\\b', 'EUR'],
  ['£|\\bGBP\\b', 'GBP'],
  ['₹|\\bINR\\b|\\b[Rr]s\\.?(?![a-z])', 'INR'],
  ['\\bPKR\\b', 'PKR'],
  ['¥|￥|\\bCNY\\b|\\bRMB\\b|元', 'CNY'],
  ['円|\\bJPY\\b', 'JPY'],
  ['₩|원|\\bKRW\\b', 'KRW'],
  ['₽|[Рр]уб(?:\\.|лей|ля|ль)?(?![а-я])|\\bRUB\\b|р\\.(?![а-я])', 'RUB'],
  ['\\bBYN\\b', 'BYN'],
  ['₴|грн|\\bUAH\\b', 'UAH'],
  ['₸|тг\\.?(?![а-я])|\\bKZT\\b', 'KZT'],
  ['zł|\\bZŁ|\\bPLN\\b', 'PLN'],
  ['Kč|\\bCZK\\b', 'CZK'],
  ['\\bFt\\b|\\bHUF\\b', 'HUF'],
  ['\\b[Ll]ei\\b|\\bLEI\\b|\\bRON\\b', 'RON'],
  ['лв\\.?(?![а-я])|\\bBGN\\b', 'BGN'],
  ['\\b[Kk]n\\b|\\bHRK\\b', 'HRK'],
  ['₺|\\bTL\\b|\\bTRY\\b', 'TRY'],
  ['₪|\\bILS\\b|ש"ח', 'ILS'],
  ['ر\\.س\\.?|ريال|\\bSAR\\b', 'SAR'],
  ['د\\.إ\\.?|درهم|\\bAED\\b', 'AED'],
  ['\\bCHF\\b|\\bFr\\.', 'CHF'],
  ['\\bSEK\\b', 'SEK'],
  ['\\bDKK\\b', 'DKK'],
  ['\\bNOK\\b', 'NOK'],
  ['฿|\\bTHB\\b', 'THB'],
  ['₫|\\bVND\\b', 'VND'],
  ['₱|\\bPHP\\b', 'PHP'],
  ['\\bRp\\.?(?![a-z])|\\bIDR\\b', 'IDR'],
  ['\\bRM\\b|\\bMYR\\b', 'MYR'],
  ['\\bZAR\\b', 'ZAR'],
  ['₦|\\bNGN\\b', 'NGN'],
  ['\\b[Kk]r\\.?(?![a-z])', ''],
  ['\\$', 'USD'],
];

/** Any mark of a currency, as the source of a regular expression. */
export const CURRENCY = MARKS.map(([mark]) => mark).join('|');

const PATTERNS = MARKS.map(([mark, code]) => [new RegExp(mark, 'u'), code] as const);

/** The currency that a text shows; empty when it shows none, or a mark that several countries share. */
export function currencyIn(source: string): string {
  return PATTERNS.find(([pattern]) => pattern.test(source))?.[1] ?? '';
}

/** Domains of countries whose own currency is written with a mark that others use too. */
const BY_DOMAIN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  USD: {
    ca: 'CAD',
    au: 'AUD',
    nz: 'NZD',
    sg: 'SGD',
    hk: 'HKD',
    tw: 'TWD',
    mx: 'MXN',
    ar: 'ARS',
    cl: 'CLP',
    co: 'COP',
    uy: 'UYU',
  },
  INR: { pk: 'PKR', lk: 'LKR', np: 'NPR' },
  CNY: { jp: 'JPY', tw: 'TWD' },
  '': { se: 'SEK', dk: 'DKK', no: 'NOK', is: 'ISK' },
};

/** `$` on a page of Chile is its peso. A code that the page writes out is never changed. */
export function localCurrency(code: string, isWrittenOut: boolean, url: string): string {
  if (isWrittenOut) return code;
  const domain = /^https?:\/\/[^/:?#]*\.([a-z]{2})(?:[:/?#]|$)/iu.exec(url)?.[1]?.toLowerCase() ?? '';
  return BY_DOMAIN[code]?.[domain] ?? code;
}
