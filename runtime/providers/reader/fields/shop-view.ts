import { attribute, findAll, hasTag, nameOf, plainText, tidyText, type PageElement } from '../html/tree.ts';

/** Where an element's visible text lies in the text of the whole page, counted in characters. */
export type Span = { readonly start: number; readonly end: number };

/** A page as a customer sees it: what is visible, where it stands, and what the page is about. */
export type ShopView = {
  readonly spans: ReadonlyMap<PageElement, Span>;
  /** Visible elements in document order. */
  readonly elements: readonly PageElement[];
  readonly heading: PageElement | undefined;
  /** The heading and all that holds it. */
  readonly aroundHeading: ReadonlySet<PageElement>;
  readonly headingSpan: Span;
};

/** Goods of a page stand near its beginning; the largest shop page that was looked at has 12,301 elements. */
const MAX_ELEMENTS = 20_000;
const SILENT = /^(?:head|script|style|noscript|template|svg|iframe|title)$/u;

function layOut(root: PageElement, isHidden: (element: PageElement) => boolean): Pick<ShopView, 'spans' | 'elements'> {
  const spans = new Map<PageElement, Span>();
  const elements: PageElement[] = [];
  let at = 0;
  const visit = (element: PageElement): void => {
    if (elements.length >= MAX_ELEMENTS) return;
    const start = at;
    elements.push(element);
    for (const child of element.children) {
      if (child.kind === 'text') at += tidyText(child.text).length;
      else if (!SILENT.test(child.tag) && !isHidden(child)) visit(child);
    }
    spans.set(element, { start, end: at });
  };
  visit(root);
  return { spans, elements };
}

/** Words; where a script writes none apart, pairs of neighbouring characters. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\d]+/gu) ?? [];
  const pairs = words.flatMap((word) =>
    word.length > 2 && /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)
      ? Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
      : [word],
  );
  return new Set(pairs);
}

function overlap(text: string, names: readonly string[]): number {
  const words = wordsOf(text);
  if (words.size === 0) return 0;
  return Math.max(
    0,
    ...names.map((name) => {
      const others = wordsOf(name);
      const shared = [...words].filter((word) => others.has(word)).length;
      return shared / Math.max(words.size, Math.min(others.size, 12));
    }),
  );
}

/** The heading that names what the page and its data are about; a text of the same words serves where there is no heading. */
function mainHeading(elements: readonly PageElement[], names: readonly string[]): PageElement | undefined {
  const rank = (element: PageElement): number => overlap(plainText(element), names);
  const best = (candidates: readonly PageElement[], least: number): PageElement | undefined => {
    let found: PageElement | undefined;
    let score = least;
    for (const candidate of candidates) {
      const own = rank(candidate);
      if (own > score) [found, score] = [candidate, own];
    }
    return found;
  };
  const headings = elements.filter((element) => element.tag === 'h1' && plainText(element) !== '');
  const named = best(headings, 0.2);
  if (named !== undefined) return named;
  const others = elements.filter(
    (element) =>
      /^(?:h[2-4]|div|span|p|strong|b|td|a)$/u.test(element.tag) &&
      element.children.length <= 3 &&
      isShort(plainText(element)),
  );
  return best(others, 0.5) ?? headings[0];
}

function isShort(text: string): boolean {
  return text.length >= 6 && text.length <= 250;
}

export function shopView(
  root: PageElement,
  isHidden: (element: PageElement) => boolean,
  names: readonly string[],
): ShopView {
  const body = findAll(root, (element) => element.tag === 'body')[0] ?? root;
  const { spans, elements } = layOut(body, isHidden);
  const heading = mainHeading(
    elements,
    names.filter((name) => name !== ''),
  );
  const aroundHeading = withAncestors(heading === undefined ? [] : [heading]);
  return {
    spans,
    elements,
    heading,
    aroundHeading,
    headingSpan: (heading && spans.get(heading)) ?? { start: 0, end: 0 },
  };
}

/** Characters between the heading and an element; below nought for what stands before it. */
export function distanceOf(view: ShopView, element: PageElement): number {
  const span = view.spans.get(element);
  if (span === undefined) return Number.MAX_SAFE_INTEGER;
  return span.start >= view.headingSpan.start
    ? Math.max(0, span.start - view.headingSpan.end)
    : span.end - view.headingSpan.start;
}

const OTHER_GOODS =
  /related|recommend|recs?(?![a-z])|similar|up-?sell|cross-?sell|also-?(?:bought|viewed|like)|recently|suggest|accessor|bundle|mini-?(?:cart|basket|bag)|cart-?(?:total|summary|preview|count|content)|header-?(?:cart|basket)|look-?alike|sponsor|advert|compare-?(?:list|bar)|wish-?list-?(?:items|panel)|history|bestsell|top-?sell|alternativ|product-?(?:list|grid|slider|carousel|tile|card|item)s?(?![a-z])|tooltip|modal|popup/u;

/** Inside a part of the page that is about other goods, or frames the page. */
export function isElsewhere(view: ShopView, element: PageElement): boolean {
  for (let up: PageElement | null = element; up !== null; up = up.parent) {
    // What holds the heading too is about the page's own subject, whatever it is called.
    if (holdsHeading(view, up)) return false;
    if (/^(?:nav|footer|header)$/u.test(up.tag) || OTHER_GOODS.test(nameOf(up))) return true;
  }
  return false;
}

export function holdsHeading(view: ShopView, element: PageElement): boolean {
  return view.aroundHeading.has(element);
}

/** The elements and all that holds them. */
export function withAncestors(elements: Iterable<PageElement>): Set<PageElement> {
  const all = new Set<PageElement>();
  for (const element of elements)
    for (let up: PageElement | null = element; up !== null && !all.has(up); up = up.parent) all.add(up);
  return all;
}

/** One of a row of alike boxes that each hold a link and something alike: a card in a list of goods. */
export function isCard(view: ShopView, element: PageElement, holders: ReadonlySet<PageElement>): boolean {
  for (let up: PageElement | null = element; up?.parent; up = up.parent) {
    if (holdsHeading(view, up)) return false;
    if (cardsBeside(up, holders) >= 3) return true;
  }
  return false;
}

const MAX_SIBLINGS = 60;

function cardsBeside(element: PageElement, holders: ReadonlySet<PageElement>): number {
  const kind = attribute(element, 'class').split(' ')[0];
  const siblings = element.parent?.children ?? [];
  let cards = 0;
  for (const other of siblings.slice(0, MAX_SIBLINGS)) {
    if (other.kind !== 'element' || other.tag !== element.tag || !holders.has(other)) continue;
    if (attribute(other, 'class').split(' ')[0] === kind && hasTag(other, 'a')) cards += 1;
  }
  return cards;
}
