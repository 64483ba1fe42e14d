import { attribute, nameOf, plainText, type PageElement } from '../html/tree.ts';
import { distanceOf, isElsewhere, type ShopView } from './shop-view.ts';
import { BUY_WORDS, IN_STOCK_WORDS, SOLD_OUT_WORDS } from './stock-words.ts';

export type BuyButton = { readonly element: PageElement; readonly words: string; readonly isDisabled: boolean };
export type ShownStock = {
  readonly buy: BuyButton | undefined;
  /** A text of its own near the heading that says so. */
  readonly soldOut: string;
  readonly inStock: string;
};

const MAX_BUTTON_WORDS = 60;
const MAX_NOTICE = 90;
const NEAR = 6000;
/** What is unavailable there is a way of delivery or a service. */
const ABOUT_A_SERVICE =
  /option|in[- ]?store|pick-?up|click|service|filiale|magasin\b|tienda|negozio|express|chat|review/iu;

function buttonWords(element: PageElement): string {
  const isInput = element.tag === 'input';
  if (isInput && !/^(?:submit|button|image)$/iu.test(attribute(element, 'type'))) return '';
  const text = isInput ? '' : plainText(element);
  return (
    [
      text,
      attribute(element, 'value'),
      attribute(element, 'aria-label'),
      attribute(element, 'title'),
      attribute(element, 'alt'),
    ]
      .map((words) => words.trim())
      .find((words) => words !== '' && words.length <= MAX_BUTTON_WORDS && !/^\d+$/u.test(words)) ?? ''
  );
}

function isButton(element: PageElement): boolean {
  if (/^(?:button|input)$/u.test(element.tag)) return true;
  if (attribute(element, 'role') === 'button') return true;
  const isNamed = /btn|button|add-?to|addto|buy|cart|basket|purchase|order/u.test(nameOf(element));
  return element.tag === 'a' || (isNamed && /^(?:div|span|label|p|em|strong)$/u.test(element.tag));
}

function isDisabled(element: PageElement): boolean {
  for (let up: PageElement | null = element, level = 0; up !== null && level < 2; up = up.parent, level += 1) {
    if (up.attributes.has('disabled') || attribute(up, 'aria-disabled') === 'true') return true;
    if (/(?:^|[\s_-])(?:disabled|sold-?out|unavailable)(?:[\s_-]|$)/u.test(nameOf(up))) return true;
  }
  return false;
}

/** Buttons that buy the page's own goods, the nearest to the heading first. */
export function findBuyButton(view: ShopView): BuyButton | undefined {
  const buttons: (BuyButton & { readonly rank: number })[] = [];
  for (const element of view.elements) {
    if (!isButton(element)) continue;
    const words = buttonWords(element);
    if (words === '' || !BUY_WORDS.test(words) || SOLD_OUT_WORDS.test(words)) continue;
    const distance = distanceOf(view, element);
    if (distance < -1500 || isElsewhere(view, element)) continue;
    buttons.push({
      element,
      words,
      isDisabled: isDisabled(element),
      rank: distance < 0 ? 2 * Math.abs(distance) : distance,
    });
  }
  return buttons.sort((one, other) => Number(one.isDisabled) - Number(other.isDisabled) || one.rank - other.rank)[0];
}

function isChoice(element: PageElement): boolean {
  for (let up: PageElement | null = element, level = 0; up !== null && level < 4; up = up.parent, level += 1) {
    if (/^(?:option|select|li|label)$/u.test(up.tag) && level > 0) return true;
    if (/swatch|variant|size-|option|review|comment|question|faq|store-|pickup|click-?collect/u.test(nameOf(up)))
      return true;
  }
  return false;
}

function isLeafText(element: PageElement): boolean {
  return element.children.some((child) => child.kind === 'text' && child.text.trim() !== '');
}

/** What the page says about stock: its button, and short texts of their own. */
export function shownStock(view: ShopView): ShownStock {
  const buy = findBuyButton(view);
  let soldOut = '';
  let inStock = '';
  for (const element of view.elements) {
    const span = view.spans.get(element);
    if (span === undefined || span.end - span.start > MAX_NOTICE || span.end === span.start || !isLeafText(element))
      continue;
    const distance = distanceOf(view, element);
    if (distance < -300 || distance > NEAR) continue;
    const text = plainText(element);
    if (ABOUT_A_SERVICE.test(text)) continue;
    const saysOut = SOLD_OUT_WORDS.test(text);
    if (!saysOut && !IN_STOCK_WORDS.test(text)) continue;
    if (isElsewhere(view, element) || isChoice(element)) continue;
    if (saysOut) soldOut ||= text;
    else inStock ||= text;
  }
  return { buy, soldOut, inStock };
}
