import { attribute, nameOf, tidyText, type PageElement } from '../html/tree.ts';
import { amountsIn, plainNumber, plainPrice } from './amount.ts';
import { currencyIn } from './currency.ts';
import { distanceOf, isCard, isElsewhere, withAncestors, type ShopView } from './shop-view.ts';

/** One amount that a customer sees. A higher score says that it is likelier what the page's goods cost now. */
export type ShownPrice = {
  readonly amount: string;
  currency: string;
  readonly element: PageElement;
  readonly text: string;
  score: number;
};

const PRICE_NAME = /price|preis|prix|precio|prezzo|preco|cena|hinta|pris(?![mo])|prijs|amount|buy-?box|цена/u;
const NOW_NAME =
  /current|final|sale(?!s)|now|special|actual|offer|our-?price|selling|main|primary|today|discounted|promo|reduced|to-?pay|big|large/u;
const OLD_NAME =
  /(?:^|[\s_-])(?:old|was|regular|list|strike|striked|strikethrough|crossed|rrp|uvp|before|original|msrp|previous|compare|barre|base|normal|suggested|retail|from)(?![a-z])|strike|crossed|barr(?:ed|ato|[eé]e?)(?![a-z])|line-?through|old-?price|price-?old|was-?price|rrp/u;
const NOT_PRICE_NAME =
  /shipping|delivery|instal(?:l)?ment|financ|per-?unit|unit-?price|base-?price|saving|discount-?(?:amount|value|percent)|deposit|monthly|credit|tax|range-?slider|filter|warranty|protection|insurance|postage|reward|points|coupon|gift/u;
const NOT_PRICE_TEXT =
  /shipping|deliver|postage|versand|liefer|livraison|env[ií]o|spedizione|consegna|frete|entrega|dostaw|wysyłk|doprav|doručen|szállít|livrare|transport|dostava|fragt|frakt|toimitus|verzend|доставк|instal?lment|per month|\/\s?mo\b|monat|\brate|par mois|cuotas?|al mese|parcela|rat[ay]|měsíčn|mesačn|mies|lun[ăa]|мес|save|saving|sparen|you save|économi|ahorr|risparm|economi[sz]|oszczę|ušet|ušetr|скидк|off\b|rabatt|remise|descuento|sconto|desconto|deposit|warranty|coupon|gift ?card|运费|運費|免運|折抵|分期|送料|배송|할부|cashback|minimum order|orders? over|spend|estimate|retail|MSRP|RRP|UVP|statt\b|\bwas\b|list price|previous|antes\b|avant\b|prima\b|bisher|原价|原價|市價|定價|定价|通常価格|정가/iu;
const NOT_PRICE_BEFORE = /(?:deliver|shipping|postage|versand|save|instead|statt|was|rrp|uvp|prima|antes)\W*$/iu;
/** What says in words that an amount is the price. */
const PRICE_WORD = /price|preis|prix|precio|pre[cç]o|prezzo|cena|hinta|цена|ціна|fiyat|[价價]|가격|מחיר|السعر/iu;
const PER_UNIT =
  /^\s*(?:\/|per\b|pro\b|je\b|par\b|al\b|za\b|por\b|\()\s*\d*\s*(?:kg|g|l|ml|cl|m|m²|m2|cm|oz|lb|st|stk|stück|pc|piece|unit|ks|szt|kom)\b/iu;

const MAX_TEXT = 120;

function isStruck(element: PageElement): boolean {
  if (/^(?:del|s|strike)$/u.test(element.tag) || /line-through/u.test(attribute(element, 'style'))) return true;
  return OLD_NAME.test(nameOf(element));
}

/** Text of a price: what is set small behind its whole part are its hundredths, also where no mark stands between them. */
export function priceText(element: PageElement): string {
  let text = '';
  const visit = (node: PageElement): void => {
    for (const child of node.children) {
      if (child.kind === 'text') {
        text += child.text;
        continue;
      }
      const before = text;
      text = '';
      visit(child);
      const own = text.trim();
      const isSmall =
        /^(?:sup|small)$/u.test(child.tag) ||
        /cent|decimal|fraction|kop|pence|haler|minor|exponent/u.test(nameOf(child));
      const needsMark = isSmall && /^\d{2}(?!\d)/u.test(own) && /\d\s*$/u.test(before);
      text = before + (needsMark ? '.' + own : child.tag === 'br' ? ' ' : text);
    }
  };
  visit(element);
  return tidyText(
    text.replace(/(\d)\s+([.,])\s*(\d{2})(?!\d)/gu, '$1$2$3').replace(/(\d[.,])\s+(\d{2})(?!\d)/gu, '$1$2'),
  );
}

type Found = Omit<ShownPrice, 'score'> & { readonly before: string; readonly after: string };

/** The smallest elements whose text holds an amount: with a currency, or alone in something that is called a price. */
function collect(view: ShopView): Found[] {
  const found: Found[] = [];
  const below = new Map<PageElement, Found[]>();
  for (const element of [...view.elements].reverse()) {
    const inner = element.children.flatMap((child) => (child.kind === 'element' ? (below.get(child) ?? []) : []));
    const span = view.spans.get(element);
    const isSmall = span !== undefined && span.end - span.start <= MAX_TEXT && span.end > span.start;
    const text = isSmall ? priceText(element) : '';
    if (inner.length > 0) {
      // `<b>49</b> <i>€</i>`: the currency stands beside the number.
      if (isSmall && inner.length <= 2) addCurrency(inner, currencyIn(text));
      below.set(element, inner);
      continue;
    }
    if (!isSmall) continue;
    const own = ownPrices(element, text);
    if (own.length === 0) continue;
    below.set(element, own);
    found.push(...own);
  }
  return found.reverse();
}

function addCurrency(prices: readonly Found[], currency: string): void {
  for (const one of prices) if (one.currency === '') one.currency = currency;
}

function ownPrices(element: PageElement, text: string): Found[] {
  const shown = amountsIn(text).map(({ amount, currency, start, end }) => ({
    amount,
    currency,
    element,
    text,
    before: text.slice(Math.max(0, start - 24), start),
    after: text.slice(end, end + 16),
  }));
  if (shown.length > 0) return shown;
  const isNamed = PRICE_NAME.test(nameOf(element)) || /(?:^|\s)price(?:\s|$)/iu.test(attribute(element, 'itemprop'));
  if (!isNamed || !/^\D{0,24}\d[\d.,\s'’]*\D{0,8}$/u.test(text)) return [];
  const number = plainPrice(text);
  return number === '' ? [] : [{ amount: plainNumber(number), currency: '', element, text, before: '', after: '' }];
}

function nameScore(element: PageElement): number {
  let score = 0;
  let up: PageElement | null = element;
  for (let level = 0; level < 5 && up !== null; level += 1, up = up.parent) {
    const name =
      `${nameOf(up)} ${attribute(up, 'data-testid')} ${attribute(up, 'data-qa')} ${attribute(up, 'itemprop')}`.toLowerCase();
    const weight = level < 2 ? 1 : 0.5;
    if (isStruck(up) && level < 4) score -= 4 * weight;
    if (NOT_PRICE_NAME.test(name)) score -= 4 * weight;
    if (PRICE_NAME.test(name)) {
      score += 2 * weight;
      if (NOW_NAME.test(name)) score += 1.5 * weight;
    }
  }
  return score;
}

function textScore({ text, before, after, currency, element }: Found): number {
  let score = currency === '' ? -1.5 : 1;
  if (NOT_PRICE_BEFORE.test(before)) score -= 4;
  if (NOT_PRICE_TEXT.test(text)) score -= 4;
  else if (PRICE_WORD.test(before)) score += 1;
  if (/[=×x*]\s*$/u.test(before)) score -= 4;
  if (PER_UNIT.test(after)) score -= 4;
  if (/^[-−–+(]\s*$/u.test(before.slice(-2)) && before.trim().length <= 2) score -= 2;
  if (/^h[1-6]$/u.test(element.tag) || /^(?:b|strong|ins)$/u.test(element.tag)) score += 0.5;
  if (text.length <= 24) score += 1;
  else if (text.length > 60) score -= 1;
  return score;
}

function placeScore(view: ShopView, element: PageElement, buy: PageElement | undefined): number {
  const distance = distanceOf(view, element);
  let score = 0;
  if (distance < -400) score -= 3;
  else if (distance < 0) score += distance / 200;
  else score -= Math.min(5, Math.log2(1 + distance / 150));
  if (isElsewhere(view, element)) score -= 5;
  const own = view.spans.get(element);
  const other = buy === undefined ? undefined : view.spans.get(buy);
  if (own !== undefined && other !== undefined && Math.abs(own.start - other.start) < 400) score += 1.5;
  return score;
}

/** What stands in the row or box around an amount; a label there says what the amount is. */
function labelScore(view: ShopView, { element, text }: Found): number {
  for (let up = element.parent, level = 0; up !== null && level < 3; up = up.parent, level += 1) {
    const span = view.spans.get(up);
    if (span === undefined || span.end - span.start > text.length + 40) return 0;
    const around = priceText(up).replace(text, ' ');
    if (NOT_PRICE_TEXT.test(around) && amountsIn(around).length === 0) return -3;
  }
  return 0;
}

/** Amounts that a customer sees, the likeliest price of the page's own goods first. */
export function shownPrices(view: ShopView, buy: PageElement | undefined): ShownPrice[] {
  const found = collect(view).filter((one) => Number(one.amount) > 0);
  const holders = withAncestors(found.map((one) => one.element));
  const rough = found.map((one) => ({
    ...one,
    score: nameScore(one.element) + textScore(one) + placeScore(view, one.element, buy),
  }));
  rough.sort((one, other) => other.score - one.score);
  for (const one of rough.slice(0, 30)) {
    one.score += labelScore(view, one);
    if (isCard(view, one.element, holders)) one.score -= 4;
  }
  return rough.sort((one, other) => other.score - one.score);
}
